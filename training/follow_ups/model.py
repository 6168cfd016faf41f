"""The reader of follow-ups that is trained: the small reader with further thin updates, and heads for the edit."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from footnotary.reader.follow_up_edits import JOINERS, OPERATIONS
from footnotary.reader.follow_up_reader import TEXTS_OF_POINTERS, TYPED
from training.reader.model import ReaderEncoder

OUTPUTS = len(OPERATIONS) + len(JOINERS) + 1
NEVER = -1e4


class FollowUpEncoder(nn.Module):
    def __init__(self, encoder: ReaderEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        width = encoder.shape.width
        self.text = nn.Embedding(4, width)
        nn.init.normal_(self.text.weight, std=0.02)
        self.out, self.pointers = nn.Linear(width, OUTPUTS), nn.Linear(width, len(TEXTS_OF_POINTERS))

    def forward(self, ids: Tensor, texts: Tensor) -> tuple[Tensor, Tensor]:
        """The log-odds of operation, joiner and ending, and those of each token for each pointer; `texts` pads with -1."""
        encoder, mask = self.encoder, texts >= 0
        held = texts.clamp(min=0)
        hidden = encoder.word(ids) + encoder.place(torch.arange(ids.shape[1])) + encoder.kind((held > TYPED).long())
        hidden = encoder.ln(hidden) + self.text(held)
        hidden = functional.dropout(hidden, encoder.dropout, self.training)
        bias = torch.zeros(mask.shape).masked_fill(~mask, NEVER)[:, None, None]
        for block in encoder.blocks:
            hidden = block(hidden, bias)
        return self.out(hidden[:, 0]), self.pointers(hidden)
