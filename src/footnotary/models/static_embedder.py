"""The fast embedder: the mean of word-piece vectors from a table. It does not need onnxruntime and covers Hindi."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from footnotary.errors import BackendError
from footnotary.models.onnx_session import REINSTALL_HINT
from footnotary.models.weights_folder import WeightsFolder, open_weights

if TYPE_CHECKING:  # numpy and tokenizers are imported when the first text is embedded
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from footnotary.ports import RelevanceCalibration, Vector, Vectors

BATCH_SIZE = 256


class StaticEmbedder:
    """Embeds with `table.npy`, `scales.npy` and `tokenizer.json` of a folder of weights.

    Only the first `max_tokens` pieces (512 in the shipped weights) of a text count. A text without any piece the
    table knows (white space, another script) still gets a unit vector: one fixed direction for passages and the
    opposite one for questions, so that two unknown texts are as far apart as possible.
    """

    def __init__(self, folder: Path) -> None:
        self._weights = open_weights(folder)
        self._loaded: tuple[NDArray[np.float32], Tokenizer] | None = None
        self._loading = Lock()

    @property
    def name(self) -> str:
        return self._weights.name

    @property
    def dimensions(self) -> int:
        return self._weights.dimensions

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages the table covers; vectors of other languages are unreliable."""
        return self._weights.languages

    @property
    def calibration(self) -> RelevanceCalibration:
        return self._weights.calibration

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order; an empty list gives a matrix without rows."""
        return self._embed([self._weights.passage(text) for text in texts], unknown=1.0)

    def embed_question(self, text: str) -> Vector:
        """The unit vector of a question, comparable with passages by dot product."""
        return self._embed([self._weights.question(text)], unknown=-1.0)[0]

    def _embed(self, texts: Sequence[str], unknown: float) -> Vectors:
        import numpy as np

        rows, tokenizer = self._table()
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), BATCH_SIZE):
            batch = tokenizer.encode_batch_fast(texts[start : start + BATCH_SIZE], add_special_tokens=False)
            for place, encoding in enumerate(batch, start):
                vectors[place] = rows[encoding.ids].sum(axis=0)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        nothing = lengths[:, 0] == 0.0
        vectors[nothing, 0] = unknown
        lengths[nothing] = 1.0
        if not bool(np.isfinite(lengths).all()):
            raise BackendError(f"{self.name} gave a vector that is not finite", hint=REINSTALL_HINT)
        return vectors / lengths

    def _table(self) -> tuple[NDArray[np.float32], Tokenizer]:
        with self._loading:
            if self._loaded is None:
                self._loaded = load_piece_table(self._weights)
            return self._loaded


def load_piece_table(weights: WeightsFolder) -> tuple[NDArray[np.float32], Tokenizer]:
    """The vectors of the word pieces, and the tokenizer that numbers them; rarer pieces have longer vectors."""
    import numpy as np
    from tokenizers import Tokenizer

    try:
        table: NDArray[np.int8] = np.load(io.BytesIO(weights.read("table.npy")), allow_pickle=False)
        scales: NDArray[np.float16] = np.load(io.BytesIO(weights.read("scales.npy")), allow_pickle=False)
        tokenizer = Tokenizer.from_str(weights.read("tokenizer.json").decode("utf-8"))
        tokenizer.enable_truncation(weights.max_tokens)  # pyright: ignore[reportUnknownMemberType]
    except BackendError:
        raise
    except Exception as error:  # tokenizers raises plain Exception for a file it cannot read
        raise BackendError(f"{weights.path} could not be loaded: {error}", hint=REINSTALL_HINT) from error
    if table.shape != (tokenizer.get_vocab_size(), weights.dimensions) or scales.shape != table.shape[:1]:
        raise BackendError(
            f"{weights.path} holds a table of shape {table.shape} and scales of shape {scales.shape} for "
            f"{tokenizer.get_vocab_size()} pieces of {weights.dimensions} dimensions",
            hint=REINSTALL_HINT,
        )
    return table.astype(np.float32) * scales[:, None].astype(np.float32), tokenizer
