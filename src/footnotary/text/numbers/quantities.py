"""Figures in a text as quantities: value, unit and bound, in any notation."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.dates.mentions import dates
from footnotary.text.lexemes import Lexeme, lexeme_at, lexemes
from footnotary.text.number_words import FIRST_WORDS, SCALES, ParsedNumber, number_in_words
from footnotary.text.numbers.bounds import Comparator, bound
from footnotary.text.numbers.number_parsing import (
    DASHES,
    end_of_repetition,
    is_and_a_half,
    number_at,
    single_unit_at,
)
from footnotary.text.numbers.unit_parsing import NOT_A_NOUN, singular, unit_after
from footnotary.text.numbers.units import PREFIXES, UNITS, Kind, in_common_unit
from footnotary.text.references.numbered_items import numbered_items
from footnotary.text.references.provisions import references, worded_references

# "The fee is Rs. 500. It is paid once": the dot before the sum is that of "Rs.", and no list begins there.
_LIST_ITEM = re.compile(
    r"(?:^|(?<=[.:;)]\s)(?<![Rr][Ss]\.\s)(?<![Rr]e\.\s)(?<!रु\.\s))[ \t]{0,8}(\d{1,3})[.)][ \t](?=\S)", re.MULTILINE
)
_MULTIPLES = {"twice": 2, "thrice": 3, "double": 2, "triple": 3, "दुगुना": 2, "दुगुने": 2, "दोगुना": 2, "तिगुना": 3}
_FIRST_WORDS = FIRST_WORDS.union(_MULTIPLES)
_FOLD = re.compile(r"(two|three|four|five|six|seven|eight|nine|ten|hundred)fold")


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A quantity in a text; `high` is the upper end of a range whose lower end is `value`.

    `unit` is canonical: "year", "INR", "percent", "m", "kg", or for a count the singular of the noun that follows.
    `span` covers the number with its currency sign and unit.
    """

    value: Fraction
    high: Fraction | None
    unit: str | None
    kind: Kind
    comparator: Comparator
    span: Span


@lru_cache(maxsize=64)
def number_mentions(text: str) -> tuple[NumberMention, ...]:
    """Every figure of `text` in order, none overlapping another.

    Numbers in digits or words, English or Hindi; "7 (seven)" is one figure. Numbers that name provisions, label
    chapters or list items, belong to dates or are inside identifiers are not figures.
    """
    lex = lexemes(text)
    taken: list[Span] | None = None
    found: list[NumberMention] = []
    i = 0
    while i < len(lex):
        read = _figure(lex, i) if _may_begin(lex[i]) else None
        if read is not None and taken is None:  # found when needed: most texts hold no figure
            taken = _non_amount_spans(text)
        if read is None or _inside(taken or [], lex[i]):
            i += 1
            continue
        figure, end = read
        if found and figure.span.start < found[-1].span.end:  # "500 Rs 600": the sign in between is the first's
            figure = replace(figure, span=Span(found[-1].span.end, figure.span.end))
        found.append(figure)
        i = max(end, i + 1)
    return tuple(_inherited(text, found))


def same_quantity(a: NumberMention, b: NumberMention) -> bool:
    """Whether two figures are the same amount, with exact conversions only: 12 months = 1 year, half = 50 %.

    The kind of amount is compared, the noun of a count is not.
    """
    if (a.high is None) != (b.high is None):
        return False
    if a.high is not None and b.high is not None and not same_quantity(_upper(a), _upper(b)):
        return False
    for part, whole in ((a, b), (b, a)):
        if part.unit == "percent" and whole.kind == "count" and 0 < whole.value < 1:
            return part.value / 100 == whole.value
    if (a.kind == "ordinal") != (b.kind == "ordinal"):
        return False
    if a.kind == b.kind == "count" and "times" not in (a.unit, b.unit):
        return a.value == b.value
    return in_common_unit(a.value, a.unit) == in_common_unit(b.value, b.unit)


def _upper(figure: NumberMention) -> NumberMention:
    return replace(figure, value=figure.high or figure.value, high=None)


def _may_begin(here: Lexeme) -> bool:
    """Whether a lexeme can begin a figure: a fast filter, because few can."""
    if here.kind == "word":
        return here.key in _FIRST_WORDS or here.key.endswith("fold")
    return here.kind != "mark"


def _figure(lex: Sequence[Lexeme], i: int) -> tuple[NumberMention, int] | None:
    here = lex[i]
    if (times := _multiple(here, lexeme_at(lex, i + 1))) is not None:
        comparator = bound(lex, i, i + 1, False)
        return NumberMention(times, None, "times", "count", comparator, _span(lex, i, i + 1)), i + 1
    number = number_at(lex, i) or single_unit_at(lex, i)
    if number is None:
        return None
    number = replace(number, end=end_of_repetition(lex, number))
    if number.ordinal:
        return _ordinal(lex, number)
    start, prefix = _prefix(lex, i)
    kind, unit, factor, between, end = unit_after(lex, number.end, prefix)
    high: Fraction | None = None
    if (upper := _range(lex, number, i, prefix)) is not None:
        kind, unit, factor, between, end = unit_after(lex, upper.end, prefix)
        high = upper.value * factor
        number = replace(number, value=number.value * _shared_scale(lex, number, upper))
    elif (lexeme_at(lex, start - 1).key, lexeme_at(lex, end).key) == ("from", "to"):  # "from 5 years to 7 years"
        upper = number_at(lex, end + 1)
        upper_kind, upper_unit, upper_factor, _, upper_end = unit_after(lex, upper.end if upper else end, prefix)
        if upper is not None and (upper_kind, upper_unit) == (kind, unit):
            high, end = upper.value * upper_factor, upper_end
    value = number.value * factor
    if kind == "duration" and is_and_a_half(lex, end):
        value, end = value + factor / 2, end + 3
    comparator = "exact" if high is not None else between or bound(lex, start, end, kind == "duration")
    end = max(end, number.end)
    return NumberMention(value, high, unit, kind, comparator, _span(lex, start, end)), end


