"""BM25 over a few texts in memory, to find passages that share words with a question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from footnotary.text.tokens import content_terms, terms_of


class WordSearch:
    """BM25 over a list of texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [Counter(content_terms(text)) for text in texts]
        spread = Counter(term for counts in self._counts for term in counts)
        self._weights = {t: math.log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for t, n in spread.items()}
        self._mean = sum(counts.total() for counts in self._counts) / max(len(texts), 1)

    def best(self, question: str, number: int) -> list[int]:
        asked = terms_of(question)
        scores = [self._score(asked, counts) for counts in self._counts]
        return sorted(range(len(scores)), key=lambda place: -scores[place])[:number]

    def _score(self, asked: frozenset[str], counts: Counter[str]) -> float:
        longer = 1.2 * (0.25 + 0.75 * counts.total() / self._mean)
        return sum(self._weights[t] * counts[t] * 2.2 / (counts[t] + longer) for t in asked if t in counts)
