"""Chooses the sentences of an answer by words, if no reader has learned the language, and for lookups of provisions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from footnotary.domain.query import Facet, QueryType
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.named_clauses import passages_of_clauses
from footnotary.generate.extractive.sentence_scoring import score, term_weights
from footnotary.profiles.schema import Intents
from footnotary.text.tokens import content_terms, terms_of

# The most sentences per type of question, and the share of the best score that a further sentence must reach.
_LENGTHS: dict[QueryType, tuple[int, float]] = {
    "definition": (2, 0.95),
    "punishment": (2, 0.97),
    "procedure": (4, 0.70),
    "scope": (2, 0.97),
    "example": (3, 0.60),
    "problem": (3, 0.60),
    "general": (2, 0.96),
}


# "What is section 420?" asks what the section says.
_LOOKUP = (3, 0.80)
_CLAUSE_WORDS = terms_of("clause clauses subsection subsections sub section sections paragraph item")


@dataclass(frozen=True, slots=True)
class _ScoredSentence:
    passage: CandidateSentence
    score: float


def select_sentences(
    facet: Facet, passages: Sequence[CandidateSentence], intents: Intents
) -> tuple[CandidateSentence, ...]:
    """The passages that answer one part of a question.

    The best one; those with a similar score that say something else, or that mention key terms it lacks; and, where a
    passage refers to the one before it ("This number is called ..."), that one too.
    """
    if named := _of_named_clauses(facet, passages):
        facet, passages = replace(facet, subject=()), named
    asks_for_text = bool(facet.references) and not facet.subject
    if asks_for_text and not named:
        passages = _opening_sentences(passages)
    weights = term_weights(facet, passages)
    scored = sorted(
        (_ScoredSentence(passage, score(passage, facet, weights, intents)) for passage in passages),
        key=lambda s: (-s.score, s.passage.hit.chunk.id, s.passage.position),
    )
    if not scored or scored[0].score <= 0:
        return ()
    most, nearness = _LOOKUP if asks_for_text else _LENGTHS[facet.type]
    chosen: list[CandidateSentence] = []
    missing = {key.term for key in facet.subject}
    for candidate in scored:
        terms = terms_of(candidate.passage.text)
        held = terms | terms_of(candidate.passage.title)
        adds = {key.term for key in facet.subject if key.stands_in(held)} & missing
        near = candidate.score >= nearness * scored[0].score
        if chosen and not (near or (adds and candidate.score >= 0.75 * scored[0].score)):
            continue
        # "Employment and cheating": a second sentence on the first must not replace one on the other.
        if chosen and missing and not adds and facet.is_joint and facet.type == "general":
            continue
        if any(_repeats(terms, terms_of(other.text)) for other in chosen):
            continue
        chosen.append(candidate.passage)
        missing -= adds
        if len(chosen) >= most:
            break
    return _in_source_order(_with_antecedents(chosen, passages))


def is_lookup(facet: Facet, passages: Sequence[CandidateSentence]) -> bool:
    """Whether a question asks only for the text of a provision or clause that it names."""
    return bool(facet.references) and (not facet.subject or bool(_of_named_clauses(facet, passages)))


def _of_named_clauses(facet: Facet, passages: Sequence[CandidateSentence]) -> list[CandidateSentence]:
    """The passages of the named clauses, where the question asks for nothing but their text; else empty."""
    numbers = {term for reference in facet.references for term in content_terms(reference.clause or "")}
    if not {key.term for key in facet.subject} <= numbers | _CLAUSE_WORDS:
        return []
    return passages_of_clauses(passages, facet.references)


def _opening_sentences(passages: Sequence[CandidateSentence]) -> list[CandidateSentence]:
    """The first passages of the sections found by number; all passages where no section was."""
    chunks = [passage.hit.chunk for passage in passages if passage.hit.via == "reference"]
    first: dict[tuple[str, str | None], int] = {}
    for chunk in chunks:
        section = (chunk.document_id, chunk.labels.section)
        first[section] = min(first.get(section, chunk.span.start), chunk.span.start)
    begins = {(document, start) for (document, _), start in first.items()}
    opening = [p for p in passages if (p.hit.chunk.document_id, p.hit.chunk.span.start) in begins]
    return opening or list(passages)


def _repeats(terms: frozenset[str], other: frozenset[str]) -> bool:
    smaller = min(len(terms), len(other))
    return smaller > 0 and len(terms & other) >= 0.8 * smaller


def _with_antecedents(
    chosen: Sequence[CandidateSentence], passages: Sequence[CandidateSentence]
) -> list[CandidateSentence]:
    """Inserts the preceding passage before each passage that refers to it."""
    place = {(p.hit.chunk.id, p.position): p for p in passages}
    out: list[CandidateSentence] = []
    for passage in chosen:
        before = place.get((passage.hit.chunk.id, passage.position - 1)) if passage.refers_back else None
        for each in (before, passage):
            if each is not None and each not in out:
                out.append(each)
    return out


def _in_source_order(chosen: Sequence[CandidateSentence]) -> tuple[CandidateSentence, ...]:
    """Sources in the order in which they were first chosen, each source's passages in reading order."""
    sources = list(dict.fromkeys(passage.hit.chunk.id for passage in chosen))
    return tuple(sorted(chosen, key=lambda p: (sources.index(p.hit.chunk.id), p.position)))
