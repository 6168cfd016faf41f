"""Check: the source has every figure of a claim, with its unit."""

import re
from functools import lru_cache

from footnotary.text.dates.clock_times import HALF_DAY, clock_times, with_times_as_in
from footnotary.text.dates.mentions import dates
from footnotary.text.numbers.quantities import NumberMention, number_mentions
from footnotary.text.references.numbered_items import numbered_items
from footnotary.text.references.provisions import references
from footnotary.text.tokens import stem, terms_of
from footnotary.verify.exact.mismatch import Mismatch
from footnotary.verify.exact.number_matching import (
    compound_quantities,
    figure_text,
    matches,
    nearest_figure,
    source_figures,
    spoken_fractions,
)

_RATE = re.compile(
    r"\b(?:(?:per|each|every|a)\s(?P<unit>hour|day|week|fortnight|month|quarter|year|annum)"
    r"|(?P<word>hourly|daily|weekly|fortnightly|monthly|quarterly|yearly|annually|annual))\b",
    re.IGNORECASE,
)
_RATES = {"hourly": "hour", "daily": "day", "weekly": "week", "fortnightly": "fortnight", "monthly": "month"} | {
    "quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year", "annum": "year",
}  # fmt: skip
_EACH = re.compile(r"\b(?:per|each|every)\b(?! cent)", re.IGNORECASE)
_FOR_EACH = re.compile(
    r"\s(?:(?:for )?(?:each|every)|per)\s(?!cent)[a-z]+"
    r"|\sa(?:n)?\s(?:hour|day|night|week|fortnight|month|quarter|year|head|person|piece|mile|metre|litre|kilogram|ton)\b",
    re.IGNORECASE,
)
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"
# A power or an equation: what it begins with, and its sign.
_FORMULA = re.compile(rf"(?<![\w.])(?P<head>[A-Za-z0-9.]{{1,12}})(?P<sign>[{_RAISED}^=])[^\s=,;]{{0,40}}")
_OPERATOR = re.compile(r"\s*([=/×*+^−])\s*")
_EVERY = re.compile(r"\b(?:every|each|once in)\s$", re.IGNORECASE)
_OLD = re.compile(r"[\s-]old\b", re.IGNORECASE)
_FEW = 8
_LISTED = re.compile(r"[^,:;.]{1,60}[,:]\s((?:[^,:;.]{1,40}, ){0,7}[^,:;.]{1,40}?),? and [A-Za-z]")
_IDENTIFIER = re.compile(r"[A-Za-z0-9]+(?:[-_:.][A-Za-z0-9]+)*")
_POINTER = re.compile(r"[(\[]\s?(?:see|cf\.?) (\d{1,6})\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[;।\n]|\.\s(?=[A-Z(\"])")


def numbers_disagree(claim: str, premise: str) -> Mismatch | None:
    """The figure of the claim that the source does not have, or None.

    Values are compared as amounts, so "Rs. 1,00,000" supports "one lakh rupees"; nothing supports figures that the
    claim computes itself. Numbers of provisions support no amount.
    """
    if (found := _half_differs(claim, premise)) is not None:
        return found
    claim = with_times_as_in(claim, premise)
    joint = [whole.span for whole in (*spoken_fractions(claim), *compound_quantities(claim)) if matches(whole, premise)]
    for figure in number_mentions(claim):
        if any(span.start <= figure.span.start and figure.span.end <= span.end for span in joint):
            continue
        differs = _ordinal_differs if figure.kind == "ordinal" else _unsupported
        if (found := differs(figure, claim, premise)) is not None:
            return found
    return (
        _pointed_elsewhere(claim, premise)
        or _label_differs(claim, premise)
        or _rate_differs(claim, premise)
        or _rate_dropped(claim, premise)
        or _interval_fixed(claim, premise)
        or _formula_differs(claim, premise)
        or _identifier_missing(claim, premise)
    )


