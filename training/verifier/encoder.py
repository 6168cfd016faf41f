"""The encoder that is trained: BERT- or MPNet-shaped, two heads, in plain PyTorch so that it exports as it trains."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """How an encoder is built. `relative` is MPNet's attention bias by distance; `first_place` its position offset."""

    layers: int
    heads: int
    width: int
    inner: int
    vocabulary: int
    places: int
    first_place: int
    relative: bool
    epsilon: float
    token_types: bool


class EncoderBlock(nn.Module):
    def __init__(self, shape: EncoderShape, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, dropout
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.ao = nn.Linear(shape.width, shape.width)
        self.aln = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.f1 = nn.Linear(shape.width, shape.inner)
        self.f2 = nn.Linear(shape.inner, shape.width)
        self.fln = nn.LayerNorm(shape.width, eps=shape.epsilon)

    def forward(self, hidden: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        batch, length, width = hidden.shape
        split = self.qkv(hidden).reshape(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        drop = self.dropout if self.training else 0.0
        attended = functional.scaled_dot_product_attention(split[0], split[1], split[2], attn_mask=bias, dropout_p=drop)
        attended = self.ao(attended.transpose(1, 2).reshape(batch, length, width))
        hidden = self.aln(hidden + functional.dropout(attended, self.dropout, self.training))
        inner = self.f2(functional.gelu(self.f1(hidden)))
        return self.fln(hidden + functional.dropout(inner, self.dropout, self.training))


class TwoHeadEncoder(nn.Module):
    """Token ids of (claim or question, evidence) in; two logits out: supported, answerable."""

    def __init__(self, shape: EncoderShape, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape, self.dropout = shape, dropout
        self.word = nn.Embedding(shape.vocabulary, shape.width)
        self.place = nn.Embedding(shape.places, shape.width)
        self.kind = nn.Embedding(2, shape.width) if shape.token_types else None
        self.ln = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.distance = nn.Embedding(32, shape.heads) if shape.relative else None
        self.blocks = nn.ModuleList(EncoderBlock(shape, dropout) for _ in range(shape.layers))
        self.dense = nn.Linear(2 * shape.width, shape.width)
        self.heads = nn.Linear(shape.width, 2)

    def encode(self, ids: torch.Tensor, mask: torch.Tensor, kinds: torch.Tensor | None = None) -> torch.Tensor:
        length = ids.shape[1]
        places = torch.arange(length, device=ids.device) + self.shape.first_place
        hidden = self.word(ids) + self.place(places)
        if self.kind is not None:
            hidden = hidden + self.kind(torch.zeros_like(ids) if kinds is None else kinds)
        hidden = functional.dropout(self.ln(hidden), self.dropout, self.training)
        bias = torch.zeros(mask.shape, device=ids.device, dtype=hidden.dtype).masked_fill(~mask, -1e4)[:, None, None]
        if self.distance is not None:
            bias = bias + self.distance(distance_buckets(length, ids.device)).permute(2, 0, 1)[None].to(hidden.dtype)
        bias = bias.to(hidden.dtype)
        for block in self.blocks:
            hidden = block(hidden, bias)
        return hidden

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, kinds: torch.Tensor | None = None) -> torch.Tensor:
        hidden = self.encode(ids, mask, kinds)
        kept = mask[..., None].to(hidden.dtype)
        mean = (hidden * kept).sum(1) / kept.sum(1)
        pooled = functional.dropout(torch.cat([hidden[:, 0], mean], -1), self.dropout, self.training)
        return self.heads(functional.dropout(torch.tanh(self.dense(pooled)), self.dropout, self.training)).float()


def distance_buckets(length: int, device: torch.device) -> torch.Tensor:
    """MPNet's 32 buckets of distance: exact up to 8, then logarithmic up to 128, apart for left and right."""
    place = torch.arange(length, device=device)
    back = place[:, None] - place[None, :]
    side = (back < 0).long() * 16
    far = back.abs()
    steps = torch.log(far.clamp(min=1).float() / 8) / math.log(128 / 8) * 8
    return side + torch.where(far < 8, far, (8 + steps.long()).clamp(max=15))
