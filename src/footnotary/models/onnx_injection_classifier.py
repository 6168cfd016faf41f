"""The shipped prompt-injection classifier: a small encoder that detects sentences that instruct the model."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from footnotary.errors import BackendError
from footnotary.models.onnx_session import (
    REINSTALL_HINT,
    OnnxSession,
    check_file,
    load_session,
    load_tokenizer,
    read_config,
    single_line,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_MAX_CHARACTERS_PER_TOKEN = 32
_CACHE_SIZE = 4096


class OnnxInjectionClassifier:
    """Runs `model.onnx` and `tokenizer.json` of a folder of weights, loaded when the first sentence is scored.

    It reads the first `max_tokens` tokens of a sentence. Scores are cached. Safe to share between threads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            config, self.name = read_config(folder)
            self._sha256: dict[str, str] = dict(config["sha256"])
            self._max_tokens = int(config["max_tokens"])
            self._threshold = float(config["threshold"])
            self._suspected_threshold = float(config["suspected_threshold"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BackendError(f"{folder} is not a folder of weights: {error!r}", hint=REINSTALL_HINT) from error
        self._loaded: tuple[OnnxSession, Tokenizer] | None = None
        self._loading = Lock()
        self._read = lru_cache(maxsize=_CACHE_SIZE)(self._run)

    def is_injection(self, sentence: str, suspected: bool) -> bool:
        """Whether a sentence is a prompt injection; the threshold is lower where its form makes it suspected.

        Raises `BackendError` where the model cannot be run.
        """
        return self.probability(sentence) >= (self._suspected_threshold if suspected else self._threshold)

    def probability(self, sentence: str) -> float:
        """The probability that a sentence is a prompt injection."""
        return self._read(single_line(sentence))

    def _run(self, sentence: str) -> float:
        import numpy as np

        session, tokenizer = self._model()
        encoding = tokenizer.encode(sentence[: self._max_tokens * _MAX_CHARACTERS_PER_TOKEN])
        inputs = {"ids": encoding.ids, "kinds": encoding.type_ids}
        try:
            output = session.run(None, {name: np.array([row], dtype=np.int64) for name, row in inputs.items()})[0]
        except Exception as error:  # onnxruntime raises classes of its own, without a common public parent
            raise BackendError(f"{self.name} failed on a sentence of {len(encoding.ids)} tokens: {error}") from error
        if output.shape != (1, 2) or not np.isfinite(output).all():
            raise BackendError(f"{self.name} did not return a probability: {output.tolist()}", hint=REINSTALL_HINT)
        return float(output[0, 0])

    def _model(self) -> tuple[OnnxSession, Tokenizer]:
        with self._loading:
            if self._loaded is None:
                for file, sha256 in self._sha256.items():
                    check_file(self._folder, file, sha256)
                tokenizer = load_tokenizer((self._folder / "tokenizer.json").read_bytes())
                tokenizer.enable_truncation(self._max_tokens)  # pyright: ignore[reportUnknownMemberType]
                # A sentence is too short to split over threads.
                self._loaded = load_session(self._folder / "model.onnx", threads=1), tokenizer
            return self._loaded
