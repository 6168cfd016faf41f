"""The legal assistant's chunks, and its profile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from footnotary.domain.document import Labels
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.identity import is_semantic_id
from footnotary.external.passages import (
    SCOPE,
    clamp_score,
    first_field,
    first_text_field,
    make_evidence,
    make_hit,
    with_score_thresholds,
)
from footnotary.gate.intent import understand
from footnotary.profiles.load import load_profile
from footnotary.profiles.schema import Profile

REFUSAL_MESSAGE = "I cannot answer based on the provided documents."


@dataclass
class RetrievedChunk:
    """A passage retrieved for a question. Answers cite it by `semantic_id`."""

    chunk_id: str
    semantic_id: str
    text: str
    score: float = 0.0
    act: str | None = None
    section: str | None = None


ChunkLike: TypeAlias = RetrievedChunk | Mapping[str, Any] | object


@lru_cache(maxsize=1)
def legal_profile() -> Profile:
    """The legal profile without score thresholds, because the scores are the caller's own."""
    return with_score_thresholds(load_profile("legal"), min_score=0.0)


def evidence_from_chunks(query: str, chunks: Sequence[ChunkLike] | None) -> Evidence:
    """The chunks as evidence for the question: those with a text and an id that can be cited, each id once."""
    hits = (_hit(chunk) for chunk in chunks or ())
    return make_evidence(
        understand(query, SCOPE, legal_profile()), (hit for hit in hits if is_semantic_id(hit.chunk.id))
    )


def semantic_ids(chunks: Sequence[ChunkLike] | None) -> list[str]:
    """The ids of all chunks as passed in, duplicates included."""
    return [first_text_field(chunk, "semantic_id") or "" for chunk in chunks or ()]


def _hit(chunk: ChunkLike) -> Hit:
    cited = first_text_field(chunk, "semantic_id") or ""
    # An id consists of act, section and number, so it supplies fields that the chunk lacks.
    code, _, rest = cited.partition("_")
    section = rest.rpartition("_")[0]
    labels = Labels(
        kind="act",
        code=code or None,
        act=first_text_field(chunk, "act") or None,
        section=first_text_field(chunk, "section") or section or None,
    )
    return make_hit(
        cited, first_text_field(chunk, "text", "content") or "", clamp_score(first_field(chunk, "score")), labels
    )
