"""What a refusal means, in sentences for people: what is missing and what the documents describe.

Every word is the question's, a heading's, a document's name, or one of the fixed words in `refusal_texts`. The
refusal's own message stays as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import SemanticId
from footnotary.domain.outcome import Refusal
from footnotary.domain.verdict import PROJECT_HAS_DOCUMENTS, Reason
from footnotary.render.citation_styles import document_name, full_source_name
from footnotary.render.refusal_texts import TEXTS
from footnotary.text.language import language_of
from footnotary.text.normalise import squeeze
from footnotary.text.tokens import content_terms

_NEAREST = 3
_DESCRIBED = 2
_LONGEST_HEADING = 90
_MIN_SHARE_OF_BEST = 0.5
_LEAST_SHARED = 2
_NUMBERING = re.compile(
    r"^\W*(?:(?:chapter|section|part|article)\s+)?(?:\d+(?:\.\d+)*|[ivxlc]+)[.):]?\s+", re.IGNORECASE
)
_COPULA = re.compile(
    r"(?P<wh>what|who|where|when) (?P<be>is|are|was|were) (?P<of>(?:the|an?|my|our) .+)", re.IGNORECASE
)
_EVIDENCE = (Reason.NO_RELEVANT_CONTENT, Reason.INSUFFICIENT_SOURCES, Reason.INSUFFICIENT_EVIDENCE)


@dataclass(frozen=True, slots=True)
class RefusalExplanation:
    """A sentence for people, and the nearest passages in the question's language."""

    sentence: str
    nearest: tuple[tuple[SemanticId, str], ...]


def explain_refusal(refusal: Refusal) -> RefusalExplanation:
    """The explanation of a refusal; the same for the same refusal."""
    near = nearest_hits(refusal)
    return RefusalExplanation(_sentence(refusal, near), tuple((hit.chunk.id, _name(hit)) for hit in near))


def close_hits(refusal: Refusal, near: Sequence[Hit]) -> list[Hit]:
    """Those of the nearest passages that are not far behind the best."""
    # A passage far behind the best shares a word with the question by chance: "Return costs" with "vaccination cost".
    least = _MIN_SHARE_OF_BEST * max((hit.score for hit in refusal.evidence.hits), default=0.0)
    return [hit for hit in near if hit.score >= least]


def nearest_hits(refusal: Refusal) -> tuple[Hit, ...]:
    """The nearest passages in the question's language: those of the refusal, or else the best of that language."""
    asked = refusal.query.language
    own = {hit.chunk.id: hit for hit in refusal.evidence.hits if language_of(hit.chunk.text) == asked}
    named = [own[cited] for cited in refusal.needed.nearest if cited in own]
    return tuple((named or list(own.values()))[:_NEAREST])


def _sentence(refusal: Refusal, near: Sequence[Hit]) -> str:
    query, reason, texts = refusal.query, refusal.reason, TEXTS[refusal.query.language]
    causes = [cause for verdict in refusal.verdicts if isinstance(cause := verdict.values.get("cause"), str)]
    if any(verdict.check == PROJECT_HAS_DOCUMENTS for verdict in refusal.verdicts):
        return texts.empty_project.format(name=query.scope.project)
    if reason is Reason.COLLECTION_NOT_FOUND:
        return texts.no_project.format(name=query.scope.project)
    if query.named is not None and not query.named.ids:
        return texts.no_document.format(name=query.named.phrase)
    if unclear := next((texts.unclear[cause] for cause in causes if cause in texts.unclear), None):
        return unclear
    if reason is Reason.LANGUAGE_MISMATCH:
        return texts.other_language
    if reason is Reason.CITATION_UNSUPPORTING and "incomplete_list" in causes:
        return texts.incomplete_list
    if reason is Reason.CONFLICTING_SOURCES:
        return texts.conflicting
    quoted_nothing = reason is Reason.OFF_QUESTION and (refusal.draft is None or refusal.draft.extractive)
    if reason in (*_EVIDENCE, Reason.GENERATOR_DECLINED) or (quoted_nothing and len(query.facets) == 1):
        return " ".join(_missing_evidence(refusal, near))
    return texts.parts_together if len(query.facets) > 1 else texts.draft_failed


