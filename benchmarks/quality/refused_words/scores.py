"""A verifier whose probabilities are kept in a file, so that a stopped measurement continues where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from footnotary.ports import Verifier


class CachedSupport:
    """Implements `footnotary.ports.Verifier`; the file is named after the weights."""

    def __init__(self, by: Verifier, folder: Path) -> None:
        self._by, self.name, self.fusion_weights = by, by.name, by.fusion_weights
        self._path = folder / f"{by.name}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)
        lines = self._path.read_text("utf-8").splitlines() if self._path.is_file() else []
        self._known: dict[str, float] = dict(map(json.loads, lines))

    def support(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        keys = [hashlib.sha256("\0".join((claim, *texts)).encode()).hexdigest()[:24] for claim, texts in pairs]
        missing = [place for place, key in enumerate(keys) if key not in self._known]
        said = self._by.support([pairs[place] for place in missing]) if missing else ()
        with self._path.open("a", encoding="utf-8") as file:
            for place, value in zip(missing, said, strict=True):
                self._known[keys[place]] = float(value)
                file.write(json.dumps([keys[place], float(value)]) + "\n")
        return [self._known[key] for key in keys]
