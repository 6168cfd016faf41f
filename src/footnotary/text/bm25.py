"""BM25 over a few texts in memory."""

import math
from collections import Counter
from collections.abc import Sequence

_K1, _B = 1.2, 0.75


def bm25_scores(texts: Sequence[Sequence[str]], terms: Sequence[str]) -> list[float]:
    """The BM25 score of each text, given as its terms; 0 for a text without any of the `terms`."""
    counts = [Counter(text) for text in texts]
    mean = sum(c.total() for c in counts) / max(len(counts), 1) or 1.0
    scores = [0.0] * len(texts)
    for term in terms:
        frequency = sum(term in c for c in counts)
        idf = math.log(1 + (len(texts) - frequency + 0.5) / (frequency + 0.5))
        for i, c in enumerate(counts):
            if c[term]:
                scores[i] += idf * c[term] * (_K1 + 1) / (c[term] + _K1 * (1 - _B + _B * c.total() / mean))
    return scores