def _half_differs(claim: str, premise: str) -> Mismatch | None:
    """ "6 pm" for "6 am"."""
    there = dict(clock_times(premise))
    for minutes, span in clock_times(claim):
        other = there.get((minutes + HALF_DAY) % (2 * HALF_DAY))
        if other is not None and minutes not in there and not {":"} & set(span.of(claim) + other.of(premise)):
            return Mismatch(span.of(claim), other.of(premise))
    return None


def _unsupported(figure: NumberMention, claim: str, premise: str) -> Mismatch | None:
    found = matches(figure, premise)
    if figure.kind == "count" and figure.unit not in (None, "times"):
        same_noun = _counted(premise).get(figure.unit, ())
        # "one person" says no more than "a person", unless the source counts persons.
        if figure.value == 1 and not found and not same_noun:
            return None
        elsewhere = not any(o.unit in (None, "both", figure.unit) for o in found)
        if elsewhere and any(_one_sentence(premise, o, other) for o in found[:_FEW] for other in same_noun[:_FEW]):
            there = f"{same_noun[0].span.of(premise)} {figure.unit}"
            return Mismatch(figure_text(figure, claim), there)
    # "One of them" counts nothing; "(see 1)" does.
    is_pronoun = figure.kind == "count" and figure.value == 1 and not figure.span.of(claim)[:1].isdigit()
    if found or (is_pronoun and figure.unit is None):
        return None
    if _counts_itself(figure, claim) and not _counted(premise).get(figure.unit):
        return None
    if figure.unit == "times" and any(
        o.value == figure.value and noun is not None and stem(noun) in terms_of(claim)
        for noun, counted in _counted(premise).items()
        for o in counted
    ):
        return None  # "may visit four times" for "four visits"
    if _OLD.match(claim, figure.span.end) and any(
        o.value == figure.value and o.unit is None for o in source_figures(premise)
    ):
        return None  # "the 32-year-old" for "Colina, 32,"
    meant = nearest_figure(figure, source_figures(premise))
    if meant is None:
        return Mismatch(figure_text(figure, claim))
    return Mismatch(figure_text(figure, claim), figure_text(meant, premise))


def _counts_itself(figure: NumberMention, claim: str) -> bool:
    """Whether the claim lists as many items as it counts: "two friends, Ann and Bela"."""
    listed = _LISTED.match(claim, figure.span.end) if figure.kind == "count" and figure.high is None else None
    return listed is not None and 2 + listed[1].count(",") == figure.value


def _one_sentence(text: str, a: NumberMention, b: NumberMention) -> bool:
    low, high = sorted((a.span, b.span))
    return low.end <= high.start and _SENTENCE_END.search(text[low.end : high.start]) is None


@lru_cache(maxsize=16)
def _counted(premise: str) -> dict[str | None, tuple[NumberMention, ...]]:
    """What the source counts, by noun."""
    nouns: dict[str | None, list[NumberMention]] = {}
    for figure in source_figures(premise):
        if figure.kind == "count":
            nouns.setdefault(figure.unit, []).append(figure)
    return {noun: tuple(counted) for noun, counted in nouns.items()}


def _ordinal_differs(figure: NumberMention, claim: str, premise: str) -> Mismatch | None:
    """ "The third conviction" for the second; if the source has no ordinals, "a third party" is not one either."""
    if claim[figure.span.end : figure.span.end + 1] == "," and figure.unit is None:
        return None  # "Third, …" orders the claims themselves
    if figure.value == 1 and any(o.kind == "ordinal" and o.value > 1 for o in number_mentions(claim)):
        return None  # where there is a second offence there is a first
    source = source_figures(premise)
    known = {o.value for o in source if o.kind in ("ordinal", "duration") or o.unit is None}
    if figure.value in known or not any(o.kind == "ordinal" for o in source):
        return None
    return Mismatch(figure_text(figure, claim))