def _missing_evidence(refusal: Refusal, near: Sequence[Hit]) -> Iterator[str]:
    """Which parts of the question have passages, which has no answer, and what the nearest passages are about."""
    texts, missing = TEXTS[refusal.query.language], missing_part(refusal)
    before, after = _other_parts(refusal, missing)
    if before:
        yield texts.parts_found.format(parts=texts.listed(before))
    yield from _unanswered(refusal, missing, near)
    if after:
        yield texts.parts_left.format(parts=texts.listed(after))


def _unanswered(refusal: Refusal, missing: str, near: Sequence[Hit]) -> Iterator[str]:
    texts = TEXTS[refusal.query.language]
    if not near:
        yield texts.nothing_near.format(question=missing)
        return
    close = close_hits(refusal, near)
    described = [hit for hit in close if _is_described(hit, missing)]
    if described:
        headings = texts.listed(_subjects(described))
        phrase = _plain_phrase(missing) if refusal.query.language == "en" else None
        yield (
            f"Your documents describe {headings}, but none {phrase}."
            if phrase
            else texts.described.format(headings=headings, question=missing)
        )
        return
    yield texts.unanswered.format(question=missing)
    yield texts.nearest.format(headings=texts.listed(_subjects(close or near)))


def _other_parts(refusal: Refusal, missing: str) -> tuple[list[str], list[str]]:
    """The parts of the question that have enough evidence, and those after the missing one, which are not searched."""
    parts = [squeeze(facet.text) for facet in refusal.query.facets]
    if refusal.reason not in _EVIDENCE or missing not in parts:
        return [], []
    place = parts.index(missing)
    return parts[:place], parts[place + 1 :]


def missing_part(refusal: Refusal) -> str:
    """The question, or the part of it that has no answer."""
    parts = [facet.text for facet in refusal.query.facets]
    unanswered = {verdict.values.get("part") for verdict in refusal.verdicts if verdict.check == "evidence_suffices"}
    return squeeze(next((part for part in parts if len(parts) > 1 and part in unanswered), refusal.query.text))


def _plain_phrase(question: str) -> str | None:
    """ "says what the notice period is", if the question has this plain form."""
    plain = _COPULA.fullmatch(question.rstrip(" ?.!"))
    if plain is None or len(plain["of"].split()) > 6:
        return None
    return f"says {plain['wh'].lower()} {plain['of']} {plain['be'].lower()}"


def _is_described(hit: Hit, question: str) -> bool:
    """Whether a heading names what is asked about, by two words at least: a towel to rent is not the "Rent" of a flat.

    One is enough where the question has no other.
    """
    heading, asked = set(content_terms(bare_heading(hit))), set(content_terms(question))
    return len(heading & asked) >= min(_LEAST_SHARED, len(asked)) > 0


def bare_heading(hit: Hit) -> str:
    """The heading of a passage without its number; empty if it has none."""
    labels = hit.chunk.labels
    heading = labels.title or labels.chapter_title or (hit.chunk.section[-1] if hit.chunk.section else "")
    return _NUMBERING.sub("", squeeze(heading))[:_LONGEST_HEADING].rstrip(" .:")


def _subjects(hits: Sequence[Hit]) -> list[str]:
    """The headings of the first passages, each once; a passage without one is named by its document."""
    return list(dict.fromkeys(bare_heading(hit) or _document(hit) for hit in hits[:_DESCRIBED]))


def _document(hit: Hit) -> str:
    return document_name(hit.chunk.labels, hit.chunk.document_id, hit.chunk.section)


def _name(hit: Hit) -> str:
    chunk = hit.chunk
    return full_source_name(chunk.labels, chunk.page, chunk.document_id, chunk.section)
