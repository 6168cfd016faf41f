"""Evidence-sufficient synthesis: is the evidence sufficient, is every sentence covered, is every source cited."""

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.compat.c3_enforcement import is_refusal, parse_c3_answer
from footnotary.compat.c3_evidence import ChunkLike, evidence_from_chunks, legal_profile, semantic_ids
from footnotary.compat.c3_generation import run_generation
from footnotary.domain.evidence import Evidence
from footnotary.external.passages import SCOPE, quote_tokens
from footnotary.gate.intent import understand
from footnotary.gate.sufficiency import check_sufficiency
from footnotary.text.sentences.factual_content import has_factual_content
from footnotary.text.sentences.splitter import sentences
from footnotary.verify.form.uncited_sources import used_but_uncited
from footnotary.verify.meaning.word_overlap import chunk_overlap, heading_text, overlap

# The overlap required with several sources, as a fraction of that with one source.
_SEVERAL_SOURCES_FACTOR = 0.7


@dataclass
class EvidenceSufficiency:
    """Whether the evidence can answer the question; `relevant_chunks` are the semantic ids of those that can."""

    is_sufficient: bool
    reason: str
    relevant_chunks: list[str]
    query_type: str


@dataclass
class ClaimCoverage:
    """Whether a sentence is covered by what it cites; `covering_chunks` are the semantic ids that share its words."""

    sentence: str
    is_covered: bool
    covering_chunks: list[str]
    reason: str


@dataclass
class SynthesizedAnswer:
    """A grounded answer with its sufficiency result and the coverage of every delivered sentence."""

    query: str
    answer: str
    is_grounded: bool
    cited_sources: list[str]
    invalid_citations: list[str]
    retrieved_semantic_ids: list[str]
    refusal_reason: str | None
    is_sufficient: bool
    sufficiency_reason: str
    query_type: str
    uncovered_claims: list[str]
    claim_coverage: list[ClaimCoverage]
    evidence_sufficiency: EvidenceSufficiency


def classify_query_type(query: str) -> str:
    """One of definition, punishment, procedure, scope and general: the first kind that the question names."""
    kinds = (facet.type for facet in understand(query, SCOPE, legal_profile()).facets)
    return next((kind for kind in kinds if kind not in ("general", "example", "problem")), "general")


def is_evidence_sufficient(query: str, retrieved_chunks: Sequence[ChunkLike]) -> EvidenceSufficiency:
    """Whether the chunks can answer the question, decided before anything is generated.

    They must be about the subject of the question, from the exact provision where one is named, and contain the kind of
    content asked for. The caller's scores are ignored; chunks without id or text and duplicates do not count.
    """
    return _sufficiency(evidence_from_chunks(query, retrieved_chunks))


def split_into_sentences(text: str) -> list[str]:
    """The sentences of a text, verbatim; a marker stays with its sentence."""
    return list(sentences(text))


def check_claim_coverage(
    sentence: str, retrieved_chunks: Sequence[ChunkLike], min_overlap: float = 0.3
) -> ClaimCoverage:
    """Whether a sentence shares at least `min_overlap` of its content words with the chunks it cites.

    With several citations 70 % of that is enough, over all of them together. A sentence that cites nothing is covered
    only if it asserts nothing; one that cites a chunk that was not retrieved never is. Overlap is only a coarse filter:
    `enforce_c3` decides whether the source supports the sentence.
    """
    found = parse_c3_answer(sentence)
    text = " ".join(claim.text for claim in found.claims)
    evidence = evidence_from_chunks("", retrieved_chunks)
    unknown = [cited for cited in found.cited if cited not in evidence.ids]
    if found.malformed:
        return ClaimCoverage(sentence, False, [], f"Malformed citations: {quote_tokens(found.malformed)}")
    if unknown:
        return ClaimCoverage(sentence, False, [], f"Insufficient evidence: not retrieved: {', '.join(unknown)}")
    if not found.cited:
        if not text.strip():
            return ClaimCoverage(sentence, False, [], "Empty sentence")
        if has_factual_content(text):
            return ClaimCoverage(sentence, False, [], "No citations, and the sentence asserts something")
        return ClaimCoverage(sentence, True, [], "Meta-statement: it asserts nothing that needs evidence")
    chunks = [hit.chunk for hit in evidence.hits if hit.chunk.id in found.cited]
    needed = min_overlap if len(chunks) == 1 else min_overlap * _SEVERAL_SOURCES_FACTOR
    share = overlap(text, [part for chunk in chunks for part in (chunk.text, heading_text(chunk))])
    measured = f"{share:.0%} of its words are in the cited chunks, required {needed:.0%}"
    # A product of decimals: 0.3 * 0.7 is a little less or more than 0.21.
    if has_factual_content(text) and share < needed - 1e-9:
        return ClaimCoverage(sentence, False, [], f"Insufficient overlap: {measured}")
    covering = [chunk.id for chunk in chunks if chunk_overlap(text, chunk) > 0]
    return ClaimCoverage(sentence, True, covering, f"Covered: {measured}")


