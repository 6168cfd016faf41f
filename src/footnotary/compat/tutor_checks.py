"""The tutor's two checks of any answer text: signs of hallucination, and the share grounded in the chunks."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from footnotary.domain.document import Labels
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.query import Query
from footnotary.domain.verdict import Reason, Verdict
from footnotary.external.passages import (
    SCOPE,
    ParsedAnswer,
    clamp_score,
    first_field,
    first_text_field,
    make_hit,
    quote_tokens,
    read_answer,
    select_checks,
)
from footnotary.gate.intent import understand
from footnotary.ports import Submission
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile
from footnotary.text.citations.markers import Marker
from footnotary.text.normalise import same_message
from footnotary.text.sentences.factual_content import has_factual_content
from footnotary.verify.claim_checks import CONSISTENCY_CHECKS
from footnotary.verify.meaning.word_overlap import chunk_overlap
from footnotary.verify.run import checks_for, verify

_CHECKS = frozenset(
    {"markers_are_well_formed", "citations_resolve", "no_outside_knowledge", "length_is_plausible", *CONSISTENCY_CHECKS}
)
_SOURCES = re.compile(r"\n\s*\*\*(?:Sources|स्रोत):\*\*[ \t]*\n(?P<list>(?:- Source \d{1,4}:[^\n]*(?:\n|$))+)\s*$")
_INTEGER = re.compile(r"\d{1,6}")


@lru_cache(maxsize=1)
def tutor_profile() -> Profile:
    return load_profile("tutor")


def detect_hallucination(answer: str, retrieved_chunks: Sequence[object]) -> tuple[bool, str | None]:
    """Whether an answer with `[Source n]` markers shows signs of hallucination, and which: (detected, reason).

    Phrases that announce outside knowledge, sentences without a citation, sources that do not exist, much more text
    than the sources have, and whatever the checks find to contradict the cited text. The exact refusal shows none.
    """
    if is_refusal(answer):
        return False, None
    evidence = evidence_from_textbook_chunks(understand("", SCOPE, tutor_profile()), retrieved_chunks)
    found = _parse_answer(answer, retrieved_chunks)
    unknown = [cited for cited in found.cited if cited not in evidence.ids]
    failed = [
        v for v in _failed_by_clarity(_verdicts(found, evidence)) if unknown or v.reason is not Reason.CITATION_UNKNOWN
    ]
    reasons = [_describe_failure(verdict, unknown) for verdict in failed]
    bare = [claim.text for claim in found.claims if not claim.cites and has_factual_content(claim.text)]
    if not found.cited:
        reasons.append("Answer contains no citations - likely hallucinated")
    elif bare:
        reasons.append(f"Sentence without a citation: {quote_tokens(bare[:1])}")
    return bool(reasons), "; ".join(reasons) or None


def verify_grounding(answer: str, retrieved_chunks: Sequence[object]) -> tuple[bool, float]:
    """Whether enough of an answer's sentences are grounded, and the share that is: (is_grounded, score).

    A sentence is grounded if at least half of its content words are in one chunk, of those it cites where it cites any;
    70 % of the sentences must be (both inclusive). Overlap is only a coarse filter: see `detect_hallucination`.
    """
    policy = tutor_profile().verification
    evidence = evidence_from_textbook_chunks(understand("", SCOPE, tutor_profile()), retrieved_chunks)
    claims = [claim for claim in _parse_answer(answer, retrieved_chunks).claims if has_factual_content(claim.text)]
    if not claims or not evidence.hits:
        return False, 0.0
    grounded = 0
    for claim in claims:
        chunks = [hit.chunk for hit in evidence.hits if not claim.cites or hit.chunk.id in claim.cites]
        grounded += any(chunk_overlap(claim.text, chunk) >= policy.sentence_overlap for chunk in chunks)
    score = grounded / len(claims)
    return score >= policy.grounded_share, score


def evidence_from_textbook_chunks(query: Query, chunks: Sequence[object] | None) -> Evidence:
    """All chunks as evidence, in order, so that slot n is the n-th chunk; the gate drops unusable ones."""
    chunks = chunks or ()
    return Evidence(query, tuple(_hit(cited, chunk) for cited, chunk in zip(chunk_ids(chunks), chunks, strict=True)))


def confidence_of(chunk: object) -> float:
    return clamp_score(first_field(chunk, "confidence", "score"))


def chunk_ids(chunks: Sequence[object]) -> list[str]:
    """The chunks' own ids; a missing or duplicate id is made unique by its position: answers cite by position."""
    ids: list[str] = []
    for place, chunk in enumerate(chunks, 1):
        cited = first_text_field(chunk, "chunk_id", "source_id", "id") or f"chunk_{place}"
        while cited in ids:
            cited = f"{cited}_{place}"
        ids.append(cited)
    return ids


