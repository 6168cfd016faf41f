"""Withholds the flagged parts of passages: nothing is drafted from them, unless the question asks about them.

Withheld text is overwritten by spaces of the same length, so that every position in the passage stays as it is.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation, Outcome
from footnotary.gate.sufficiency import GateResult, check_sufficiency
from footnotary.ports import Reader
from footnotary.profiles.schema import Profile

_VISIBLE = re.compile(r"\S")


def check_visible(evidence: Evidence, profile: Profile, reader: Reader | None = None) -> tuple[Evidence, GateResult]:
    """The evidence that may be drafted from, and whether it answers the question.

    Where it does not, and flagged text alone does, the question asks about that text: "What does the notice tell staff
    to do?" The passages are then read whole.
    """
    visible = _with_texts(evidence, _without_flagged)
    gate = check_sufficiency(visible, profile, reader)
    if visible is evidence or gate.verdict.status == "pass":
        return visible, gate
    asked = check_sufficiency(_with_texts(evidence, _only_flagged), profile, reader)
    if asked.verdict.status != "pass":
        return visible, gate
    relevant = {hit.chunk.id for hit in asked.relevant}
    whole = replace(
        evidence,
        hits=tuple(
            _unflagged(hit) if hit.chunk.id in relevant else shown
            for hit, shown in zip(evidence.hits, visible.hits, strict=True)
        ),
    )
    return whole, replace(asked, relevant=tuple(hit for hit in whole.hits if hit.chunk.id in relevant))


def with_originals(outcome: Outcome, evidence: Evidence) -> Outcome:
    """An outcome of withheld evidence, with the passages, quotes and places of the original."""
    if isinstance(outcome, Answer):
        cited = tuple(_original(citation, evidence) for citation in outcome.citations)
        return replace(outcome, evidence=evidence, citations=cited)
    beginning = outcome.beginning and with_originals(outcome.beginning, evidence)
    return replace(outcome, evidence=evidence, beginning=beginning if isinstance(beginning, Answer) else None)


def _original(citation: Citation, evidence: Evidence) -> Citation:
    chunk = evidence.chunk(citation.id)
    if chunk is None:
        return citation
    span = citation.chunk_span
    return replace(citation, quote=span.of(chunk.text), source_span=chunk.located(span))


def _with_texts(evidence: Evidence, shown: Callable[[Chunk], str]) -> Evidence:
    """The evidence with its passages as shown; the same object where nothing is flagged."""
    if not any(hit.chunk.flags for hit in evidence.hits):
        return evidence
    hits = (replace(hit, chunk=replace(hit.chunk, text=shown(hit.chunk))) for hit in evidence.hits)
    return replace(evidence, hits=tuple(hits))


def _unflagged(hit: Hit) -> Hit:
    return replace(hit, chunk=replace(hit.chunk, flags=()))


def _without_flagged(chunk: Chunk) -> str:
    return _blanked(chunk.text, (flag.span for flag in chunk.flags or ()))


def _only_flagged(chunk: Chunk) -> str:
    spans = sorted(flag.span for flag in chunk.flags or ())
    starts, ends = (0, *(span.end for span in spans)), (*(span.start for span in spans), len(chunk.text))
    return _blanked(chunk.text, (Span(start, end) for start, end in zip(starts, ends, strict=True) if start < end))


def _blanked(text: str, spans: Iterable[Span]) -> str:
    parts, at = list[str](), 0
    for span in spans:
        parts += (text[at : span.start], _VISIBLE.sub(" ", span.of(text)))
        at = max(at, span.end)
    return "".join((*parts, text[at:]))
