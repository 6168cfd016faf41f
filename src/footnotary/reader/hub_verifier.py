"""A third-party verifier: any sequence-classification entailment checkpoint exported to ONNX."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from footnotary.errors import BackendError, UsageError
from footnotary.models.onnx_session import encode_pair, load_session, load_tokenizer, single_line, usable_cores
from footnotary.ports import FusionWeights
from footnotary.reader.calibration import sigmoid
from footnotary.reader.evidence_window import window_for

if TYPE_CHECKING:
    from tokenizers import Tokenizer

EXPORT_HINT = "export it with `optimum-cli export onnx --task text-classification`, and keep tokenizer.json next to it"
_EVIDENCE_WORDS = 230
_MAX_TOKENS = 512
_CACHE_SIZE = 4096


class HubVerifier:
    """Runs `model.onnx` (or `onnx/model.onnx`) with `tokenizer.json` and `config.json` from a checkpoint's folder.

    The passage is the first text and the claim the second, as such checkpoints are trained. The
    entailment label is found by its name; a checkpoint with a single output gives the probability itself. Its score is
    fused with the checks only: no weights for lexical overlap were fitted. A claim longer than its input limit gets 0.
    """

    def __init__(self, folder: Path) -> None:
        try:
            config = cast("dict[str, Any]", json.loads((folder / "config.json").read_text(encoding="utf-8")))
            labels = {int(key): str(value) for key, value in cast("Mapping[str, str]", config["id2label"]).items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"{folder} does not hold a classifier: {error!r}", hint=EXPORT_HINT) from error
        self._entailing = _entailment_label(labels, folder)
        model_file = next((f for f in (folder / "model.onnx", folder / "onnx" / "model.onnx") if f.is_file()), None)
        if model_file is None or not (folder / "tokenizer.json").is_file():
            raise UsageError(f"{folder} lacks model.onnx or tokenizer.json", hint=EXPORT_HINT)
        self._folder, self._model_file = folder, model_file
        self._most = min(_MAX_TOKENS, int(config.get("max_position_embeddings") or _MAX_TOKENS))
        digest = hashlib.sha256(model_file.read_bytes() + json.dumps(config, sort_keys=True).encode())
        self.name = f"{folder.name}@{digest.hexdigest()[:12]}"
        self.fusion_weights = FusionWeights()
        self._loaded: tuple[Any, Tokenizer] | None = None
        self._loading = Lock()
        self._scored = lru_cache(maxsize=_CACHE_SIZE)(self._run)

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (claim, passages) the probability that the passages together support the claim."""
        return [
            self._scored(single_line(claim), single_line(window_for(claim, passages, _EVIDENCE_WORDS)))
            for claim, passages in pairs
        ]

    def _run(self, claim: str, evidence: str) -> float:
        import numpy as np

        session, tokenizer = self._model()
        encoding = encode_pair(tokenizer, evidence, claim)
        if encoding is None:
            return 0.0
        given = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        wanted = {one.name for one in session.get_inputs()}
        try:
            inputs = {name: np.array([ids], dtype=np.int64) for name, ids in given.items() if name in wanted}
            logits = session.run(None, inputs)[0][0]
        except Exception as error:  # onnxruntime raises classes of its own, without a common public parent
            raise BackendError(f"{self.name} failed on a pair of {len(encoding.ids)} tokens: {error}") from error
        if self._entailing >= len(logits) or not np.isfinite(logits).all():
            raise BackendError(f"{self.name} gave {logits.tolist()}, which does not match its labels", hint=EXPORT_HINT)
        if len(logits) == 1:
            return sigmoid(float(logits[0]))
        shares = np.exp(logits - logits.max())
        return float(shares[self._entailing] / shares.sum())

    def _model(self) -> tuple[Any, Tokenizer]:
        with self._loading:
            if self._loaded is None:
                tokenizer = load_tokenizer((self._folder / "tokenizer.json").read_bytes())
                tokenizer.enable_truncation(self._most, strategy="only_first")  # pyright: ignore[reportUnknownMemberType]
                session = load_session(self._model_file, threads=usable_cores())
                self._loaded = cast(Any, session), tokenizer
            return self._loaded


def _entailment_label(labels: Mapping[int, str], folder: Path) -> int:
    if len(labels) == 1:
        return 0
    plain = {place: label.lower().replace("-", "_").replace(" ", "_") for place, label in labels.items()}
    names = ("entailment", "entailed", "entails", "supported", "supports", "consistent", "factual", "grounded")
    found = [place for name in names for place, label in plain.items() if label == name]
    if not found:
        raise UsageError(
            f"{folder} has the labels {sorted(labels.values())}, none of which means entailment",
            hint='name the label "entailment" in id2label of its config.json',
        )
    return found[0]
