"""Words as a small reader sees them: a direction from the table of word pieces, a few plain features, and a stem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from footnotary.models.static_embedder import load_piece_table
from footnotary.models.weights_folder import open_weights
from footnotary.text.tokens import content_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_CACHE_SIZE = 50_000
# Vectors of the table are up to about 20 long; this brings the logarithm of their length near 1.
_LENGTH_SCALE = 3.0


@dataclass(frozen=True, slots=True)
class WordRows:
    """Words in order: unit vectors, features (weight, number, holds a digit, stop word, ASCII), and stems.

    A stop word has the stem "". A word with no piece in the table has the vector 0.
    """

    vectors: NDArray[np.float32]
    features: NDArray[np.float32]
    stems: tuple[str, ...]


class WordVectors:
    """Looks words up in the table of a static embedder, loaded for the first word; safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self._weights = open_weights(folder)
        self.name = self._weights.name
        self._table: tuple[NDArray[np.float32], Tokenizer] | None = None
        self._row = lru_cache(maxsize=_CACHE_SIZE)(self._looked_up)
        self._lock = Lock()

    def rows(self, words: Sequence[str]) -> WordRows:
        """One row for each word; `words` are folded, as `text.tokens.words` gives them, and at least one."""
        import numpy as np

        with self._lock:
            vectors, features, stems = zip(*map(self._row, words), strict=True)
        return WordRows(np.stack(vectors), np.stack(features), stems)

    def _looked_up(self, word: str) -> tuple[NDArray[np.float32], NDArray[np.float32], str]:
        import numpy as np

        if self._table is None:
            self._table = load_piece_table(self._weights)
        table, tokenizer = self._table
        vector = table[tokenizer.encode(word, add_special_tokens=False).ids].sum(axis=0)
        length = float(np.linalg.norm(vector))
        stem = " ".join(content_terms(word))
        features = (np.log1p(length) / _LENGTH_SCALE, word.isdigit(), any(c.isdigit() for c in word), not stem)
        return vector / length if length else vector, np.array((*features, word.isascii()), dtype=np.float32), stem
