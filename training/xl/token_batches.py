"""Prompts as token numbers, and several of them as one right-padded array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

LONGEST = 1400
_ENDING = 300


@dataclass(frozen=True, slots=True)
class TokenRows:
    ids: list[np.ndarray]
    targets: np.ndarray

    @staticmethod
    def of(ids: list[np.ndarray], labels: list[float], smoothing: float) -> TokenRows:
        """The rows that are not too long, with their labels a little away from certainty."""
        kept = [i for i, row in enumerate(ids) if len(row) <= LONGEST]
        targets = np.array([labels[i] for i in kept], np.float32) * (1 - 2 * smoothing) + smoothing
        return TokenRows([ids[i] for i in kept], targets)


def tokenise(texts: list[str], tokenizer: Any, most: int) -> list[np.ndarray]:
    """Token numbers of each text; of a text longer than `most` (if given) the end of the evidence is left out."""
    out: list[np.ndarray] = []
    for first in range(0, len(texts), 20_000):
        for found in tokenizer.encode_batch(texts[first : first + 20_000], add_special_tokens=False):
            ids = np.array(found.ids, np.int32)
            out.append(np.concatenate([ids[: most - _ENDING], ids[-_ENDING:]]) if most and len(ids) > most else ids)
    return out


def padded(rows: list[np.ndarray], device: str) -> tuple[torch.Tensor, torch.Tensor]:
    ids = np.zeros((len(rows), -(-max(len(row) for row in rows) // 8) * 8), np.int64)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
    last = torch.tensor([len(row) - 1 for row in rows])
    return torch.from_numpy(ids).to(device), last.to(device)
