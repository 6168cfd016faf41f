"""What a trained large reader says of questions, for a smaller one to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from tokenizers import Tokenizer

from training.reader.shipped_weights import LARGE, updated_reader

if TYPE_CHECKING:
    from collections.abc import Callable

Row = dict[str, Any]


def soft_labels(
    folder: Path,
    update: Path,
    rows: list[Row],
    device: str,
    tokenise: Callable[..., Any],
    logits_of: Callable[..., Any],
) -> torch.Tensor:
    """For each question the probability that a large reader gives it, with the headings as they are."""
    reader = updated_reader(folder, update, LARGE).to(device)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(448, strategy="only_second")
    pairs = tokenise(rows, tokenizer, None)
    return torch.sigmoid(torch.from_numpy(logits_of(reader, pairs, np.ones(len(rows), np.int64), device)))
