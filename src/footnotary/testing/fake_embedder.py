"""An embedder without weights: texts that share words have similar vectors, the same on every machine."""

import hashlib
from collections.abc import Sequence

import numpy as np

from footnotary.ports import RelevanceCalibration, Vector, Vectors
from footnotary.text.tokens import content_terms


class HashEmbedder:
    """Feature hashing: every content word adds +1 or -1 to one dimension; the vector is scaled to length one."""

    def __init__(self, dimensions: int = 64) -> None:
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        return f"hash-{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    @property
    def languages(self) -> tuple[str, ...]:
        return ("en", "hi")

    @property
    def calibration(self) -> RelevanceCalibration:
        """Calibrated for short test texts: a passage with half of the key terms is relevant, one with none is not."""
        return RelevanceCalibration(-3.0, 6.0, 2.0, -3.0, 6.0, dense_weight=0.3)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self._dimensions), np.float32)
        return np.stack([self.embed_question(text) for text in texts])

    def embed_question(self, text: str) -> Vector:
        votes = np.zeros(self._dimensions, np.float32)
        for term in content_terms(text):
            digest = hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).digest()
            votes[int.from_bytes(digest[:7], "big") % self._dimensions] += 1 if digest[7] % 2 else -1
        length = float(np.linalg.norm(votes))
        if length == 0:  # no words, or votes that cancel out
            votes[0] = length = 1.0
        return votes / np.float32(length)