def validate_multi_chunk_citations(
    answer_text: str, retrieved_chunks: Sequence[ChunkLike]
) -> tuple[bool, list[str], str]:
    """Whether each sentence cites every chunk it draws on: (is_valid, missing ids, reason).

    A chunk that adds nothing to a cited one need not be cited. An answer that cites nothing, or something that was not
    retrieved, is not valid either.
    """
    if is_refusal(answer_text):
        return True, [], "A refusal uses no source"
    evidence = evidence_from_chunks("", retrieved_chunks)
    found = parse_c3_answer(answer_text)
    unknown = [cited for cited in found.cited if cited not in evidence.ids]
    missing = list(
        dict.fromkeys(used for claim in found.claims for used in _uncited(claim.text, claim.cites, evidence))
    )
    if missing:
        return False, missing, f"Used without a citation: {', '.join(missing)}"
    if unknown or found.malformed:
        return False, [], f"Not citations of retrieved chunks: {quote_tokens((*unknown, *found.malformed))}"
    if not found.cited:
        return False, [], "Answer contains no citations"
    return True, [], "All sources used are properly cited"


def synthesize_answer(
    query: str, retrieved_chunks: Sequence[ChunkLike], use_mock: bool = True, model: str = "gpt-3.5-turbo"
) -> SynthesizedAnswer:
    """`generate_grounded_answer` with its sufficiency result and the coverage of every sentence.

    Returns an answer all of whose sentences are covered, or the refusal, with `is_sufficient` False where the evidence
    was insufficient and `is_grounded` False where the draft was rejected.
    """
    evidence = evidence_from_chunks(query, retrieved_chunks)
    sufficiency = _sufficiency(evidence)
    made = run_generation(evidence, use_mock=use_mock, model=model)
    delivered = made.answer
    coverage = (
        [] if is_refusal(delivered) else [check_claim_coverage(s, retrieved_chunks) for s in sentences(delivered)]
    )
    return SynthesizedAnswer(
        query=query,
        answer=delivered,
        is_grounded=made.is_grounded,
        cited_sources=made.cited_sources,
        invalid_citations=made.invalid_citations,
        retrieved_semantic_ids=semantic_ids(retrieved_chunks),
        refusal_reason=made.refusal_reason,
        is_sufficient=sufficiency.is_sufficient,
        sufficiency_reason=sufficiency.reason,
        query_type=sufficiency.query_type,
        uncovered_claims=made.failed_claims,
        claim_coverage=coverage,
        evidence_sufficiency=sufficiency,
    )


def _sufficiency(evidence: Evidence) -> EvidenceSufficiency:
    kind = classify_query_type(evidence.query.text)
    if not evidence.hits:
        return EvidenceSufficiency(False, "No evidence: no chunk with an id and a text was retrieved", [], kind)
    gate = check_sufficiency(evidence, legal_profile())
    is_sufficient = gate.verdict.status == "pass"
    reason = gate.verdict.detail if is_sufficient else f"Insufficient: {gate.verdict.detail}"
    return EvidenceSufficiency(is_sufficient, reason, [hit.chunk.id for hit in gate.relevant], kind)


def _uncited(claim: str, cites: Sequence[str], evidence: Evidence) -> list[str]:
    """The chunks a sentence uses beyond those it cites, found one by one until its content is accounted for."""
    cited = [hit.chunk for hit in evidence.hits if hit.chunk.id in cites]
    missing: list[str] = []
    while has_factual_content(claim):
        others = [hit.chunk for hit in evidence.hits if hit.chunk not in cited]
        used = used_but_uncited(claim, [chunk.text for chunk in cited], [chunk.text for chunk in others])
        if used is None:
            break
        cited.append(others[used])
        missing.append(others[used].id)
    return missing
