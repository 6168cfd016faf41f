"""Removes hits that repeat a better one (near-duplicates)."""

from collections.abc import Iterable, Iterator

from footnotary.domain.evidence import Hit
from footnotary.text.number_words import SCALES, SMALL
from footnotary.text.stopwords import NEGATIONS
from footnotary.text.tokens import words

_DECISIVE_WORDS = NEGATIONS | frozenset(SMALL) | frozenset(SCALES)


def without_near_duplicates(hits: Iterable[Hit], threshold: float) -> Iterator[Hit]:
    """The hits in order, without those whose words overlap a kept one by `threshold` or more (Jaccard, inclusive).

    Hits with different numbers, in digits or in words, or of which only one has a "not" are never duplicates of each
    other: two versions of a fine are two facts. Hits are compared lazily: taking five compares five.
    """
    kept: list[frozenset[str]] = []
    for hit in hits:
        said = frozenset(words(hit.chunk.text))
        if not any(_is_near_duplicate(said, other, threshold) for other in kept):
            kept.append(said)
            yield hit


def _is_near_duplicate(one: frozenset[str], other: frozenset[str], threshold: float) -> bool:
    if len(one & other) < threshold * len(one | other):
        return False
    return not any(word in _DECISIVE_WORDS or any(char.isdigit() for char in word) for word in one ^ other)
