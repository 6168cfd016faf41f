"""Whether a claim ties an amount to the thing its source ties it to."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from footnotary.domain.identity import Span
from footnotary.text.numbers.quantities import NumberMention, number_mentions
from footnotary.text.numbers.units import in_common_unit
from footnotary.text.tokens import content_terms, stem, words
from footnotary.verify.exact.number_matching import figure_text, matches

_Side = Literal["before", "after"]
_KINDS = ("duration", "money", "percent")
_BREAK = re.compile(r"[,;:()।]|\.\s|\band\b|\bor\b|\bbut\b|\bwhile\b|और|या|तथा")
_SENTENCE_END = re.compile(r"[;।\n]|\.\s(?=[A-Z(\"])")
_JOINT = re.compile(r",? (?:and|but|while|whereas|or) ")
_FEW = 8
_MOST = 30
_TELLING = 2
_REACH = 160
_SENTENCE = 600
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


@dataclass(frozen=True, slots=True)
class AmountContext:
    """The words that say what a figure is about: those it hangs on, all that stand near it, and words side by side."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    near: frozenset[str]
    pairs: frozenset[tuple[str, str]]


def amount_bound_elsewhere(figure: NumberMention, claim: str, premise: str) -> str | None:
    """What shows that the source gives this amount for something else, or None.

    Only a word that the source ties to another amount, and nowhere to this one, counts against the claim.
    """
    if not _binds(figure):
        return None
    near = _near(replace(figure, span=Span(0, 0)), premise)
    own = _contexts(claim)[figure.span]
    strange = [term for term in own.before if term not in near]
    at_home = any(term in near for term in (*own.before, *own.after))
    found = matches(figure, premise)
    for term in strange if near else ():
        for rival, side in _ties(premise).get(term, ()):
            if rival in found or (rival.kind != figure.kind and (at_home or _leads(term, rival, found, premise))):
                continue
            if figure.kind == "count" and not _stands_for(own, rival, found, premise):
                continue
            if at_home and side == "before" and not _modifies(term, own, near, rival, found, premise):
                continue
            own_text, rival_text = figure_text(figure, claim), figure_text(rival, premise)
            return f"the claim ties {own_text} to what the source ties to {rival_text} ({term})"
    return _in_other_part(figure, found, claim, premise)


def _in_other_part(figure: NumberMention, found: tuple[NumberMention, ...], claim: str, premise: str) -> str | None:
    """What the claim says of the amount, where a part of the source with another amount says it and its own does not.

    Words before the first amount of a sentence may hold for the later ones too, so an earlier part of one sentence
    proves nothing.
    """
    if figure.kind not in _KINDS or len(number_mentions(claim)) > _MOST or len(number_mentions(premise)) > _MOST:
        return None  # a list of figures ties none of them to words
    source = [f for f in number_mentions(premise) if _alike(f, figure)]
    ours = [f for f in number_mentions(claim) if _alike(f, figure)]
    own = [f for f in source if f in found]
    if len(ours) > 1 or not own or len(own) == len(source):
        return None
    parts = _parts(premise, source)
    said_here = frozenset(_terms(claim))
    held = frozenset(term for f in own for term in _terms(parts[f.span]))
    for rival in source:
        if rival in own or any(rival.span < o.span and _one_sentence(premise, rival, o) for o in own):
            continue
        other = frozenset(_terms(parts[rival.span]))
        if len(said_here & other - held) >= _TELLING and not said_here & held - other:
            return (
                f"the claim says of {figure_text(figure, claim)} what the source says of {figure_text(rival, premise)}"
            )
    return None


def _alike(one: NumberMention, other: NumberMention) -> bool:
    """Whether two figures measure the same: years and months do, years and minutes do not."""
    return (
        one.kind == other.kind and in_common_unit(one.value, one.unit)[0] == in_common_unit(other.value, other.unit)[0]
    )


def _parts(text: str, found: list[NumberMention]) -> dict[Span, str]:
    """The text cut into one part for each figure: between sentences, else at the last joint between two figures."""
    parts: dict[Span, str] = {}
    start = 0
    for here, following in zip(found, [*found[1:], None], strict=True):
        end = following.span.start if following else len(text)
        gap = text[here.span.end : end]
        ends = [match.end() for match in _SENTENCE_END.finditer(gap)]
        joints = [match.start() for match in _JOINT.finditer(gap)] if following else []
        cut = ends[0] if ends else joints[-1] if joints else len(gap)
        lead = text[start : here.span.start]
        opening = [match.end() for match in _SENTENCE_END.finditer(lead)]
        parts[here.span] = (lead[opening[-1] :] if opening else lead) + " " + gap[:cut]
        start = here.span.end + cut
    return parts


