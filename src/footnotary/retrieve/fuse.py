"""Puts two ranked lists together."""

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Ranks
from footnotary.domain.identity import SemanticId
from footnotary.ports import Scored

DAMPING = 60.0
DENSE_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Fused:
    id: SemanticId
    score: float
    ranks: Ranks


def fuse(
    lexical: Sequence[Scored], dense: Sequence[Scored], *, damping: float = DAMPING, dense_weight: float = DENSE_WEIGHT
) -> tuple[Fused, ...]:
    """Weighted reciprocal-rank fusion, best first, equal scores in order of id.

    `dense_weight` 0 leaves the lexical order as it is, 1 the dense one.
    """
    by_word = {scored.id: rank for rank, scored in enumerate(lexical, 1)}
    by_meaning = {scored.id: rank for rank, scored in enumerate(dense, 1)}

    def weight(cited: SemanticId) -> float:
        word, meaning = by_word.get(cited), by_meaning.get(cited)
        return (0.0 if word is None else (1 - dense_weight) / (damping + word)) + (
            0.0 if meaning is None else dense_weight / (damping + meaning)
        )

    order = sorted({**by_word, **by_meaning}, key=lambda cited: (-weight(cited), cited))
    return tuple(
        Fused(cited, weight(cited), Ranks(by_word.get(cited), by_meaning.get(cited), rank))
        for rank, cited in enumerate(order, 1)
    )