def _label_differs(claim: str, premise: str) -> Mismatch | None:
    there = {(thing.noun, thing.number) for thing in numbered_items(premise)}
    nouns = {noun for noun, _ in there}
    for thing in numbered_items(claim):
        if thing.noun in nouns and (thing.noun, thing.number) not in there:
            return Mismatch(f"{thing.noun} {thing.number}")
    return None


def _pointed_elsewhere(claim: str, premise: str) -> Mismatch | None:
    """ "(see 2)" is a reference, not a count, and must come from the source."""
    there = {match[1] for match in _POINTER.finditer(premise)}
    found = next((match for match in _POINTER.finditer(claim) if match[1] not in there), None)
    return Mismatch(found[0]) if found else None


def _rate_differs(claim: str, premise: str) -> Mismatch | None:
    there = _rates(premise)
    differing = next((rate for rate in _rates(claim) if there and rate not in there), None)
    return Mismatch(f"per {differing}", f"per {', per '.join(sorted(there))}") if differing else None


def _rate_dropped(claim: str, premise: str) -> Mismatch | None:
    """ "Ten rupees per day" is not "ten rupees": an amount that the source gives only as a rate."""
    if _EACH.search(claim) or _RATE.search(claim):
        return None
    for figure in number_mentions(claim):
        found = matches(figure, premise) if figure.kind in ("money", "percent") else ()
        rates = [_FOR_EACH.match(premise, other.span.end) for other in found]
        if found and all(rates) and (rate := rates[0]):
            return Mismatch(figure_text(figure, claim), f"{figure_text(found[0], premise)}{rate[0]}")
    return None


def _interval_fixed(claim: str, premise: str) -> Mismatch | None:
    """ "Every five years" for "at intervals not exceeding five years": a limit is not an interval."""
    for figure in number_mentions(claim):
        if figure.kind != "duration" or not _EVERY.search(claim, 0, figure.span.start):
            continue
        found = matches(figure, premise)
        if found and all(other.comparator not in ("exact", "about") for other in found):
            limit = figure_text(found[0], premise)
            stated = f"every {figure_text(figure, claim)}"
            return Mismatch(stated, limit, f'the claim says "{stated}", the source gives "{limit}" only as a limit')
    return None


def _formula_differs(claim: str, premise: str) -> Mismatch | None:
    """Powers and equations are compared sign by sign: the formula that begins as in the source and ends differently."""
    claimed, there = _OPERATOR.sub(r"\1", claim), _OPERATOR.sub(r"\1", premise)
    for found in _FORMULA.finditer(claimed):
        formula, signs = found[0].rstrip("."), "=" if found["sign"] == "=" else f"[{_RAISED}^]"
        if formula not in there and re.search(rf"(?<![\w.]){re.escape(found['head'])}{signs}", there):
            return Mismatch(formula)
    return None


def _rates(text: str) -> frozenset[str]:
    found = ((match["unit"] or match["word"]).lower() for match in _RATE.finditer(text))
    return frozenset(_RATES.get(word, word) for word in found)


def _identifier_missing(claim: str, premise: str) -> Mismatch | None:
    """Codes such as "H2O" or "Form 16A" must be in the source exactly, except for hyphens and case."""
    codes = [match for match in _IDENTIFIER.finditer(claim) if _is_code(match[0])]
    if not codes:
        return None
    spans = [span for _, span in references(claim)]
    spans += [mention.span for mention in (*number_mentions(claim), *dates(claim))]
    squashed = _squash(premise)
    for match in codes:
        code = match[0]
        if any(span.start < match.end() and match.start() < span.end for span in spans):
            continue
        if _squash(code).removesuffix("s") not in squashed:  # "two P60s" for "a P60"
            return Mismatch(code)
    return None


def _is_code(written: str) -> bool:
    if written.isalpha():
        return False
    return any(c.isdigit() for c in written) and (any(c.isalpha() for c in written) or ":" in written)


def _squash(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
