"""The C3 contract of the legal assistant: every sentence cites `[semantic_id]` and is supported, or the exact refusal.

Chunks may be `RetrievedChunk`s, any objects with the same attributes, or mappings; an id and a text are all that is
needed.
"""

from footnotary.compat.c3_enforcement import enforce_c3, extract_citations
from footnotary.compat.c3_evidence import REFUSAL_MESSAGE, ChunkLike, RetrievedChunk
from footnotary.compat.c3_generation import GroundedAnswer, build_grounded_prompt, generate_grounded_answer
from footnotary.compat.c3_synthesis import (
    ClaimCoverage,
    EvidenceSufficiency,
    SynthesizedAnswer,
    check_claim_coverage,
    classify_query_type,
    is_evidence_sufficient,
    split_into_sentences,
    synthesize_answer,
    validate_multi_chunk_citations,
)

__all__ = [
    "REFUSAL_MESSAGE",
    "ChunkLike",
    "ClaimCoverage",
    "EvidenceSufficiency",
    "GroundedAnswer",
    "RetrievedChunk",
    "SynthesizedAnswer",
    "build_grounded_prompt",
    "check_claim_coverage",
    "classify_query_type",
    "enforce_c3",
    "extract_citations",
    "generate_grounded_answer",
    "is_evidence_sufficient",
    "split_into_sentences",
    "synthesize_answer",
    "validate_multi_chunk_citations",
]