def is_refusal(answer: str) -> bool:
    return any(same_message(answer, text) for text in (tutor_profile().refusal.en, tutor_profile().refusal.hi))


def _hit(cited: str, chunk: object) -> Hit:
    given = first_field(chunk, "metadata")
    about: Mapping[str, Any] = cast("Mapping[str, Any]", given) if isinstance(given, Mapping) else {}
    subject = first_text_field(about, "subject") or first_text_field(chunk, "subject")
    book = first_text_field(about, "book", "textbook", "title") or (f"NCERT {subject.title()}" if subject else None)
    labels = Labels(
        kind="textbook",
        act=book,
        chapter=_number(about, chunk, "chapter", "chapter_number"),
        chapter_title=first_text_field(about, "chapter_title", "chapter_name"),
        class_number=_integer(about, chunk, "class_number", "class"),
        subject=subject,
        language=first_text_field(about, "language") or "en",
    )
    return make_hit(
        cited,
        _text(chunk),
        confidence_of(chunk),
        labels,
        _integer(about, chunk, "page", "page_number"),
    )


def _text(chunk: object) -> str:
    return first_text_field(chunk, "content", "text", "page_content") or ""


def _number(about: Mapping[str, Any], chunk: object, *names: str) -> str | None:
    value = first_text_field(about, *names) or first_text_field(chunk, *names)
    return value.removeprefix("Chapter ").strip() if value else None


def _integer(about: Mapping[str, Any], chunk: object, *names: str) -> int | None:
    found = _INTEGER.search(first_text_field(about, *names) or first_text_field(chunk, *names) or "")
    return int(found.group()) if found else None


def _parse_answer(answer: str, chunks: Sequence[object]) -> ParsedAnswer:
    ids = {str(place): cited for place, cited in enumerate(chunk_ids(chunks), 1) if _text(chunks[place - 1]).strip()}
    # The list of sources at the end of an answer asserts nothing; only that exact format is removed.
    body = _SOURCES.sub("\n", answer)
    return read_answer(body, _is_numbered, lambda target: ids.get(target, target))


def _is_numbered(marker: Marker, _raw: str) -> bool:
    return marker.style in ("source_number", "number")


def _verdicts(found: ParsedAnswer, evidence: Evidence) -> tuple[Verdict, ...]:
    checks = select_checks(checks_for(tutor_profile()), _CHECKS)
    return verify(Submission(evidence.query, evidence, found.draft()), checks)


def _failed_by_clarity(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The failed verdicts, announced outside knowledge ("as we know") first: it is the clearest sign."""
    failed = [verdict for verdict in verdicts if verdict.reason is not None]
    return sorted(failed, key=lambda verdict: verdict.reason is not Reason.OUTSIDE_KNOWLEDGE)


def _describe_failure(verdict: Verdict, unknown: Sequence[str]) -> str:
    match verdict.reason:
        case Reason.OUTSIDE_KNOWLEDGE:
            return f"Answer contains hallucination indicator: {verdict.values['phrase']!r}"
        case Reason.CITATION_UNKNOWN:
            return f"Answer cites non-existent {', '.join(f'Source {number}' for number in unknown)}"
        case Reason.LENGTH_IMPLAUSIBLE:
            return f"Answer much longer than context - likely added information ({verdict.detail})"
        case _:
            return verdict.detail
