"""The reader that is trained: the verifier's encoder with a third head that marks the tokens of the answer.

Its matrices are the shipped ones plus a product of two thin matrices (LoRA), seen rounded to the integers that will
run: what is trained is what is shipped.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils import parametrize

from training.verifier.encoder import EncoderShape, TwoHeadEncoder

# Products of unsigned 8-bit inputs and 7-bit weights fit 16 bits in pairs: the same sums on every processor.
LARGEST_INTEGER = 63


class ReaderEncoder(TwoHeadEncoder):
    """Token ids of (claim or question, evidence) in; logits of supported and answers, and of each token, out."""

    def __init__(self, shape: EncoderShape, dropout: float = 0.1) -> None:
        super().__init__(shape, dropout)
        self.token = nn.Linear(shape.width, 1)

    def read(
        self, ids: torch.Tensor, mask: torch.Tensor, kinds: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.encode(ids, mask, kinds)
        kept = mask[..., None].to(hidden.dtype)
        mean = (hidden * kept).sum(1) / kept.sum(1)
        pooled = nn.functional.dropout(torch.cat([hidden[:, 0], mean], -1), self.dropout, self.training)
        inner = nn.functional.dropout(torch.tanh(self.dense(pooled)), self.dropout, self.training)
        return self.heads(inner).float(), self.token(hidden)[..., 0].float()


class LowRankUpdate(nn.Module):
    """A frozen matrix plus `up @ down`, rounded to signed 7-bit integers with a scale for each row if `rounded`."""

    def __init__(self, weight: torch.Tensor, rank: int) -> None:
        super().__init__()
        self.down = nn.Parameter(torch.randn(rank, weight.shape[1]) / weight.shape[1] ** 0.5)
        self.up = nn.Parameter(torch.zeros(weight.shape[0], rank))
        self.rounded = False

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        updated = weight + self.up @ self.down
        return updated + (round_rows(updated.detach()) - updated).detach() if self.rounded else updated


def round_rows(weight: torch.Tensor) -> torch.Tensor:
    scale = (weight.abs().amax(1, keepdim=True) / LARGEST_INTEGER).clamp(min=1e-9)
    return torch.round(weight / scale) * scale


def add_low_rank_updates(encoder: ReaderEncoder, rank: int, *, pooling: bool = False) -> None:
    """Freezes the encoder's matrices and tables and gives each matrix an update to train; the rest stays trainable.

    With `pooling` the matrix of the pooling layer gets a thin update too, and is not trained as a whole.
    """
    layers = [getattr(block, name) for block in encoder.blocks for name in ("qkv", "ao", "f1", "f2")]
    for layer in [*layers, *([encoder.dense] if pooling else [])]:
        layer.weight.requires_grad_(False)
        parametrize.register_parametrization(layer, "weight", LowRankUpdate(layer.weight, rank))
    encoder.word.weight.requires_grad_(False)
    encoder.place.weight.requires_grad_(False)
    if encoder.distance is not None:
        # The gradient of the attention's bias is as large as the attention itself: without it a step is far quicker.
        encoder.distance.weight.requires_grad_(False)


def set_rounded(encoder: ReaderEncoder) -> None:
    for module in encoder.modules():
        if isinstance(module, LowRankUpdate):
            module.rounded = True
