"""The shipped verifier: a small cross-encoder that reads a claim or a question together with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from footnotary.errors import BackendError
from footnotary.models.onnx_session import (
    REINSTALL_HINT,
    OnnxSession,
    encode_pair,
    load_session,
    load_tokenizer,
    read_checked,
    read_config,
    single_line,
    usable_cores,
)
from footnotary.ports import FusionWeights
from footnotary.text.evidence_window import window_for

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SUPPORT_HEAD: Final = 0
_ANSWERABLE_HEAD: Final = 1
_MAX_CHARACTERS_PER_TOKEN = 32
_CACHE_SIZE = 4096


class OnnxVerifier:
    """Runs `model.onnx` and `tokenizer.json` of a folder of weights, loaded when the first pair is scored.

    Of long passages it reads the parts that share most with the claim. A pair's probability does not depend on the
    other pairs of the call. Input longer than `max_tokens` is truncated at the end of the evidence; a claim or
    question that is too long by itself is not read and gets 0. Scores are cached.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            config, self.name = read_config(folder)
            self._sha256: dict[str, str] = dict(config["sha256"])
            self._max_tokens, self._words = int(config["max_tokens"]), int(config["words"])
            self.fusion_weights = FusionWeights(**config["weighing"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BackendError(f"{folder} is not a folder of weights: {error!r}", hint=REINSTALL_HINT) from error
        self._loaded: tuple[OnnxSession, Tokenizer] | None = None
        self._loading = Lock()
        self._judged = lru_cache(maxsize=_CACHE_SIZE)(self._run)

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (claim, passages) the probability that the passages together support the claim."""
        return [self._read(claim, passages)[_SUPPORT_HEAD] for claim, passages in pairs]

    def answerable(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (question, passages) the probability that the passages answer the question."""
        return [self._read(question, passages)[_ANSWERABLE_HEAD] for question, passages in pairs]

    def _read(self, said: str, passages: Sequence[str]) -> tuple[float, float]:
        return self._judged(single_line(said), single_line(window_for(said, passages, self._words)))

    def _run(self, said: str, evidence: str) -> tuple[float, float]:
        import numpy as np

        session, tokenizer = self._model()
        most = self._max_tokens * _MAX_CHARACTERS_PER_TOKEN
        encoding = encode_pair(tokenizer, said[:most], evidence[:most])
        if encoding is None:
            return 0.0, 0.0
        try:
            output = session.run(
                None,
                {
                    "ids": np.array([encoding.ids], dtype=np.int64),
                    "kinds": np.array([encoding.type_ids], dtype=np.int64),
                },
            )[0]
        except Exception as error:  # onnxruntime raises classes of its own, without a common public parent
            raise BackendError(f"{self.name} failed on a pair of {len(encoding.ids)} tokens: {error}") from error
        if output.shape != (1, 2) or not np.isfinite(output).all():
            raise BackendError(f"{self.name} did not return probabilities: {output.tolist()}", hint=REINSTALL_HINT)
        return float(output[0, 0]), float(output[0, 1])

    def _model(self) -> tuple[OnnxSession, Tokenizer]:
        with self._loading:
            if self._loaded is None:
                for file, sha256 in self._sha256.items():
                    if file not in ("tokenizer.json",):
                        read_checked(self._folder, file, sha256)
                tokenizer = load_tokenizer(
                    read_checked(self._folder, "tokenizer.json", self._sha256.get("tokenizer.json"))
                )
                # The claim is kept whole: truncated evidence supports less, a truncated claim says something else.
                tokenizer.enable_truncation(self._max_tokens, strategy="only_second")  # pyright: ignore[reportUnknownMemberType]
                self._loaded = load_session(self._folder / "model.onnx", threads=usable_cores()), tokenizer
            return self._loaded
