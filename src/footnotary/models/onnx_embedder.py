"""The default embedder: a small transformer in int8, run by onnxruntime on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from footnotary.errors import BackendError
from footnotary.models.onnx_session import REINSTALL_HINT, OnnxSession, load_session, load_tokenizer, usable_cores
from footnotary.models.weights_folder import WeightsFolder, open_weights

if TYPE_CHECKING:  # numpy, onnxruntime and tokenizers are imported when the first text is embedded
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from footnotary.ports import RelevanceCalibration, Vector, Vectors

UNIT_TOLERANCE = 1e-3


class OnnxEmbedder:
    """Embeds with `model.onnx` and `tokenizer.json` of a folder of weights.

    Only the first `max_tokens` tokens (256 in the shipped weights) of a text are read, and runs of white space
    count as one space. A text's vector does not depend on the texts embedded with it: each is run by itself,
    without padding, and several run at the same time on separate threads.
    """

    def __init__(self, folder: Path) -> None:
        self._weights = open_weights(folder)
        self._loaded: tuple[OnnxSession, Tokenizer] | None = None
        self._loading = Lock()

    @property
    def name(self) -> str:
        return self._weights.name

    @property
    def dimensions(self) -> int:
        return self._weights.dimensions

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages the weights were trained for; vectors of other languages are unreliable."""
        return self._weights.languages

    @property
    def calibration(self) -> RelevanceCalibration:
        return self._weights.calibration

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order; an empty list gives a matrix without rows."""
        return self._embed([self._weights.passage(text) for text in texts])

    def embed_question(self, text: str) -> Vector:
        """The unit vector of a question, comparable with passages by dot product."""
        return self._embed([self._weights.question(text)])[0]

    def _embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        session, tokenizer = self._model()
        # Laws, headings and forms repeat themselves: texts with the same tokens are run once.
        read = [tuple(encoding.ids) for encoding in tokenizer.encode_batch(texts)]
        # Longest first, so that no thread is left with a long text at the end.
        ids = sorted(set(read), key=lambda one: (-len(one), one))
        if len(ids) == 1:
            rows = [self._run(session, ids[0])]
        else:
            with ThreadPoolExecutor(max_workers=min(usable_cores(), len(ids))) as threads:
                rows = list(threads.map(partial(self._run, session), ids))
        places = {one: place for place, one in enumerate(ids)}
        return np.stack(rows)[[places[one] for one in read]]

    def _run(self, session: OnnxSession, ids: tuple[int, ...]) -> Vector:
        import numpy as np

        try:
            output = session.run(None, {"ids": np.array([ids], dtype=np.int64)})[0]
        except Exception as error:  # onnxruntime raises classes of its own, without a common public parent
            raise BackendError(f"{self.name} failed on a text of {len(ids)} tokens: {error}") from error
        return checked_unit_vector(output, self.name, self.dimensions)

    def _model(self) -> tuple[OnnxSession, Tokenizer]:
        with self._loading:
            if self._loaded is None:
                self._loaded = _load_model(self._weights)
            return self._loaded


def checked_unit_vector(output: NDArray[np.float32], name: str, dimensions: int) -> Vector:
    """The one row of `output` as a unit vector.

    Raises `BackendError` for a vector that search cannot use: wrong shape, not finite, or of length zero. Such a
    vector in an index would match every question, or none.
    """
    import numpy as np

    if output.shape != (1, dimensions):
        raise BackendError(f"{name} gave an output of shape {output.shape}, not (1, {dimensions})", hint=REINSTALL_HINT)
    length = float(np.linalg.norm(output[0]))
    if not abs(length - 1.0) <= UNIT_TOLERANCE:  # false for NaN as well
        raise BackendError(f"{name} gave a vector of length {length}, not 1", hint=REINSTALL_HINT)
    return (output[0] / np.float32(length)).astype(np.float32, copy=False)


def _load_model(weights: WeightsFolder) -> tuple[OnnxSession, Tokenizer]:
    tokenizer = load_tokenizer(weights.read("tokenizer.json"))
    tokenizer.enable_truncation(weights.max_tokens)  # pyright: ignore[reportUnknownMemberType]
    # Texts run in parallel; splitting one of them over threads gains less.
    return load_session(weights.read("model.onnx"), threads=1), tokenizer
