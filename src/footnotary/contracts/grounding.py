"""The compliance service's contract: the public name of `footnotary.compat.grounding`."""

from footnotary.compat.grounding import (
    COLLECTION_NOT_FOUND,
    GENERATION_ERROR,
    INSUFFICIENT_SOURCES,
    NO_RELEVANT_CONTENT,
    REFUSAL_MESSAGE,
    RULES,
    AnswerResult,
    GroundedGenerator,
    RetrievalResult,
    RetrievalSource,
    build_context,
    generate_answer,
    retrieve,
)

__all__ = [
    "COLLECTION_NOT_FOUND",
    "GENERATION_ERROR",
    "INSUFFICIENT_SOURCES",
    "NO_RELEVANT_CONTENT",
    "REFUSAL_MESSAGE",
    "RULES",
    "AnswerResult",
    "GroundedGenerator",
    "RetrievalResult",
    "RetrievalSource",
    "build_context",
    "generate_answer",
    "retrieve",
]
