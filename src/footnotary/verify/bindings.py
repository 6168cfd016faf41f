"""Whether a claim ties an amount to the thing its source ties it to."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.numerals import Figure, figures
from footnotary.text.tokens import content_terms
from footnotary.verify.quantities import matches, said

_KINDS = ("duration", "money", "percent")
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


def bound_elsewhere(figure: Figure, claim: str, premise: str) -> str | None:
    """What shows that the source gives this amount for something else, or None.

    Only a word that the source ties to another amount, and nowhere to this one, counts against the claim.
    """
    if figure.kind not in _KINDS:
        return None
    near = _near(replace(figure, span=Span(0, 0)), premise)
    own = _contexts(claim)[figure.span]
    strange = [term for term in own.before if term not in near]
    near_too = len(strange) < len(own.before)
    for term in strange if near else ():
        for rival, before in _ties(premise).get(term, ()):
            if near_too and (rival.kind != figure.kind or not before):
                continue
            if rival not in matches(figure, premise):
                return (
                    f"the claim ties {said(figure, claim)} to what the source ties to {said(rival, premise)} ({term})"
                )
    return None


@lru_cache(maxsize=512)
def _near(figure: Figure, premise: str) -> frozenset[str]:
    """All words the source has near this amount."""
    contexts = _contexts(premise)
    found = (contexts.get(other.span) for other in matches(figure, premise))
    return frozenset(term for context in found if context for term in context.near)


@lru_cache(maxsize=16)
def _ties(premise: str) -> dict[str, tuple[tuple[Figure, bool], ...]]:
    """For each word the different amounts it is tied to, and whether it stands before them."""
    ties: dict[str, dict[tuple[object, ...], tuple[Figure, bool]]] = {}
    contexts = _contexts(premise)
    for figure in figures(premise):
        if figure.kind in _KINDS:
            context = contexts[figure.span]
            for term, before in [*((t, True) for t in context.before), *((t, False) for t in context.after)]:
                amount = (figure.value, figure.high, figure.unit, before)
                ties.setdefault(term, {}).setdefault(amount, (figure, before))
    return {term: tuple(tied.values()) for term, tied in ties.items()}


@dataclass(frozen=True, slots=True)
class Context:
    """The words that say what a figure is about: those it hangs on, and all that stand near it."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    near: frozenset[str]


@lru_cache(maxsize=16)
def _contexts(text: str) -> dict[Span, Context]:
    """The context of every figure: it reaches to the figures on either side, and not beyond a sentence."""
    found = figures(text)
    bounds = [0, *(figure.span.end for figure in found)], [*(figure.span.start for figure in found[1:]), len(text)]
    return {
        figure.span: _context(text, figure.span, low, high) for figure, low, high in zip(found, *bounds, strict=False)
    }


def _context(text: str, span: Span, low: int, high: int) -> Context:
    start, end = span.start, span.end
    low, high = max(low, start - _REACH), min(high, end + _REACH)
    before, after = text[low:start], text[end:high]
    if ends := list(_SENTENCE_END.finditer(before)):
        before = before[ends[-1].end() :]
    if cut := _BREAK.search(after):
        after = after[: cut.start()]
    breaks = list(_BREAK.finditer(before))
    last = before[breaks[-1].end() :] if breaks else before
    return Context(_terms(last)[-3:], _terms(after), frozenset(_terms(before)) | frozenset(_terms(after)))


def _terms(text: str) -> tuple[str, ...]:
    return tuple(
        _SAME.get(term, term)
        for term in content_terms(text)
        if term not in _PLAIN and not any(char.isdigit() for char in term)
    )