def _multiple(here: Lexeme, following: Lexeme) -> Fraction | None:
    """What "twice", "double the" and "threefold" multiply by."""
    if here.key in ("double", "triple") and following.key not in ("the", "that", "of"):
        return None
    if here.key in _MULTIPLES:
        return Fraction(_MULTIPLES[here.key])
    word = number_in_words(lexemes(fold[1]), 0) if (fold := _FOLD.fullmatch(here.key)) else None
    return word.value if word else None


def _span(lex: Sequence[Lexeme], start: int, end: int) -> Span:
    return Span(lex[start].start, lex[end - 1].end)


def _ordinal(lex: Sequence[Lexeme], number: ParsedNumber) -> tuple[NumberMention, int] | None:
    following = lexeme_at(lex, number.end)
    before = lexeme_at(lex, number.start - 1).key
    if lex[number.start].key == "second" and following.key in ("of", "per", "") and before in ("a", "per"):
        return None
    noun = singular(following.key) if following.is_word and following.key not in NOT_A_NOUN else None
    unit = UNITS[following.key][1] if following.key in UNITS else noun
    return NumberMention(number.value, None, unit, "ordinal", "exact", _span(lex, number.start, number.end)), number.end


def _prefix(lex: Sequence[Lexeme], i: int) -> tuple[int, str | None]:
    j = i - 1
    if lexeme_at(lex, j).text == "." and lexeme_at(lex, j - 1).key in ("rs", "re", "रु"):
        j -= 1
    before = lexeme_at(lex, j)
    if before.key not in PREFIXES or (before.key in ("rupees", "रुपये") and number_at(lex, j - 1) is not None):
        return i, None
    if before.text == "$" and before.glued and lexeme_at(lex, j - 1).key == "us":
        j -= 1
    return j, PREFIXES[before.key]


def _range(lex: Sequence[Lexeme], low: ParsedNumber, i: int, prefix: str | None) -> ParsedNumber | None:
    """The upper end of "5 to 7", "5-7", "between 5 and 7", before any unit."""
    link = lexeme_at(lex, low.end)
    lead = i - 1
    while lead > i - 4 and (lexeme_at(lex, lead).key in PREFIXES or lexeme_at(lex, lead).text == "."):
        lead -= 1
    between = link.key == "and" and lexeme_at(lex, lead).key == "between"
    dash = link.text in DASHES and link.glued and lexeme_at(lex, low.end + 1).glued
    if not (between or dash or link.key in ("to", "से")):
        return None
    j = low.end + 1
    while prefix is not None and (lexeme_at(lex, j).key in PREFIXES or lexeme_at(lex, j).text == "."):
        j += 1
    high = number_at(lex, j)
    return high if high is not None and not high.ordinal and high.value > low.value else None


def _shared_scale(lex: Sequence[Lexeme], low: ParsedNumber, high: ParsedNumber) -> Fraction:
    """What multiplies the lower end of "2 to 3 million"; 1 for "2,000 to 3 million" and "2 million to 3 million"."""
    scale = Fraction(1)
    for word in lex[high.start : high.end]:
        scale *= SCALES.get(word.key, 1)
    shared = low.value * scale < high.value and not any(word.key in SCALES for word in lex[low.start : low.end])
    return scale if shared else Fraction(1)


def _inherited(text: str, found: list[NumberMention]) -> list[NumberMention]:
    """ "two or three years": a bare number takes the unit of the one it is joined to."""
    whole = list(found)
    for k in range(len(whole) - 2, -1, -1):
        here, following = whole[k], whole[k + 1]
        gap = text[here.span.end : following.span.start].strip(" ,").lower()
        if here.kind == "count" and here.unit is None and gap in ("or", "and", "to", "nor", "या", "और", ""):
            if following.kind in ("duration", "percent", "measure") or (following.kind == "money" and gap != ""):
                whole[k] = replace(here, kind=following.kind, unit=following.unit)
            elif following.kind == "count" and gap != "":
                whole[k] = replace(here, unit=following.unit)
    for k in range(1, len(whole)):
        before, here = whole[k - 1], whole[k]
        gap = text[before.span.end : here.span.start].strip(" ,").lower()
        if here.kind == "count" and here.unit is None and before.kind == "money" and gap in ("or", "and", "to"):
            whole[k] = replace(here, kind="money", unit=before.unit)
    return whole


def _non_amount_spans(text: str) -> list[Span]:
    """The spans whose numbers are not amounts, in order."""
    spans = [span for _, span in (*references(text), *worded_references(text))]
    spans += [thing.span for thing in numbered_items(text)]
    spans += [mention.span for mention in dates(text)]
    spans += [Span(*item.span(1)) for item in _LIST_ITEM.finditer(text)]
    return sorted(set(spans))


def _inside(taken: list[Span], lexeme: Lexeme) -> bool:
    place = bisect_right(taken, Span(lexeme.start, 1 << 60)) - 1
    return any(span.start <= lexeme.start < span.end for span in taken[max(0, place - 2) : place + 1])
