"""Guard: every figure of a claim stands in the source, with its unit, for the same thing."""

import re
from dataclasses import dataclass

from footnotary.text.dates import dates
from footnotary.text.numerals import Figure, figures
from footnotary.text.references import numbered_things, references
from footnotary.text.tokens import content_terms
from footnotary.verify.quantities import matches, nearest, source_figures

# Ordinals that name a thing and count nothing.
_IDIOMS = re.compile(
    r"\b(?:third[- ](?:part(?:y|ies)|persons?)|first[- ](?:aid|information|instance|place|schedule|class|degree|hand)"
    r"|second[- ](?:hand|class|schedule)|at first|second to|first of all|first-time)\b",
    re.IGNORECASE,
)
_RATE = re.compile(
    r"\b(?:(?:per|each|every|a)\s(?P<unit>hour|day|week|fortnight|month|quarter|year|annum)"
    r"|(?P<word>hourly|daily|weekly|fortnightly|monthly|quarterly|yearly|annually|annual))\b",
    re.IGNORECASE,
)
_RATES = {"hourly": "hour", "daily": "day", "weekly": "week", "fortnightly": "fortnight", "monthly": "month"} | {
    "quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year", "annum": "year",
}  # fmt: skip
_IDENTIFIER = re.compile(r"[A-Za-z0-9]+(?:[-_:.][A-Za-z0-9]+)*")
_BREAK = re.compile(r"[,;:()।]|\.\s|\band\b|\bor\b|\bbut\b|\bwhile\b|और|या|तथा")
_SENTENCE_END = re.compile(r"[;।\n]|\.\s(?=[A-Z(\"])")
_REACH = 160
# Words of bounds, periods and penalties in general that say nothing about which figure is meant.
_PLAIN = frozenset(
    content_terms(
        "term period sum amount extend extending exceed exceeding maximum minimum least most more less than up within"
        " total least punished punishable punishment shall may liable either description years year months days rupees"
        " day month sentence penalty age limit not later before after case person whoever one following least longer"
        " fewer greater over under also can must given get face time"
    )
)
_SAME = {stem: "imprison" for word in ("jail", "prison", "imprisonment", "imprisoned") for stem in content_terms(word)}


def numbers_disagree(claim: str, premise: str) -> str | None:
    """What the claim counts or measures that the source does not, or None.

    Values are compared as amounts, so "one lakh rupees" rests on "Rs. 1,00,000"; figures the claim works out itself
    rest on nothing. Numbers of provisions support no amount.
    """
    source = source_figures(premise)
    for figure in figures(claim):
        if figure.kind == "ordinal":
            found = _ordinal_differs(figure, claim, source)
        else:
            found = _unsupported(figure, claim, premise, source) or _bound_elsewhere(figure, claim, premise, source)
        if found is not None:
            return found
    return _label_differs(claim, premise) or _rate_differs(claim, premise) or _identifier_missing(claim, premise)


def _unsupported(figure: Figure, claim: str, premise: str, source: tuple[Figure, ...]) -> str | None:
    found = matches(figure, premise)
    same_noun = [o for o in source if o.kind == "count" and o.unit == figure.unit]
    if figure.kind == "count" and figure.unit not in (None, "times"):
        # "one person" says no more than "a person", unless the source counts persons.
        if figure.value == 1 and not found and not same_noun:
            return None
        told_apart = any(_one_sentence(premise, o, other) for o in found for other in same_noun)
        if told_apart and not any(o.unit in (None, "both", figure.unit) for o in found):
            return f"the claim says {_said(figure, claim)}, the source {same_noun[0].span.of(premise)} {figure.unit}"
    if found or (figure.kind == "count" and figure.value == 1 and figure.unit is None):
        return None
    meant = nearest(figure, source)
    if meant is None:
        return f"the claim says {_said(figure, claim)}, which the source does not"
    return f"the claim says {_said(figure, claim)}, the source {_said(meant, premise)}"


def _one_sentence(text: str, a: Figure, b: Figure) -> bool:
    low, high = sorted((a.span, b.span))
    return low.end <= high.start and _SENTENCE_END.search(text[low.end : high.start]) is None


def _said(figure: Figure, text: str) -> str:
    said = " ".join(figure.span.of(text).split())
    noun = figure.unit if figure.kind in ("count", "ordinal") and figure.unit not in (None, "times") else None
    return f"{said} {noun}" if noun and noun not in said else said


