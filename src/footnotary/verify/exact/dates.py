"""Guard: every date of a claim stands in the source, as exactly as the claim gives it."""

import re
from functools import lru_cache
from itertools import product

from footnotary.text.dates.mentions import DateMention, dates, months_named
from footnotary.text.numbers.quantities import number_mentions
from footnotary.text.tokens import terms_of, words

_NAME_WORDS = 2
_REACH = 60
_OF_ACCOUNT = re.compile(
    r"\b(?:(?:fiscal|financial|tax|assessment|accounting)(?: year)?|FY|F\.Y\.)\s"
    r"(?P<year>\d{4})\s?[-–/]\s?(?:\d{4}|\d\d)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"\b(?:beg[aiu]n|begin(?:s|ning)?|start(?:s|ed|ing)?|from|since|commenc(?:es|ed|ing)|opened)\b")


def dates_disagree(claim: str, premise: str) -> str | None:
    """The date of the claim that the source does not give, or None.

    A claim may say less ("in January 1950" for "26 January 1950"), never more or other, and not of something the
    source has no word of. A year inside a name ("the Penal Code, 1860") is held only against a year the source puts
    behind the same name.
    """
    for mention in dates(claim):
        if found := _by_parts(premise).get((mention.year, mention.month, mention.day)):
            if not mention.in_name and not any(other.in_name for other in found) and _has_nothing_else(claim, premise):
                return f"the claim says of {mention} what the source says nothing of"
            if (year := _year_of_account(mention, found, claim, premise)) is not None:
                return f"the claim says {mention}, the source {year}"
            continue
        if mention.in_name:
            name = _name(claim, mention)
            other = _named(premise).get(name)
            if other is not None:
                return f"the claim says {' '.join(name)} {mention}, the source {other}"
            continue
        if mention.month and mention.year and _given_apart(mention, premise):
            continue
        if mention.month is None and mention.day is None and mention.year in _numbers(premise):
            continue
        if mention.year is None and mention.day is None and mention.month in months_named(premise):
            continue
        first = next(iter(dates(premise)), None)
        return f"the claim says {mention}, which the source does not" + (f" ({first})" if first else "")
    return None


def _year_of_account(mention: DateMention, found: tuple[DateMention, ...], claim: str, premise: str) -> str | None:
    """The year of account of which the claim makes a calendar year: "in 2020" for "in the fiscal year 2020-21".

    It begins in that year, which a claim may say.
    """
    if mention.month is not None or _span_of_years(claim, mention) or _BEGINS.search(claim.lower()):
        return None
    accounts = {match.start("year"): match[0] for match in _OF_ACCOUNT.finditer(premise)}
    named = [accounts.get(other.span.start) for other in found]
    return named[0] if all(named) else None


def _span_of_years(text: str, mention: DateMention) -> bool:
    return re.match(r"\d{4}\s?(?:[-–/]|to\b)", text[mention.span.start :]) is not None


def _has_nothing_else(claim: str, premise: str) -> bool:
    """Whether the two share no word beside the date, though they are in one script."""
    rest, start = "", 0
    for mention in dates(claim):
        rest, start = rest + claim[start : mention.span.start] + " ", mention.span.end
    ours, theirs = terms_of(rest + claim[start:]), terms_of(premise)
    return ours.isdisjoint(theirs) and bool(set(map(str.isascii, ours)) & set(map(str.isascii, theirs)))


@lru_cache(maxsize=16)
def _by_parts(premise: str) -> dict[tuple[int | None, int | None, int | None], tuple[DateMention, ...]]:
    index: dict[tuple[int | None, int | None, int | None], list[DateMention]] = {}
    for mention in dates(premise):
        for parts in set(product((mention.year, None), (mention.month, None), (mention.day, None))):
            index.setdefault(parts, []).append(mention)
    return {parts: tuple(mentions) for parts, mentions in index.items()}


def _given_apart(mention: DateMention, premise: str) -> bool:
    """ "In 2020 … on 1 May": the day stands without a year, and the year elsewhere."""
    index = _by_parts(premise)
    days = index.get((None, mention.month, mention.day), ())
    return (mention.year, None, None) in index and any(day.year is None for day in days)


@lru_cache(maxsize=16)
def _named(premise: str) -> dict[tuple[str, ...], DateMention]:
    return {_name(premise, mention): mention for mention in dates(premise) if mention.year is not None}


@lru_cache(maxsize=16)
def _numbers(premise: str) -> frozenset[object]:
    return frozenset(figure.value for figure in number_mentions(premise))


def _name(text: str, mention: DateMention) -> tuple[str, ...]:
    before = [word for word in words(text[max(0, mention.span.start - _REACH) : mention.span.start]) if word != "of"]
    return tuple(before[-_NAME_WORDS:])
