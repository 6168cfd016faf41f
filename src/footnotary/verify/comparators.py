"""Guard: what the source bounds ("up to", "at least", "before") the claim bounds in the same way."""

import re
from typing import Literal

from footnotary.text.dates import DateMention, dates
from footnotary.text.numerals import Figure, figures
from footnotary.verify.dates import given
from footnotary.verify.quantities import agree, matches

_WORDS = {
    "exact": "exactly", "at_most": "at most", "at_least": "at least", "less_than": "less than",
    "more_than": "more than", "about": "about",
}  # fmt: skip
_Side = Literal["before", "after", "on", "by"]
_BY = re.compile(r"\bby(?: the)?\s*$", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:(?<!not )\bbefore|\bprior to|\buntil|\btill|\bnot later than|\bno later than|\bup to|\bending on|\bwithin"
    r"|(?<!not )(?<!no )\bearlier than)(?: the)?\s*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:\bafter|\bsince|\bfrom|\bon or after|\bnot before|\bnot earlier than|\bno earlier than|\blater than"
    r"|\bfollowing|\bbeginning on|\bstarting on|\bwith effect from)(?: the)?\s*$",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:period|deadline|limit|limitation|window|target|time|timeline|(?:has|have|had|gets?|gives?|allows?)\s*$)\b",
    re.IGNORECASE,
)
_PENALTY = re.compile(r"\b(?:imprison|jail|prison|sentence|rigorous|suspension|suspend)", re.IGNORECASE)
_LEAD = 80
_REACH = 40
_MANY = 50


def comparators_disagree(claim: str, premise: str) -> str | None:
    """What the claim bounds otherwise than the source, or None.

    "Up to seven years" is neither "seven years" nor "at least seven years", and "more than 500" is not "500 or
    more"; "within 60 days" is "no later than 60 days". Figures the source does not have are another guard's matter.
    """
    for figure in figures(claim):
        if figure.kind == "ordinal":
            continue
        found = matches(figure, premise)
        if found and not any(agree(figure, other) or _is_limit(figure, other, claim) for other in found):
            return f"the claim says {_said(figure, claim)}, the source {_said(found[0], premise)}"
    for mention in dates(claim):
        sides: set[_Side] = {_side(premise, other) for other in given(mention, premise)[:_MANY]}
        side = _side(claim, mention)
        if sides and not any(_compatible(side, other, mention) for other in sides):
            return f"the claim says {side} {mention}, the source {' or '.join(sorted(sides))} {mention}"
    return None


def _is_limit(figure: Figure, other: Figure, claim: str) -> bool:
    """Whether the claim calls the figure a time to keep, in words of its own: "the return period is ten days"."""
    if figure.kind != "duration" or figure.comparator != "exact" or other.comparator != "at_most":
        return False
    lead = claim[max(0, figure.span.start - _LEAD) : figure.span.start]
    return _LIMIT.search(lead) is not None and _PENALTY.search(claim) is None


def _compatible(side: _Side, other: _Side, mention: DateMention) -> bool:
    if side == "by":
        return other in ("before", "on")
    # "from 1 May" and "on 1 May" name one beginning; "by 2023" and "in 2023" are too vague to hold apart.
    return (
        side == other
        or {side, other} in ({"on", "after"}, {"by", "before"})
        or ("on" in (side, other) and mention.day is None)
    )


def _said(figure: Figure, text: str) -> str:
    amount = " ".join(figure.span.of(text).split())
    return amount if figure.high is not None else f"{_WORDS[figure.comparator]} {amount}"


def _side(text: str, mention: DateMention) -> _Side:
    lead = text[max(0, mention.span.start - _REACH) : mention.span.start]
    if _BY.search(lead):
        return "by"
    if _BEFORE.search(lead):
        return "before"
    return "after" if _AFTER.search(lead) else "on"