def _ordinal_differs(figure: Figure, claim: str, source: tuple[Figure, ...]) -> str | None:
    if claim[figure.span.end : figure.span.end + 1] == "," and figure.unit is None:
        return None  # "Third, …" orders the claims themselves
    around = claim[max(0, figure.span.start - 10) : figure.span.end + 15]
    if _IDIOMS.search(around):
        return None
    ordinals = [o for o in source if o.kind == "ordinal"]
    same = any(o.value == figure.value for o in source if o.kind in ("ordinal", "duration") or o.unit is None)
    if same or (not ordinals and figure.value < 3):
        return None
    return f"the claim says {_said(figure, claim)}, which the source does not"


@dataclass(frozen=True, slots=True)
class _Context:
    """The words that say what a figure is about: those it hangs on, and all that stand near it."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    near: frozenset[str]


def _context(text: str, figure: Figure, others: tuple[Figure, ...]) -> _Context:
    start, end = figure.span.start, figure.span.end
    low = max([o.span.end for o in others if o.span.end <= start] + [start - _REACH, 0])
    high = min([o.span.start for o in others if o.span.start >= end] + [end + _REACH, len(text)])
    before, after = text[low:start], text[end:high]
    if ends := list(_SENTENCE_END.finditer(before)):
        before = before[ends[-1].end() :]
    if cut := _BREAK.search(after):
        after = after[: cut.start()]
    breaks = list(_BREAK.finditer(before))
    last = before[breaks[-1].end() :] if breaks else before
    return _Context(_terms(last)[-3:], _terms(after), frozenset(_terms(before)) | frozenset(_terms(after)))


def _terms(text: str) -> tuple[str, ...]:
    return tuple(
        _SAME.get(term, term)
        for term in content_terms(text)
        if term not in _PLAIN and not any(char.isdigit() for char in term)
    )


def _bound_elsewhere(figure: Figure, claim: str, premise: str, source: tuple[Figure, ...]) -> str | None:
    """Whether the source gives this amount for one thing and the claim for another that has its own amount there.

    Only a word that the source ties to another figure, and not to this one, counts against the claim.
    """
    found = matches(figure, premise)
    rivals = [o for o in source if o not in found and o.kind in ("duration", "money", "percent")]
    if not found or not rivals or figure.kind not in ("duration", "money", "percent"):
        return None
    own = _context(claim, figure, figures(claim))
    near = frozenset(term for o in found for term in _context(premise, o, figures(premise)).near)
    strange = [term for term in own.before if term not in near]
    if not strange:
        return None
    near_too = any(term in near for term in own.before)
    for rival in rivals:
        context = _context(premise, rival, figures(premise))
        if near_too and rival.kind != figure.kind:
            continue
        ties = context.before if near_too else (*context.before, *context.after)
        tied = next((term for term in strange if term in ties), None)
        if tied is not None:
            return f"the claim ties {_said(figure, claim)} to what the source ties to {_said(rival, premise)} ({tied})"
    return None


def _label_differs(claim: str, premise: str) -> str | None:
    there = {(thing.noun, thing.number) for thing in numbered_things(premise)}
    nouns = {noun for noun, _ in there}
    for thing in numbered_things(claim):
        if thing.noun in nouns and (thing.noun, thing.number) not in there:
            return f"the claim says {thing.noun} {thing.number}, which the source does not name"
    return None


def _rate_differs(claim: str, premise: str) -> str | None:
    claimed, there = _rates(claim), _rates(premise)
    for rate in claimed:
        if there and rate not in there:
            return f"the claim says per {rate}, the source per {', per '.join(sorted(there))}"
    return None


def _rates(text: str) -> frozenset[str]:
    found = ((match["unit"] or match["word"]).lower() for match in _RATE.finditer(text))
    return frozenset(_RATES.get(word, word) for word in found)


def _identifier_missing(claim: str, premise: str) -> str | None:
    """Codes such as "H2O" or "Form 16A" stand in the source as they are, hyphens and case aside."""
    spans = [span for _, span in references(claim)] + [f.span for f in figures(claim)] + [d.span for d in dates(claim)]
    squashed = _squash(premise)
    for match in _IDENTIFIER.finditer(claim):
        code = match[0]
        if not (any(c.isdigit() for c in code) and (any(c.isalpha() for c in code) or ":" in code)):
            continue
        if any(span.start < match.end() and match.start() < span.end for span in spans):
            continue
        if _squash(code) not in squashed:
            return f"the claim says {code}, which the source does not"
    return None


def _squash(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
