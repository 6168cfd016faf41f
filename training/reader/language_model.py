"""Qwen2.5-Coder-1.5B-Instruct out of its GGUF file: writes questions, and with an adapter says what answers them.

Only what this recipe needs: batched sampling with a key-value cache, and a head of two outputs on the last token.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def read_gguf(path: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any], Any]:
    """The tensors in bfloat16, the shape, and the tokenizer."""
    from gguf import GGUFReader
    from gguf.quants import dequantize
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

    reader = GGUFReader(str(path))
    tensors: dict[str, torch.Tensor] = {}
    for stored in reader.tensors:
        values = np.asarray(dequantize(stored.data, stored.tensor_type), np.float32)
        values = values.reshape(tuple(int(size) for size in reversed(stored.shape)))
        tensors[stored.name] = torch.from_numpy(values.copy()).to(torch.bfloat16)

    def number(key: str) -> Any:
        field = reader.fields[f"qwen2.{key}"]
        return field.parts[field.data[0]].tolist()[0]

    def texts(key: str) -> list[str]:
        field = reader.fields[f"tokenizer.ggml.{key}"]
        return [bytes(field.parts[i]).decode("utf-8") for i in field.data]

    shape = {
        "layers": number("block_count"),
        "width": number("embedding_length"),
        "heads": number("attention.head_count"),
        "groups": number("attention.head_count_kv"),
        "theta": number("rope.freq_base"),
        "epsilon": number("attention.layer_norm_rms_epsilon"),
    }
    merges = [tuple(merge.split(" ")) for merge in texts("merges")]
    tokenizer = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(texts("tokens"))}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|im_start|>", "<|im_end|>", "<|endoftext|>"])
    return tensors, shape, tokenizer


class AdaptedLinear(nn.Module):
    def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None, rank: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight, requires_grad=False)
        self.bias = None if bias is None else nn.Parameter(bias, requires_grad=False)
        self.A = nn.Parameter(torch.zeros(rank, weight.shape[1]), requires_grad=False)
        self.B = nn.Parameter(torch.zeros(weight.shape[0], rank), requires_grad=False)

    def forward(self, given: torch.Tensor) -> torch.Tensor:
        return functional.linear(given, self.weight, self.bias)

    def merge(self, sign: float) -> None:
        """Adds the adapter to the matrix, or takes it away again."""
        self.weight += (sign * 2.0 * (self.B.float() @ self.A.float())).to(self.weight.dtype)


class DecoderBlock(nn.Module):
    def __init__(self, tensors: dict[str, torch.Tensor], layer: int, shape: dict[str, Any], rank: int) -> None:
        super().__init__()

        def linear(name: str) -> AdaptedLinear:
            stem = f"blk.{layer}.{name}"
            return AdaptedLinear(tensors[f"{stem}.weight"], tensors.get(f"{stem}.bias"), rank)

        self.q, self.k, self.v, self.o = (linear(f"attn_{name}") for name in ("q", "k", "v", "output"))
        self.g, self.u, self.d = (linear(f"ffn_{name}") for name in ("gate", "up", "down"))
        self.norms = nn.ParameterList(
            nn.Parameter(tensors[f"blk.{layer}.{name}_norm.weight"], requires_grad=False) for name in ("attn", "ffn")
        )
        self.shape, self.size = shape, shape["width"] // shape["heads"]

    def forward(self, hidden: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor], past: Any = None) -> torch.Tensor:
        rows, length, width = hidden.shape
        given = functional.rms_norm(hidden, (width,), self.norms[0], self.shape["epsilon"])
        heads = (self.shape["heads"], self.shape["groups"], self.shape["groups"])
        q, k, v = (
            layer(given).view(rows, length, count, self.size).transpose(1, 2)
            for layer, count in zip((self.q, self.k, self.v), heads, strict=True)
        )
        q, k = rotate(q, *turn), rotate(k, *turn)
        if past is None:
            attended = functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        else:
            attended = past.attend(q, k, v)
        hidden = hidden + self.o(attended.transpose(1, 2).reshape(rows, length, width))
        given = functional.rms_norm(hidden, (width,), self.norms[1], self.shape["epsilon"])
        return hidden + self.d(functional.silu(self.g(given)) * self.u(given))


def rotate(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class LanguageModel(nn.Module):
    def __init__(self, tensors: dict[str, torch.Tensor], shape: dict[str, Any], rank: int) -> None:
        super().__init__()
        self.shape = shape
        self.table = nn.Parameter(tensors["token_embd.weight"], requires_grad=False)
        self.blocks = nn.ModuleList(DecoderBlock(tensors, i, shape, rank) for i in range(shape["layers"]))
        self.norm = nn.Parameter(tensors["output_norm.weight"], requires_grad=False)
        self.head = nn.Linear(shape["width"], 2)

    def turns(self, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        size = self.shape["width"] // self.shape["heads"]
        steps = torch.arange(0, size, 2, device=places.device).float() / size
        angles = places.float()[..., None] / self.shape["theta"] ** steps
        return angles.cos().to(self.table.dtype), angles.sin().to(self.table.dtype)

    def hidden(self, ids: torch.Tensor) -> torch.Tensor:
        hidden = functional.embedding(ids, self.table)
        turn = self.turns(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            hidden = block(hidden, turn)
        return functional.rms_norm(hidden, (hidden.shape[-1],), self.norm, self.shape["epsilon"])

    @torch.no_grad()
    def class_logits(self, ids: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
        """The two logits of each right-padded row, at its last token."""
        hidden = self.hidden(ids)
        return self.head(hidden[torch.arange(len(ids), device=ids.device), last].float())

    @torch.no_grad()
    def sample(self, prompts: list[list[int]], most: int, heat: float, stop: set[int]) -> list[list[int]]:
        """Continues prompts of about one length; each ends at a token of `stop` or after `most` tokens."""
        device, rows = self.table.device, len(prompts)
        longest = max(len(prompt) for prompt in prompts)
        ids = torch.zeros(rows, longest, dtype=torch.long, device=device)
        kept = torch.zeros(rows, longest + most, dtype=torch.bool, device=device)
        for i, prompt in enumerate(prompts):  # padded on the left, so that every row ends at the same place
            ids[i, longest - len(prompt) :] = torch.tensor(prompt)
            kept[i, longest - len(prompt) : longest] = True
        cache = Cache(self, rows, longest + most, kept)
        places = torch.cumsum(kept[:, :longest], 1).clamp(min=1) - 1
        at, given, out = longest, ids, [[] for _ in range(rows)]
        done = torch.zeros(rows, dtype=torch.bool, device=device)
        drawn: list[torch.Tensor] = []
        for step in range(most):
            hidden = functional.embedding(given, self.table)
            cos, sin = self.turns(places)
            for number, block in enumerate(self.blocks):
                cache.layer = number
                hidden = block(hidden, (cos[:, None], sin[:, None]), cache)
            cache.length = at
            final = functional.rms_norm(hidden[:, -1], (hidden.shape[-1],), self.norm, self.shape["epsilon"])
            logits = (final @ self.table.T).float() / heat
            token = torch.multinomial(torch.softmax(logits, -1), 1)[:, 0]
            drawn.append(token)
            for end in stop:
                done |= token == end
            if step % 8 == 7 and bool(done.all()):
                break
            kept[:, at] = True
            given, places, at = token[:, None], places[:, -1:] + 1, at + 1
        for i, row in enumerate(torch.stack(drawn, 1).tolist()):
            for token in row:
                if token in stop:
                    break
                out[i].append(token)
        return out


class Cache:
    """Keys and values of every layer; `length` of them are from earlier steps."""

    def __init__(self, model: LanguageModel, rows: int, most: int, kept: torch.Tensor) -> None:
        shape, table = model.shape, model.table
        size = shape["width"] // shape["heads"]
        self.k, self.v = (
            torch.zeros(shape["layers"], rows, shape["groups"], most, size, dtype=table.dtype, device=table.device)
            for _ in range(2)
        )
        self.kept, self.length, self.layer = kept, 0, 0

    def attend(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        end = self.length + k.shape[2]
        self.k[self.layer, :, :, self.length : end] = k
        self.v[self.layer, :, :, self.length : end] = v
        mask = self.kept[:, None, None, :end]
        if q.shape[2] > 1:
            causal = torch.ones(end, end, dtype=torch.bool, device=q.device).tril()
            mask = (mask & causal) | torch.eye(end, dtype=torch.bool, device=q.device)
        keys, values = self.k[self.layer, :, :, :end], self.v[self.layer, :, :, :end]
        return functional.scaled_dot_product_attention(q, keys, values, attn_mask=mask, enable_gqa=True)


def load_adapter(model: LanguageModel, parts: list[Path]) -> None:
    """The adapter and its head, as stored in pieces; merged into the matrices by `merge`."""
    state: dict[str, torch.Tensor] = {}
    for part in parts:
        state |= torch.load(part, map_location="cpu", weights_only=True)
    _, unknown = model.load_state_dict(state, strict=False)
    if unknown or not state or len(state) < 2 * 7 * model.shape["layers"]:
        raise ValueError(f"the adapter does not fit: {len(state)} tensors, unknown {unknown[:3]}")


def merge_adapter(model: LanguageModel, sign: float) -> None:
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, AdaptedLinear):
                module.merge(sign)
