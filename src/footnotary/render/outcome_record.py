"""Outcomes and evidence as JSON data: all fields that the product's interfaces promise."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, cast, get_args

from footnotary.deprecated import CITATION_FIELDS, with_former_fields
from footnotary.domain.document import DocumentKind, Labels, SourceLocation
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.outcome import Answer, Citation, Outcome, Refusal, RejectedDraft
from footnotary.domain.query import Query
from footnotary.domain.validity import ValidityStatus
from footnotary.domain.verdict import Reason, UnsupportedWords, Verdict
from footnotary.profiles.schema import MarkerStyle
from footnotary.render.answer_text import render, source_numbers, text_without_markers
from footnotary.render.citation_styles import source_names
from footnotary.render.flagged_record import flags_record
from footnotary.render.reading_level import reading_grade
from footnotary.render.refusal_explanation import explain_refusal
from footnotary.render.verdict_text import verdict_text

Record = dict[str, Any]

_CONTEXT_REASONS = frozenset(
    {
        Reason.COLLECTION_NOT_FOUND,
        Reason.INSUFFICIENT_SOURCES,
        Reason.INSUFFICIENT_EVIDENCE,
        Reason.GENERATOR_DECLINED,
        Reason.CONFLICTING_SOURCES,
        Reason.UNCORROBORATED,
        Reason.OFF_QUESTION,
    }
)


def outcome_record(outcome: Outcome, style: MarkerStyle, *, strip: bool = False, reading_level: bool = False) -> Record:
    """An outcome for programs. It contains no ungrounded text: a refusal's `answer` is the exact message.

    `needed.questions` of a refusal is empty: whoever asked the suggested questions fills it in.
    """
    common: Record = {
        "query": outcome.query.text,
        "query_type": outcome.query.type,
        "query_analysis": query_record(outcome.query),
        "project": outcome.query.scope.project,
        "as_of": day_record(outcome.query.scope.as_of),
        "retrieved_semantic_ids": [hit.chunk.id for hit in outcome.evidence.hits],
        "invalid_citations": [],
        "profile": outcome.profile,
        "profile_digest": outcome.profile_digest,
        "verdicts": [verdict_record(verdict) for verdict in outcome.verdicts],
        "conflicts": [asdict(conflict) for conflict in outcome.conflicts],
        "status": outcome_status(outcome),
    }
    if isinstance(outcome, Refusal):
        return common | _refusal(outcome)
    return common | _answer(outcome, style, strip=strip, reading_level=reading_level)


def _refusal(refusal: Refusal) -> Record:
    explained = explain_refusal(refusal)
    gated = refusal.reason.order <= Reason.INSUFFICIENT_EVIDENCE.order
    return {
        "answer": refusal.message,
        "is_grounded": gated or refusal.reason is Reason.GENERATOR_DECLINED,
        "is_sufficient": not gated,
        "is_safe": False,
        "refusal_reason": refusal.reason.value,
        "needed": {
            "facet": refusal.needed.facet,
            "missing": refusal.needed.missing,
            "detail": "; ".join(verdict_text(verdict) for verdict in refusal.verdicts if verdict.status != "pass"),
            "explanation": explained.sentence,
            "nearest": [cited for cited, _ in explained.nearest],
            "nearest_names": dict(explained.nearest),
            "questions": [],
        },
        "unsupported_words": [unsupported_record(words) for words in refusal.unsupported],
        "hallucination_detected": outcome_status(refusal) == "hallucination_detected",
        "hallucination_reason": next((v.detail for v in refusal.verdicts if v.status != "pass"), None),
        "confidence": 0.0,
        "cited_sources": [],
        "citations": [],
        "citation_details": [],
        "claims": [],
        "uncovered_claims": [],
        "sources": [],
        "generator": None,
    }


def _answer(answer: Answer, style: MarkerStyle, *, strip: bool, reading_level: bool) -> Record:
    rendered = render(answer, style)
    cited = [hit.chunk.id for hit in answer.sources]
    return {
        "answer": text_without_markers(answer) if strip else rendered.body,
        "answer_with_sources": text_without_markers(answer) if strip else rendered.text,
        "is_grounded": True,
        "is_sufficient": True,
        "is_safe": True,
        "refusal_reason": None,
        "hallucination_detected": False,
        "hallucination_reason": None,
        "confidence": round(answer.confidence, 4),
        "cited_sources": cited,
        "source_numbers": source_numbers(answer),
        "source_names": source_names(answer),
        "citations": cited,
        "citation_details": [citation_record(citation) for citation in answer.citations],
        "claims": [{"text": claim.text, "cites": list(claim.cites)} for claim in answer.claims],
        "uncovered_claims": [],
        "sources": [hit_record(hit) for hit in answer.sources],
        "generator": answer.generator,
        "quoted": answer.quoted,
        "rejected": answer.rejected and _rejected(answer.rejected),
        **({"reading_grade": reading_grade(answer.text)} if reading_level else {}),
    }


def _rejected(rejected: RejectedDraft) -> Record:
    return {
        "generator": rejected.draft.generator,
        "reason": rejected.reason.value,
        "verdicts": [verdict_record(verdict) for verdict in rejected.failed],
        "claims": [{"text": claim.text, "cites": list(claim.cites)} for claim in rejected.draft.claims],
        "unsupported_words": [unsupported_record(words) for words in rejected.unsupported],
    }


def outcome_status(outcome: Outcome) -> str:
    """The tutor's five states, derived from the reason."""
    if isinstance(outcome, Answer):
        return "success"
    if outcome.reason in _CONTEXT_REASONS:
        return "insufficient_context"
    if outcome.reason is Reason.NO_RELEVANT_CONTENT:
        return "low_confidence" if outcome.evidence.hits else "insufficient_context"
    return "error" if outcome.reason is Reason.GENERATION_ERROR else "hallucination_detected"