def _leads(term: str, rival: NumberMention, found: tuple[NumberMention, ...], premise: str) -> bool:
    """Whether the amount stands in a sentence about the word: it comes first there, or the other amount does not."""
    for other in found[:_FEW]:
        together = _one_sentence(premise, *sorted((rival, other), key=lambda f: f.span))
        before = premise[max(0, other.span.start - _SENTENCE) : other.span.start]
        ends = list(_SENTENCE_END.finditer(before))
        terms = _terms(before[ends[-1].end() :] if ends else before)
        if term in (terms[:1] if together else terms):
            return True
    return False


def _binds(figure: NumberMention) -> bool:
    return figure.kind in _KINDS or (figure.kind == "count" and figure.unit is None)


def _stands_for(own: AmountContext, rival: NumberMention, found: tuple[NumberMention, ...], premise: str) -> bool:
    """Whether all that a bare number hangs on belongs to another one of the same sentence: "d = 3" beside "a = 2"."""
    theirs = _contexts(premise)[rival.span].before
    beside = any(_one_sentence(premise, *sorted((rival, o), key=lambda f: f.span)) for o in found[:_FEW])
    return beside and all(term in theirs for term in own.before)


def _modifies(
    term: str,
    own: AmountContext,
    near: frozenset[str],
    rival: NumberMention,
    found: tuple[NumberMention, ...],
    premise: str,
) -> bool:
    """Whether claim and source both have `term` right before one noun, as "simple" before "imprisonment".

    Words before the first amount of a sentence may hold for the later ones too ("a normal day is nine hours for an
    adult and four for a child"); there the noun must stand with both amounts.
    """
    theirs = _contexts(premise)[rival.span].pairs
    shared = any(rival.span.end <= o.span.start and _one_sentence(premise, rival, o) for o in found[:_FEW])
    nouns = [noun for first, noun in own.pairs if first == term and (first, noun) in theirs]
    return any(noun in near or not shared for noun in nouns)


def _one_sentence(text: str, low: NumberMention, high: NumberMention) -> bool:
    return _SENTENCE_END.search(text[low.span.end : high.span.start]) is None


@lru_cache(maxsize=512)
def _near(figure: NumberMention, premise: str) -> frozenset[str]:
    """All words the source has near this amount."""
    contexts = _contexts(premise)
    found = (contexts.get(other.span) for other in matches(figure, premise))
    return frozenset(term for context in found if context for term in context.near)


@lru_cache(maxsize=16)
def _ties(premise: str) -> dict[str, tuple[tuple[NumberMention, _Side], ...]]:
    """For each word the different amounts it is tied to, and on which side of them it stands."""
    ties: dict[str, dict[tuple[object, ...], tuple[NumberMention, _Side]]] = {}
    contexts = _contexts(premise)
    for figure in number_mentions(premise):
        if not _binds(figure):
            continue
        context = contexts[figure.span]
        sides: tuple[tuple[_Side, tuple[str, ...]], ...] = (("before", context.before), ("after", context.after))
        for side, terms in sides:
            for term in terms:
                amount = (figure.value, figure.high, figure.unit, side)
                ties.setdefault(term, {}).setdefault(amount, (figure, side))
    return {term: tuple(tied.values()) for term, tied in ties.items()}


@lru_cache(maxsize=16)
def _contexts(text: str) -> dict[Span, AmountContext]:
    """The context of every figure: it reaches to the figures on either side, and not beyond a sentence."""
    found = [figure for figure in number_mentions(text) if figure.kind != "ordinal"]
    bounds = [0, *(figure.span.end for figure in found)], [*(figure.span.start for figure in found[1:]), len(text)]
    return {
        figure.span: _context(text, figure.span, low, high) for figure, low, high in zip(found, *bounds, strict=False)
    }


def _context(text: str, span: Span, low: int, high: int) -> AmountContext:
    start, end = span.start, span.end
    low, high = max(low, start - _REACH), min(high, end + _REACH)
    before, after = text[low:start], text[end:high]
    if ends := list(_SENTENCE_END.finditer(before)):
        before = before[ends[-1].end() :]
    if cut := _BREAK.search(after):
        after = after[: cut.start()]
    breaks = list(_BREAK.finditer(before))
    last = before[breaks[-1].end() :] if breaks else before
    near = frozenset(_terms(before)) | frozenset(_terms(after))
    stems = [_SAME.get(stem(word), stem(word)) for word in words(last)]
    return AmountContext(_terms(last)[-3:], _terms(after), near, frozenset(pairwise(stems)))


def _terms(text: str) -> tuple[str, ...]:
    return tuple(
        _SAME.get(term, term)
        for term in content_terms(text)
        if term not in _PLAIN and len(term) > 1 and (term.isalpha() or not any(char.isdigit() for char in term))
    )
