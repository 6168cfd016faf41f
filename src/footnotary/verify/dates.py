"""Guard: every date of a claim stands in the source, as exactly as the claim gives it."""

from footnotary.text.dates import DateMention, dates
from footnotary.text.numerals import figures
from footnotary.text.tokens import words

_NAME_WORDS = 2


def dates_disagree(claim: str, premise: str) -> str | None:
    """The date of the claim that the source does not give, or None.

    A claim may say less ("in January 1950" for "26 January 1950"), never more or other. A year inside a name
    ("the Penal Code, 1860") is held only against a year the source puts behind the same name.
    """
    there = dates(premise)
    years = {mention.year for mention in there}
    for mention in dates(claim):
        if any(same_date(mention, other) for other in there):
            continue
        if mention.in_name:
            name = _name(claim, mention)
            others = [other for other in there if other.year and _name(premise, other) == name]
            if others:
                return f"the claim says {' '.join(name)} {mention}, the source {others[0]}"
            continue
        day_and_month = DateMention(None, mention.month, mention.day, mention.span)
        if mention.month and mention.year in years and any(_equal(day_and_month, other) for other in there):
            continue
        if _is_bare_year(mention) and any(f.value == mention.year for f in figures(premise)):
            continue
        return f"the claim says {mention}, which the source does not" + (f" ({there[0]})" if there else "")
    return None


def same_date(claimed: DateMention, given: DateMention) -> bool:
    """Whether `given` says all that `claimed` says."""
    return all(
        wanted is None or wanted == there
        for wanted, there in (
            (claimed.year, given.year), (claimed.month, given.month), (claimed.day, given.day),
        )
    )  # fmt: skip


def _equal(a: DateMention, b: DateMention) -> bool:
    return b.year is None and (a.month, a.day) == (b.month, b.day)


def _is_bare_year(mention: DateMention) -> bool:
    return mention.month is None and mention.day is None


def _name(text: str, mention: DateMention) -> tuple[str, ...]:
    before = [word for word in words(text[max(0, mention.span.start - 60) : mention.span.start]) if word != "of"]
    return tuple(before[-_NAME_WORDS:])
