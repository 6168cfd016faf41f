"""The shipped prompt-injection classifier: a small encoder that detects sentences that instruct the model."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING

from footnotary.errors import BackendError
from footnotary.models.onnx_session import (
    REINSTALL_HINT,
    OnnxSession,
    load_session,
    load_tokenizer,
    read_checked,
    read_config,
    single_line,
)
from footnotary.models.unpacked_graph import write_unpacked

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_MAX_CHARACTERS_PER_TOKEN = 32
_CACHE_SIZE = 4096
# Unpacking the weights takes as long as it saves in this many sentences: an answer has fewer, an ingest has more.
_READS_BEFORE_UNPACKING = 8


class OnnxInjectionClassifier:
    """Runs `model.onnx` and `tokenizer.json` of a folder of weights, loaded when the first sentence is scored.

    It reads the first `max_tokens` tokens of a sentence. Scores are cached. Safe to share between threads. From the
    ninth sentence on it runs with unpacked weights, at twice to three times the speed and with 42 MB more memory.
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
        self._reads = 0
        self._read = lru_cache(maxsize=_CACHE_SIZE)(self._run)

    def is_injection(self, sentence: str, suspected: bool) -> bool:
        """Whether a sentence is a prompt injection; the threshold is lower where its form makes it suspected.

        Raises `BackendError` where the model cannot be run.
        """
        return self.chance(sentence) >= (self._suspected_threshold if suspected else self._threshold)

    def chance(self, sentence: str) -> float:
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
            self._reads += 1
            # A sentence is too short to split over threads.
            if self._loaded is None:
                tokenizer = load_tokenizer(self._files()["tokenizer.json"])
                tokenizer.enable_truncation(self._max_tokens)  # pyright: ignore[reportUnknownMemberType]
                self._loaded = load_session(self._folder / "model.onnx", threads=1), tokenizer
            elif self._reads == _READS_BEFORE_UNPACKING + 1:
                self._loaded = self._unpacked() or self._loaded[0], self._loaded[1]
            return self._loaded

    def _unpacked(self) -> OnnxSession | None:
        """A session with unpacked weights; None where there is no room for temporary files."""
        try:
            # Windows does not delete a file that is mapped.
            with TemporaryDirectory(prefix="footnotary-", ignore_cleanup_errors=True) as folder:
                files = self._files()
                return load_session(write_unpacked(files["model.onnx"], files, Path(folder)), threads=1)
        except OSError:
            return None

    def _files(self) -> dict[str, bytes]:
        return {file: read_checked(self._folder, file, sha256) for file, sha256 in self._sha256.items()}
