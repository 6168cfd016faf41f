"""Which figures of a source support a figure of a claim: the matching that two checks share."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from footnotary.domain.identity import Span
from footnotary.text.dates.mentions import dates
from footnotary.text.lexemes import lexemes
from footnotary.text.numbers.quantities import NumberMention, number_mentions, same_quantity
from footnotary.text.numbers.units import UNITS, in_common_unit

_NOWHERE = Span(0, 0)
_IN = re.compile(r"\s(?:in|out of)(?: every)?\s", re.IGNORECASE)
_AND = re.compile(r",?\s(?:and\s)?", re.IGNORECASE)
_PAIRS = re.compile(r"\b(?:both|either|pair|couple|दोनों)\b", re.IGNORECASE)


def spoken_fractions(text: str) -> list[NumberMention]:
    """ "Three in ten pupils" and "three out of ten" as fractions; "three in ten days" is not one."""
    found: list[NumberMention] = []
    for part, whole in pairwise(number_mentions(text)):
        counts = part.kind == whole.kind == "count" and part.high is whole.high is None and part.unit in (None, "out")
        if not counts or part.comparator != "exact" or whole.unit == "times" or not 0 < part.value < whole.value:
            continue
        if _IN.fullmatch(text[part.span.end : whole.span.start]):
            share = Span(part.span.start, whole.span.end)
            found.append(replace(part, value=part.value / whole.value, unit=None, span=share))
    return found


def compound_quantities(text: str) -> list[NumberMention]:
    """ "1 hour and 30 minutes" and "6 feet 2 inches" as one amount, in the smaller unit."""
    found: list[NumberMention] = []
    for large, small in pairwise(number_mentions(text)):
        exact = large.high is small.high is None and small.comparator == "exact"
        if not exact or large.unit == small.unit or not _AND.fullmatch(text[large.span.end : small.span.start]):
            continue
        (dimension, more), (other, less) = (in_common_unit(part.value, part.unit) for part in (large, small))
        one = in_common_unit(Fraction(1), large.unit)[1]
        if dimension is not None and dimension == other and 0 < less < one:
            whole = Span(large.span.start, small.span.end)
            found.append(replace(large, value=more + less, unit=dimension, span=whole))
    return found


@lru_cache(maxsize=64)
def source_figures(premise: str) -> tuple[NumberMention, ...]:
    """The figures of a source, and other expressions that support a figure.

    A range also gives its ends, "both" two, a year a bare number, "three in ten" a share, and "1 hour and 30 minutes"
    90 minutes.
    """
    found = [*spoken_fractions(premise), *compound_quantities(premise)]
    for figure in number_mentions(premise):
        found.append(figure)
        if figure.high is not None:
            found.append(replace(figure, high=None, comparator="at_least"))
            found.append(replace(figure, value=figure.high, high=None, comparator="at_most"))
        if figure.kind == "ordinal" and figure.unit in ("day", "month", "year", "week"):
            found.append(replace(figure, kind="duration"))
    for mention in dates(premise):
        if mention.year is not None:
            found.append(NumberMention(Fraction(mention.year), None, "date", "count", "exact", mention.span))
    for match in _PAIRS.finditer(premise):
        found.append(NumberMention(Fraction(2), None, "both", "count", "exact", Span(*match.span())))
    return tuple(found)


def matches(figure: NumberMention, premise: str) -> tuple[NumberMention, ...]:
    """The figures of the source that give the same amount, in order; a range needs both its ends."""
    return _matches(replace(figure, span=_NOWHERE), premise)


@lru_cache(maxsize=512)
def _matches(figure: NumberMention, premise: str) -> tuple[NumberMention, ...]:
    index = _by_amount(premise)
    near = dict.fromkeys(other for amount in _amounts(figure) for other in index.get(amount, ()))
    found = tuple(other for other in near if _same(figure, other, premise))
    if found or figure.high is None:
        return found
    low = _matches(replace(figure, high=None, comparator="at_least"), premise)
    high = _matches(replace(figure, value=figure.high, high=None, comparator="at_most"), premise)
    return (*low, *high) if low and high else ()


@lru_cache(maxsize=16)
def _by_amount(premise: str) -> dict[Fraction, tuple[NumberMention, ...]]:
    """The figures by every number they may match, so that long texts are not compared pair by pair."""
    index: dict[Fraction, dict[NumberMention, None]] = {}
    for figure in source_figures(premise):
        for amount in _amounts(figure):
            index.setdefault(amount, {})[figure] = None
    return {amount: tuple(there) for amount, there in index.items()}


def _amounts(figure: NumberMention) -> set[Fraction]:
    amounts = {figure.value, in_common_unit(figure.value, figure.unit)[1], _inclusive(figure)[1]}
    return amounts | {figure.value / 100} if figure.kind == "percent" else amounts


def bounds_agree(figure: NumberMention, other: NumberMention) -> bool:
    """Whether the bounds of two equal figures mean the same."""
    if figure.high is not None or other.high is not None:
        return True
    if _is_counted(figure) and _is_counted(other) and _inclusive(figure) == _inclusive(other):
        return True
    if figure.comparator == other.comparator:
        return figure.value == other.value or not _is_counted(figure)
    bounds = {figure.comparator, other.comparator}
    if other.kind == "duration" and figure.kind in ("duration", "count") and bounds == {"at_least", "more_than"}:
        return True  # time has no next value: "after he has attained the age of 65" is "beyond the age of 65"
    return bounds == {"about", "exact"}


def _same(figure: NumberMention, other: NumberMention, premise: str) -> bool:
    if same_quantity(figure, other):
        return True
    if figure.high is not None or other.high is not None or "ordinal" in (figure.kind, other.kind):
        return False
    if _is_counted(figure) and _is_counted(other) and _inclusive(figure) == _inclusive(other):
        return True
    if figure.value != other.value:
        return False
    if figure.kind == "count" and figure.unit is None:
        return True
    if figure.kind == other.kind == "measure" and "degree" in (figure.unit, other.unit):
        return True  # degrees of a scale that one side leaves out
    # A table says "Imprisonment (years): 7": the unit is separate from the number.
    bare = other.kind == "count" and other.unit is None and figure.unit is not None
    return bare and (figure.unit or "").partition("/")[0] in _units_named(premise)


def _is_counted(figure: NumberMention) -> bool:
    return figure.kind == "count" and figure.unit != "times" and figure.value.denominator == 1


def _inclusive(figure: NumberMention) -> tuple[str, Fraction]:
    """ "more than one" person is "two or more"."""
    if figure.comparator == "more_than":
        return "at_least", figure.value + 1
    if figure.comparator == "less_than":
        return "at_most", figure.value - 1
    return figure.comparator, figure.value


@lru_cache(maxsize=64)
def _units_named(premise: str) -> frozenset[str]:
    return frozenset(UNITS[lexeme.key][1] for lexeme in lexemes(premise) if lexeme.key in UNITS)


def nearest_figure(figure: NumberMention, source: Sequence[NumberMention]) -> NumberMention | None:
    """The figure of the source that the claim most likely meant, for the message."""
    alike = [o for o in source if (o.kind, o.unit) == (figure.kind, figure.unit)]
    alike = alike or [o for o in source if o.kind == figure.kind] or [o for o in source if o.value == figure.value]
    return min(alike, key=lambda other: abs(other.value - figure.value), default=None)


def figure_text(figure: NumberMention, text: str) -> str:
    """The figure as its text has it, with what it counts."""
    words = " ".join(figure.span.of(text).split())
    noun = figure.unit if figure.kind in ("count", "ordinal") and figure.unit not in (None, "times") else None
    return f"{words} {noun}" if noun and noun not in words else words
