"""Withholds the flagged parts of passages: nothing is drafted from them, unless the question asks about them.

Withheld text is overwritten by spaces of the same length, so that every position in the passage stays as it is.
"""

from collections.abc import Iterable, Set
from dataclasses import replace
from functools import reduce
from itertools import islice

from footnotary.domain.chunk import Chunk, Flag
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import Span
from footnotary.domain.outcome import Answer, Citation, Outcome
from footnotary.gate.sufficiency import GateResult, check_sufficiency
from footnotary.ports import Reader
from footnotary.profiles.schema import Profile

_MOST_READ = 12


def check_visible(evidence: Evidence, profile: Profile, reader: Reader | None = None) -> tuple[Evidence, GateResult]:
    """The evidence that may be drafted from, and whether it answers the question.

    Where it does not, and a flagged sentence alone does, the question asks about that sentence: "What does the notice
    tell staff to do?" It is then shown; the other flagged sentences stay withheld. So is a passage that calls itself
    fiction or superseded, where no other answers: its citation says what it is.
    """
    visible = _without_flagged(evidence)
    gate = check_sufficiency(visible, profile, reader)
    if visible is evidence or gate.verdict.status == "pass":
        return visible, gate
    # Only the flagged sentences of the best passages are read one by one.
    flagged = islice(((hit, flag) for hit in evidence.hits for flag in hit.chunk.flags or ()), _MOST_READ)
    asked = {(hit.chunk.id, flag) for hit, flag in flagged if _answers(hit, flag, evidence, profile, reader)}
    if not asked:
        return visible, gate
    shown = _without_flagged(evidence, asked)
    again = check_sufficiency(shown, profile, reader)
    return (shown, again) if again.verdict.status == "pass" else (visible, gate)


def _answers(hit: Hit, flag: Flag, evidence: Evidence, profile: Profile, reader: Reader | None) -> bool:
    text = hit.chunk.text
    only = _blanked(text, (Span(0, flag.span.start), Span(flag.span.end, len(text))))
    alone = replace(hit, chunk=replace(hit.chunk, text=only))
    return check_sufficiency(replace(evidence, hits=(alone,)), profile, reader).verdict.status == "pass"


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


def _without_flagged(evidence: Evidence, asked: Set[tuple[str, Flag]] = frozenset()) -> Evidence:
    """The evidence without its flagged sentences but those `asked` about; the same object where none is flagged."""
    if not any(hit.chunk.flags for hit in evidence.hits):
        return evidence

    def shown(chunk: Chunk) -> Chunk:
        withheld = [flag.span for flag in chunk.flags or () if (chunk.id, flag) not in asked]
        return replace(chunk, text=_blanked(chunk.text, withheld))

    return replace(evidence, hits=tuple(replace(hit, chunk=shown(hit.chunk)) for hit in evidence.hits))


def _blanked(text: str, spans: Iterable[Span]) -> str:
    return reduce(lambda left, span: span.blanked(left), spans, text)
