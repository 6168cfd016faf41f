"""Check: the source has every date of a claim, at least as exactly as the claim gives it."""

from functools import lru_cache
from itertools import product

from footnotary.text.dates.mentions import DateMention, dates, months_named
from footnotary.text.numbers.quantities import number_mentions
from footnotary.text.tokens import words
from footnotary.verify.exact.mismatch import Mismatch

_NAME_WORDS = 2
_REACH = 60


def dates_disagree(claim: str, premise: str) -> Mismatch | None:
    """The date of the claim that the source does not give, or None.

    A claim may say less ("in January 1950" for "26 January 1950"), never more or other. A year inside a name ("the
    Penal Code, 1860") is compared only with a year that follows the same name in the source.
    """
    for mention in dates(claim):
        if (mention.year, mention.month, mention.day) in _less_exact(premise):
            continue
        if mention.in_name:
            name = _name(claim, mention)
            other = _dates_by_name(premise).get(name)
            if other is not None:
                return Mismatch(f"{' '.join(name)} {mention}", str(other))
            continue
        if mention.month and mention.year and _given_apart(mention, premise):
            continue
        if mention.month is None and mention.day is None and mention.year in _numbers(premise):
            continue
        if mention.year is None and mention.day is None and mention.month in months_named(premise):
            continue
        first = next(iter(dates(premise)), None)
        return Mismatch(str(mention), str(first or ""))
    return None


@lru_cache(maxsize=16)
def _less_exact(premise: str) -> frozenset[tuple[int | None, int | None, int | None]]:
    """Every date of a source, also with one or two of its parts left out."""
    given = (product((d.year, None), (d.month, None), (d.day, None)) for d in dates(premise))
    return frozenset(parts for each in given for parts in each)


def _given_apart(mention: DateMention, premise: str) -> bool:
    """ "In 2020 … on 1 May": the source gives the day without a year, and the year elsewhere."""
    apart = {(d.month, d.day) for d in dates(premise) if d.year is None}
    apart |= {(month, None) for month, _ in apart}
    return (mention.year, None, None) in _less_exact(premise) and (mention.month, mention.day) in apart


@lru_cache(maxsize=16)
def _dates_by_name(premise: str) -> dict[tuple[str, ...], DateMention]:
    return {_name(premise, mention): mention for mention in dates(premise) if mention.year is not None}


@lru_cache(maxsize=16)
def _numbers(premise: str) -> frozenset[object]:
    return frozenset(figure.value for figure in number_mentions(premise))


def _name(text: str, mention: DateMention) -> tuple[str, ...]:
    before = [word for word in words(text[max(0, mention.span.start - _REACH) : mention.span.start]) if word != "of"]
    return tuple(before[-_NAME_WORDS:])
