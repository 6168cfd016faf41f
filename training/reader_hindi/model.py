"""The network of `footnotary.models.word_pair_model`, for training: the same steps over batches, with dropout."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as fn

WIDTH, HIDDEN = 48, 64
NEAR, RELATED, ALIKE = 12, 0.35, 0.6
FEATURES = 5
NEVER = -1e4


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a batch: unit vectors, features, and 1 where there is a word."""

    vectors: Tensor
    features: Tensor
    mask: Tensor


class WordPairNet(nn.Module):
    def __init__(self, drop: float = 0.15) -> None:
        super().__init__()
        self.proj, self.ff = nn.Linear(128, WIDTH), nn.Linear(FEATURES, WIDTH)
        self.qc, self.qn = nn.Conv1d(WIDTH, WIDTH, 3, padding=1), nn.LayerNorm(WIDTH)
        self.gate = nn.Linear(WIDTH, 1)
        self.a = nn.Parameter(torch.tensor([4.0, 2.0, 1.0]))
        self.inp, self.n0 = nn.Linear(WIDTH * 4 + 8, HIDDEN), nn.LayerNorm(HIDDEN)
        self.convs = nn.ModuleList(nn.Conv1d(HIDDEN, HIDDEN, 5, padding=2 * k, dilation=k) for k in (1, 3))
        self.norms = nn.ModuleList(nn.LayerNorm(HIDDEN) for _ in self.convs)
        self.tok = nn.Linear(HIDDEN, 1)
        self.cov = nn.Sequential(nn.Linear(WIDTH + FEATURES + 5, 48), nn.ReLU(), nn.Linear(48, 32))
        self.out = nn.Sequential(nn.Linear(2 * HIDDEN + 64 + 6, 64), nn.ReLU(), nn.Dropout(drop), nn.Linear(64, 1))
        self.drop = nn.Dropout(drop)

    def forward(self, q: Words, p: Words, same: Tensor, heading: Tensor) -> tuple[Tensor, Tensor]:
        """The log-odds that each passage answers, and those of its words to be in the answer's sentence."""
        there, asked_there = p.mask[..., None], q.mask[..., None]
        cosine = torch.bmm(p.vectors, q.vectors.transpose(1, 2))
        own = self.proj(self.drop(p.vectors)) + self.ff(p.features)
        x = (self.proj(self.drop(q.vectors)) + self.ff(q.features)) * asked_there
        asked = self.qn(x + fn.relu(self.qc(x.transpose(1, 2))).transpose(1, 2)) * asked_there
        weights = q.features[..., 0] * q.mask * (1 - q.features[..., 3])
        weights = weights / (weights.sum(1, keepdim=True) + 1e-4)

        topic = torch.softmax(self.gate(asked).squeeze(-1).masked_fill(q.mask == 0, NEVER), 1)
        topic = (topic[..., None] * asked).sum(1)
        scores = self.a[0] * cosine + self.a[1] * same + self.a[2] * torch.bmm(own, asked.transpose(1, 2)) / 8
        aligned = torch.bmm(torch.softmax(scores.masked_fill(q.mask[:, None] == 0, NEVER), 2), asked)

        related = torch.maximum(cosine.clamp(min=0) * (cosine > RELATED), same) * there
        near, near_same = _pooled(related), _pooled(same * there)
        covered, covered_same = (near * weights[:, None]).sum(2), (near_same * weights[:, None]).sum(2)
        matches = torch.stack([
            cosine.masked_fill(q.mask[:, None] == 0, -1.0).amax(2),
            (cosine.clamp(min=0) * weights[:, None]).amax(2) * 4,
            (same * weights[:, None]).amax(2) * 4,
            same.amax(2),
            covered,
            covered_same,
            heading,
            (cosine > ALIKE).float().amax(2),
        ], 2)  # fmt: skip
        x = torch.cat([own, aligned, own * aligned, own * topic[:, None], matches], 2)
        x = self.n0(fn.relu(self.inp(self.drop(x)))) * there
        for convolve, norm in zip(self.convs, self.norms, strict=True):
            x = norm(x + self.drop(fn.relu(convolve(x.transpose(1, 2)).transpose(1, 2)))) * there

        marks = self.tok(x).squeeze(-1).masked_fill((p.mask == 0) | (heading > 0), NEVER)
        attention = torch.softmax(marks, 1)
        best = (covered + 0.5 * covered_same).masked_fill(p.mask == 0, -1).argmax(1)
        rows = torch.arange(len(best))
        at_answer = (attention[..., None] * near).sum(1)
        ways = torch.stack(
            [related.amax(1), (same * there).amax(1), near[rows, best], near_same[rows, best], at_answer], 2
        )
        found = self.cov(torch.cat([asked, q.features, ways], 2))
        summary = torch.cat([
            (attention[..., None] * x).sum(1),
            x.masked_fill(there == 0, NEVER).amax(1),
            (found * asked_there * (weights + 1e-2)[..., None]).sum(1),
            found.masked_fill(asked_there == 0, NEVER).amax(1),
            (ways * weights[..., None]).sum(1),
            (torch.logsumexp(marks, 1) / 5)[:, None],
        ], 1)  # fmt: skip
        return self.out(summary).squeeze(-1), marks


def _pooled(matches: Tensor) -> Tensor:
    return fn.max_pool1d(matches.transpose(1, 2), 2 * NEAR + 1, 1, NEAR).transpose(1, 2)
