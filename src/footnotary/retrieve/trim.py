"""Drops hits that say again what a better one says."""

from collections.abc import Sequence

from footnotary.domain.evidence import Hit
from footnotary.text.tokens import words


def without_near_duplicates(hits: Sequence[Hit], threshold: float) -> tuple[Hit, ...]:
    """The hits in order, less those whose words overlap a kept one by `threshold` or more (Jaccard, inclusive).

    Hits with different figures are never duplicates of each other: two versions of a fine are two facts.
    """
    kept: list[tuple[Hit, frozenset[str]]] = []
    for hit in hits:
        said = frozenset(words(hit.chunk.text))
        if not any(_same(said, other, threshold) for _, other in kept):
            kept.append((hit, said))
    return tuple(hit for hit, _ in kept)


def _same(one: frozenset[str], other: frozenset[str], threshold: float) -> bool:
    if {w for w in one ^ other if any(c.isdigit() for c in w)}:
        return False
    return len(one & other) >= threshold * len(one | other)
