"""A folder of shipped weights: its `config.json`, and its files checked against the hashes there."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from footnotary.errors import BackendError
from footnotary.models.onnx_session import REINSTALL_HINT, read_checked
from footnotary.ports import RelevanceCalibration

MAX_CHARACTERS_PER_TOKEN = 32
KEYS_THAT_DECIDE_VECTORS = ("sha256", "dimensions", "max_tokens", "question_prefix", "passage_prefix")


@dataclass(frozen=True, slots=True)
class WeightsFolder:
    """The settings of one set of weights.

    `name` ends in a digest of everything that decides the vectors (the files' hashes, the limits, the prefixes):
    two folders with one name give the same vectors.
    """

    path: Path
    name: str
    dimensions: int
    max_tokens: int
    question_prefix: str
    passage_prefix: str
    languages: tuple[str, ...]
    calibration: RelevanceCalibration
    sha256: dict[str, str]

    def read(self, file: str) -> bytes:
        """The bytes of `file`, after comparing its hash with the one in the configuration."""
        return read_checked(self.path, file, self.sha256.get(file))

    def passage(self, text: str) -> str:
        """The text the tokenizer gets for a passage."""
        return self.passage_prefix + self._one_line(text)

    def question(self, text: str) -> str:
        """The text the tokenizer gets for a question."""
        return self.question_prefix + self._one_line(text)

    def _one_line(self, text: str) -> str:
        # Layout is not meaning: line breaks and indents would cost tokens and move the vector. Only the first
        # `max_tokens` tokens count, so a text of megabytes is truncated before it is tokenised. A lone surrogate,
        # which tokenizers reject, becomes a question mark.
        kept = " ".join(text.split())[: self.max_tokens * MAX_CHARACTERS_PER_TOKEN]
        return kept.encode("utf-8", "replace").decode("utf-8")


def open_weights(path: Path) -> WeightsFolder:
    """Reads the configuration only; the weights themselves are read when they are first needed."""
    try:
        config = cast("dict[str, object]", json.loads((path / "config.json").read_text(encoding="utf-8")))
        decisive = json.dumps({key: config[key] for key in KEYS_THAT_DECIDE_VECTORS}, sort_keys=True)
        digest = hashlib.sha256(decisive.encode("utf-8")).hexdigest()
        return WeightsFolder(
            path=path,
            name=f"{config['name']}@{digest[:12]}",
            dimensions=int(cast("int", config["dimensions"])),
            max_tokens=int(cast("int", config["max_tokens"])),
            question_prefix=str(config["question_prefix"]),
            passage_prefix=str(config["passage_prefix"]),
            languages=tuple(cast("list[str]", config["languages"])),
            calibration=RelevanceCalibration(**cast("dict[str, float]", config["calibration"])),
            sha256=dict(cast("dict[str, str]", config["sha256"])),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BackendError(f"{path} is not a folder of weights: {error!r}", hint=REINSTALL_HINT) from error
