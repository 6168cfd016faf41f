"""The language model with a low-rank adapter on every linear layer, read at its last token by its own vocabulary."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from training.reader.language_model import AdaptedLinear, LanguageModel

RANK = 8
ALPHA = 16.0
PIECE_BYTES = 14 * 1024 * 1024
# The matrices of a layer, by the names that the model's file and its adapter give them.
NAMES = {
    "q": "attn_q", "k": "attn_k", "v": "attn_v", "o": "attn_output", "g": "ffn_gate", "u": "ffn_up", "d": "ffn_down",
}  # fmt: skip
Adapter = dict[str, np.ndarray]


class LowRankLinear(nn.Module):
    """A frozen matrix and a trained update of it, `ALPHA / rank * b @ a`."""

    def __init__(self, base: AdaptedLinear, rank: int) -> None:
        super().__init__()
        self.weight, self.bias = base.weight, base.bias
        wide, narrow = base.weight.shape[1], base.weight.shape[0]
        self.a = nn.Parameter(torch.randn(rank, wide) / math.sqrt(wide))
        self.b = nn.Parameter(torch.zeros(narrow, rank))
        self.scale = ALPHA / rank

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        update = functional.linear(
            functional.linear(given, self.a.to(given.dtype)), (self.b * self.scale).to(given.dtype)
        )
        return functional.linear(given, self.weight, self.bias) + update


class YesNoModel(nn.Module):
    """What the model says after each right-padded row."""

    def __init__(self, tensors: dict[str, torch.Tensor], shape: dict[str, Any], rank: int = RANK) -> None:
        super().__init__()
        self.body = LanguageModel(tensors, shape, 1)
        self.body.head.requires_grad_(False)
        self.out = nn.Parameter(tensors["output.weight"], requires_grad=False) if "output.weight" in tensors else None
        for block in self.body.blocks:
            for name in NAMES:
                setattr(block, name, LowRankLinear(getattr(block, name), rank))
        self.save_memory = False

    def forward(
        self, ids: torch.Tensor, last: torch.Tensor, words: tuple[int, int]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits of `words` for each row, and the logarithm of the sum over the whole vocabulary."""
        body = self.body
        hidden = functional.embedding(ids, body.table)
        turn = body.turns(torch.arange(ids.shape[1], device=ids.device))
        for block in body.blocks:
            if self.save_memory and torch.is_grad_enabled():
                hidden = checkpoint(block, hidden, turn, use_reentrant=False)
            else:
                hidden = block(hidden, turn)
        final = hidden[torch.arange(len(ids), device=ids.device), last]
        final = functional.rms_norm(final, (final.shape[-1],), body.norm, body.shape["epsilon"])
        table = body.table if self.out is None else self.out
        # Half precision is too coarse for the two logits that decide, and enough for the sum of all.
        both = functional.linear(final.float(), table[list(words)].float())
        return both, torch.logsumexp(functional.linear(final, table).float(), 1)

    def trained(self) -> list[nn.Parameter]:
        return [value for value in self.parameters() if value.requires_grad]

    def layers(self) -> dict[str, LowRankLinear]:
        return {
            f"blk.{i}.{NAMES[name]}": getattr(block, name) for i, block in enumerate(self.body.blocks) for name in NAMES
        }

    def adapter(self) -> Adapter:
        out: Adapter = {}
        for name, layer in self.layers().items():
            out[f"{name}.lora_a"] = layer.a.detach().float().cpu().numpy().astype(np.float16)
            out[f"{name}.lora_b"] = layer.b.detach().float().cpu().numpy().astype(np.float16)
        return out

    @torch.no_grad()
    def load(self, adapter: Adapter) -> None:
        for name, layer in self.layers().items():
            layer.a.copy_(torch.from_numpy(adapter[f"{name}.lora_a"].astype(np.float32)))
            layer.b.copy_(torch.from_numpy(adapter[f"{name}.lora_b"].astype(np.float32)))


def rounded(adapter: Adapter, bits: int = 4) -> Adapter:
    """The adapter with so many bits after each leading one: half its bytes once compressed, the same answers."""
    out: Adapter = {}
    for name, values in adapter.items():
        part, power = np.frexp(values.astype(np.float32))
        out[name] = np.ldexp(np.round(part * 2 ** (bits + 1)) / 2 ** (bits + 1), power).astype(np.float16)
    return out


def save_pieces(adapter: Adapter, folder: Path) -> list[Path]:
    """The adapter in files of at most 16 MiB, replaced as a whole."""
    pieces: list[Adapter] = [{}]
    size = 0
    for name, values in adapter.items():
        if size + values.nbytes > PIECE_BYTES:
            pieces.append({})
            size = 0
        pieces[-1][name] = values
        size += values.nbytes
    paths = [folder / f"adapter{number}.npz" for number in range(len(pieces))]
    for path, piece in zip(paths, pieces, strict=True):
        unfinished = path.with_suffix(".part.npz")
        np.savez(unfinished, **piece)
        unfinished.replace(path)
    return paths


def load_pieces(paths: list[Path]) -> Adapter:
    out: Adapter = {}
    for path in paths:
        with np.load(path) as stored:
            out |= {name: stored[name] for name in stored.files}
    return out
