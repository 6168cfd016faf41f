"""Decides, before anything is drafted, whether the evidence can answer the question."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Literal

from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.outcome import EvidenceGap
from footnotary.domain.query import Facet, Query
from footnotary.domain.verdict import Reason, Value, Verdict
from footnotary.gate.exact_rules import PartEvidence, eligible_hits
from footnotary.gate.lexical_rules import FACETS, decide_by_words, probe_passes
from footnotary.gate.question_subject import own_subject
from footnotary.gate.reader_decision import decide_by_reading, is_read, read_question, readable_hits
from footnotary.ports import Reader
from footnotary.profiles.schema import Profile, Sufficiency
from footnotary.reader.by_language import reader_knowing
from footnotary.text.language import language_of
from footnotary.text.tokens import content_terms

_NEAREST = 3

Unclear = Literal["unclear_reference", "no_subject"]
_UNCLEAR: dict[Unclear, str] = {
    "unclear_reference": "it is not clear what the question refers to",
    "no_subject": "the question names nothing to look for",
}


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gate's verdict, the hits that support it, and what is missing if it fails."""

    verdict: Verdict
    relevant: tuple[Hit, ...]
    needed: EvidenceGap


def check_sufficiency(evidence: Evidence, profile: Profile, reader: Reader | None = None) -> GateResult:
    """Language and number of sources, then for each part of the question passages that answer it.

    A reader that has learned the question's language decides which passages answer; a provision, law or year that a
    part names must be the one cited. Without a reader, scores and words decide. If nothing was found, the gate refuses
    under every profile; thresholds are inclusive. Raises `BackendError` if the reader fails, because a refusal would be
    wrong.
    """
    query, policy = evidence.query, profile.sufficiency
    nearest, first = evidence.hits[:_NEAREST], query.facets[0]
    reader = reader_knowing(reader, query.language) if is_read(query, profile, reader) else None
    if (unclear := _unclear(query, profile, is_read=reader is not None)) is not None:
        return _refused(first, Reason.NO_RELEVANT_CONTENT, _UNCLEAR[unclear], nearest, cause=unclear)
    if not evidence.hits:
        unknown = query.named if query.named is not None and not query.named.ids else None
        detail = f"no document has the name in {unknown.phrase!r}" if unknown else "nothing was found"
        return _refused(first, Reason.NO_RELEVANT_CONTENT, detail, nearest)
    if reader is None and not probe_passes(evidence, profile):
        measured: dict[str, Value] = {"best_score": evidence.top_score, "threshold": policy.min_probe_score}
        return _refused(
            first, Reason.NO_RELEVANT_CONTENT, "no passage is close enough to the question", nearest, **measured
        )
    found = usable_hits(evidence.hits, policy.min_source_score if reader is None else 0.0)
    asked = query.language
    sources = tuple(h for h in found if profile.languages.cross_language or language_of(h.chunk.text) == asked)
    if found and not sources:
        detail = f"the passages found are not in the language of the question, {asked!r}"
        return _refused(first, Reason.LANGUAGE_MISMATCH, detail, nearest, language=asked)
    required = max(policy.min_sources, 1)
    if len(sources) < required:
        detail = "fewer usable sources were found than the profile requires"
        return _refused(first, Reason.INSUFFICIENT_SOURCES, detail, nearest, found=len(sources), required=required)

    readable = readable_hits(sources, reader) if reader else ()
    parts: list[PartEvidence] = []
    for facet in query.facets:
        part = (
            _match_and_read(query, facet, readable, reader, policy)
            if reader and readable
            else decide_by_words(facet, sources, profile)
        )
        if not part.hits:
            near, values = part.near[:_NEAREST] or nearest, {"part": facet.text, **part.values}
            detail = part.missing if len(query.facets) == 1 else f"{facet.text!r} is not answered: {part.missing}"
            return _refused(facet, Reason.INSUFFICIENT_EVIDENCE, detail, near, **values)
        parts.append(part)
    kept = _each_once(parts) if readable else tuple(h for h in sources if any(h in part.hits for part in parts))
    detail = f"passages were found that answer a {first.type} question"
    verdict = Verdict.passed("evidence_suffices", detail, passages=len(kept), found=len(evidence.hits))
    return GateResult(verdict, kept, EvidenceGap(FACETS[first.type], ""))


def _unclear(query: Query, profile: Profile, *, is_read: bool) -> Unclear | None:
    """Why a question cannot be answered from any evidence: any passage would seem to answer "Why?"."""
    if query.references:
        return None
    if query.context is not None and not own_subject(query.text, profile):
        return "unclear_reference"
    return "no_subject" if is_read and not content_terms(query.text) else None


def usable_hits(hits: Sequence[Hit], min_score: float) -> tuple[Hit, ...]:
    """The hits that count as sources: with an id, a text and a sufficient score, without duplicate ids or texts."""
    seen: set[str] = set()
    kept: list[Hit] = []
    for hit in hits:
        keys = {hit.chunk.id, hit.chunk.text.strip()}
        if hit.chunk.id.strip() and hit.chunk.text.strip() and hit.score >= min_score and not keys & seen:
            kept.append(hit)
            seen |= keys
    return tuple(kept)


def _match_and_read(
    query: Query, facet: Facet, sources: Sequence[Hit], reader: Reader, policy: Sufficiency
) -> PartEvidence:
    """Matches what a part names and reads the rest; a part that is only a name needs no reading."""
    eligible = eligible_hits(sources, facet)
    if not eligible.hits or (facet.references and not facet.subject):
        return eligible
    least = policy.answerable_from(query.language)
    read = decide_by_reading(read_question(query, facet), eligible.hits, reader, least)
    measured: dict[str, Value] = {"probability": read.probability, "threshold": least}
    return PartEvidence(read.hits, "the passages found do not answer the question", eligible.hits, measured)


def _each_once(parts: Sequence[PartEvidence]) -> tuple[Hit, ...]:
    """The hits of all parts without duplicates, the best of each part first."""
    ranked = chain.from_iterable(zip_longest(*(part.hits for part in parts)))
    return tuple({hit.chunk.id: hit for hit in ranked if hit is not None}.values())


def _refused(facet: Facet, reason: Reason, detail: str, near: Sequence[Hit], **values: Value) -> GateResult:
    gap = EvidenceGap(FACETS[facet.type], detail, tuple(hit.chunk.id for hit in near))
    return GateResult(Verdict.failed("evidence_suffices", reason, detail, **values), (), gap)
