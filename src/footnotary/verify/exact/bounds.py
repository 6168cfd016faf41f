"""Guard: what the source bounds ("up to", "at least", "before") the claim bounds in the same way."""

import re
from functools import lru_cache
from typing import Literal

from footnotary.text.dates.mentions import DateMention, dates
from footnotary.text.numbers.quantities import NumberMention, number_mentions
from footnotary.verify.exact.dates import matching_dates
from footnotary.verify.exact.number_matching import bounds_agree, matches

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
    r"\b(?:period|deadline|limit|limitation|window|target|time|timeline)\b|\b(?:has|have|had|gets?|gives?|allows?|every|each)\s*$",
    re.IGNORECASE,
)
_LIMIT_AFTER = re.compile(r"[\s-]*(?:period|limit|deadline|window|time)\b", re.IGNORECASE)
_CALLED_LIMIT = re.compile(
    r"\s+(?:is|are) the (?:most|maximum|limit|ceiling|(?:upper|highest|top) (?:limit|weight|amount))\b", re.IGNORECASE
)
_PENALTY = re.compile(r"\b(?:imprison|jail|prison|sentence|rigorous|suspension|suspend)", re.IGNORECASE)
_PICK = re.compile(r"\bwhichever\b|\b(?:higher|lower|greater|lesser|larger|smaller|later|earlier) of\b", re.IGNORECASE)
_BEFORE_IT = re.compile(r"\s+(?:before|prior to|ahead of)\b")
_NOT_WITHIN = re.compile(
    r"\b(?:not|fails?|failed|unable|unless)\b[^.;,]*\bwithin\s+(?:a period of\s+)?$", re.IGNORECASE
)
_ONCE = re.compile(r"\b(?:once|on completing|after completing|having|took|takes|lasted)\b", re.IGNORECASE)
_IN = re.compile(r"\bin\s+(?:the\s+\w+\s+)?$", re.IGNORECASE)
_LEAD = 80
_REACH = 40
_MANY = 50


def comparators_disagree(claim: str, premise: str) -> str | None:
    """What the claim bounds otherwise than the source, or None.

    "Up to seven years" is neither "seven years" nor "at least seven years", and "more than 500" is not "500 or
    more"; "within 60 days" is "no later than 60 days". Figures the source does not have are another guard's matter.
    """
    for figure in number_mentions(claim):
        if figure.kind == "ordinal":
            continue
        found = matches(figure, premise)
        if found and not any(_bounded_alike(figure, other, claim, premise) for other in found):
            return f"the claim says {_said(figure, claim)}, the source {_said(found[0], premise)}"
    for mention in dates(claim):
        sides: set[_Side] = {_side(premise, other) for other in matching_dates(mention, premise)[:_MANY]}
        side = _side(claim, mention)
        if sides and not any(_compatible(side, other, mention) for other in sides):
            return f"the claim says {side} {mention}, the source {' or '.join(sorted(sides))} {mention}"
    return None


def _bounded_alike(figure: NumberMention, other: NumberMention, claim: str, premise: str) -> bool:
    if bounds_agree(figure, other) or _is_limit(figure, other, claim) or _shares(figure, other, claim):
        return True
    bounds = {figure.comparator, other.comparator}
    if bounds == {"at_most", "at_least"}:  # "no later than a month before" is "at least a month before"
        return all(_BEFORE_IT.match(text, f.span.end) for f, text in ((figure, claim), (other, premise)))
    if bounds == {"more_than", "at_most"}:  # "still unpaid after a month" is "not paid within a month"
        return _is_denied(other, premise) != _is_denied(figure, claim)
    if bounds == {"at_most", "exact"} and _IN.search(claim[: figure.span.start][-_LEAD:]):
        return True  # "the first in thirteen years"
    return figure.kind == "duration" and bounds == {"exact", "more_than"} and _ONCE.search(claim) is not None


def _is_denied(figure: NumberMention, text: str) -> bool:
    lead = text[max(0, figure.span.start - _LEAD) : figure.span.start]
    return figure.comparator == "at_most" and _NOT_WITHIN.search(lead) is not None


def _is_limit(figure: NumberMention, other: NumberMention, claim: str) -> bool:
    """Whether the claim calls the figure a time to keep, in words of its own: "the return period is ten days"."""
    if figure.comparator != "exact" or other.comparator != "at_most":
        return False
    if _CALLED_LIMIT.match(claim, figure.span.end) is not None:
        return True  # "eight kilos is the upper limit"
    if figure.kind != "duration":
        return False
    lead = claim[max(0, figure.span.start - _LEAD) : figure.span.start]
    named = _LIMIT.search(lead) is not None or _LIMIT_AFTER.match(claim, figure.span.end) is not None
    return named and _PENALTY.search(claim) is None


def _shares(figure: NumberMention, other: NumberMention, claim: str) -> bool:
    """Whether a second amount shares the bound of the first: "up to 4 % or one crore rupees, whichever is higher"."""
    if figure.comparator != "exact" or _PICK.search(claim) is None:
        return False
    return other.comparator == "at_most" and ("maximum" in claim or _bounds_one(claim))


@lru_cache(maxsize=16)
def _bounds_one(claim: str) -> bool:
    return any(figure.comparator == "at_most" for figure in number_mentions(claim))


def _compatible(side: _Side, other: _Side, mention: DateMention) -> bool:
    # "from 1 May" and "on 1 May" name one beginning; "by 2023" and "in 2023" are too vague to hold apart.
    met: set[_Side] = {side, other}
    if len(met) == 1 or met in ({"on", "after"}, {"by", "before"}, {"by", "on"}):
        return True
    return "on" in met and mention.day is None


def _said(figure: NumberMention, text: str) -> str:
    amount = " ".join(figure.span.of(text).split())
    return amount if figure.high is not None else f"{_WORDS[figure.comparator]} {amount}"


def _side(text: str, mention: DateMention) -> _Side:
    lead = text[max(0, mention.span.start - _REACH) : mention.span.start]
    if _BY.search(lead):
        return "by"
    if _BEFORE.search(lead):
        return "before"
    return "after" if _AFTER.search(lead) else "on"