def evidence_record(evidence: Evidence) -> Record:
    """The result of retrieval alone, in the format that `verify --chunks-file` reads."""
    return {
        "query": evidence.query.text,
        "project": evidence.query.scope.project,
        "as_of": day_record(evidence.query.scope.as_of),
        "query_type": evidence.query.type,
        "query_analysis": query_record(evidence.query),
        "retrieved_semantic_ids": [hit.chunk.id for hit in evidence.hits],
        "reranking": evidence.reranking,
        "results": [hit_record(hit) for hit in evidence.hits],
    }


def query_record(query: Query) -> Record:
    return {
        "intent": query.type,
        "parts": [facet.text for facet in query.facets],
        "named_document": query.named and {"phrase": query.named.phrase, "documents": list(query.named.ids)},
        "language": query.language,
        "keywords": list(query.keywords),
        "expansions": [expansion.text for expansion in query.expansions],
        "references": [
            {"section": r.section, "act": r.act, **({"clause": r.clause} if r.clause else {})} for r in query.references
        ],
    }


def hit_record(hit: Hit) -> Record:
    chunk, labels = hit.chunk, hit.chunk.labels
    return {
        "chunk_id": chunk.id,
        "semantic_id": chunk.id,
        "source_id": chunk.id,
        "text": chunk.text,
        "content_snippet": chunk.text,
        "score": round(hit.score, 4),
        "act": labels.act,
        "section": labels.section,
        "title": labels.title,
        "page": chunk.page,
        "via": hit.via,
        "ranks": {
            "lexical": hit.ranks.lexical,
            "dense": hit.ranks.dense,
            "fused": hit.ranks.fused,
            "reranked": hit.ranks.reranked,
        },
        "metadata": {
            "filename": chunk.document_id,
            "page": chunk.page,
            "section_id": labels.section,
            "chunk_id": chunk.id,
            "chunk_hash": chunk.digest,
            "code": labels.code,
            "kind": labels.kind,
            "chapter": labels.chapter,
            "class_number": labels.class_number,
            "subject": labels.subject,
            "language": labels.language,
            "section_path": list(chunk.section),
        },
        "validity": validity_record(hit.standing),
        "flagged": flags_record(hit.chunk),
    }


def labels_from_record(record: Mapping[str, Any]) -> Labels:
    """The labels that `hit_record` wrote; rows from other sources may lack any of them."""
    inner: Any = record.get("metadata")
    metadata: Mapping[str, Any] = cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else {}

    def text(name: str) -> str | None:
        value = record.get(name, metadata.get(name))
        return None if value is None else str(value)

    kind = text("kind")
    return Labels(
        kind=cast("DocumentKind", kind) if kind in get_args(DocumentKind) else "text",
        code=text("code"),
        act=text("act"),
        chapter=text("chapter"),
        section=text("section") or text("section_id"),
        title=text("title"),
        subject=text("subject"),
        language=text("language") or "en",
    )


def citation_record(citation: Citation) -> Record:
    place = citation.source_span
    record = {
        "id": citation.id,
        "claim": citation.claim,
        "quote": citation.quote,
        "confidence": citation.confidence,
        "page": citation.page,
        "document": citation.document_id,
        "document_sha256": citation.document_sha256,
        "path": citation.path,
        "answer_span": {"start": citation.answer_span.start, "end": citation.answer_span.end, "unit": "characters"},
        "chunk_span": {"start": citation.chunk_span.start, "end": citation.chunk_span.end, "unit": "characters"},
        "source_span": place and location_record(place),
        "validity": validity_record(citation.standing),
        "trust": citation.standing and citation.standing.validity.trust,
        "marks": list(citation.marks),
        "unsupporting": citation.decorative,
    }
    return with_former_fields(record, CITATION_FIELDS)


def validity_record(standing: ValidityStatus | None) -> Record | None:
    """A document's status on the day in question; None if it is not known."""
    if standing is None:
        return None
    validity = standing.validity
    return {
        "effective_from": day_record(validity.effective_from),
        "effective_to": day_record(validity.effective_to),
        "supersedes": list(validity.supersedes),
        "superseded_by": list(standing.superseded_by),
        "in_force": standing.in_force,
        "trust": validity.trust,
    }


def day_record(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def location_record(place: SourceLocation) -> Record:
    """A position in the original file, page by page or part by part if it has pages or named parts."""
    record: Record = {"characters": {"start": place.chars.start, "end": place.chars.end}}
    if place.bytes is not None:
        record["bytes"] = {"start": place.bytes.start, "end": place.bytes.end}
    if place.page is not None:
        record["page"] = place.page
    if place.place is not None:
        record["place"] = place.place
    if place.onward:
        record["onward"] = [location_record(further) for further in place.onward]
    return record


def unsupported_record(words: UnsupportedWords) -> Record:
    return {"claim": words.claim, "start": words.span.start, "end": words.span.end, "text": words.text}


def verdict_record(verdict: Verdict) -> Record:
    return {
        "check": verdict.check,
        "status": verdict.status,
        "reason": verdict.reason.value if verdict.reason else None,
        "detail": verdict.detail,
        "values": dict(verdict.values),
        "claims": list(verdict.claims),
    }
