"""Reads the encoder back out of a shipped folder of weights, as the float matrices that its small integers stand for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from training.reader.model import ReaderEncoder
from training.verifier.encoder import EncoderShape

LARGE = EncoderShape(12, 12, 768, 3072, 30527, 514, 2, relative=True, epsilon=1e-5, token_types=False)
SMALL = EncoderShape(6, 12, 384, 1536, 30522, 512, 0, relative=False, epsilon=1e-12, token_types=True)
Tensors = dict[str, NDArray[np.float32]]


def unpack_blocks(packed: NDArray[np.uint8], scales: NDArray[np.float32], bits: int) -> NDArray[np.float32]:
    """The matrix (outputs, inputs) of a `MatMulNBits` node: signed integers in blocks of 32 along a row, times a scale."""
    if bits == 4:
        low, high = packed & 15, packed >> 4
        values = np.stack([low, high], -1).reshape(*packed.shape[:2], -1).astype(np.float32) - 8
    else:
        values = packed.astype(np.float32) - 128
    return (values * scales.reshape(packed.shape[0], packed.shape[1], 1)).reshape(packed.shape[0], -1)


def read_shipped(folder: Path, shape: EncoderShape) -> Tensors:
    """The tensors of a `TwoHeadEncoder` of this shape, from `model.onnx` and the files next to it."""
    model = onnx.load(folder / "model.onnx")
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    # "judge." is the prefix in the graphs that were exported for version 0.1.
    tensors: Tensors = {
        name.removeprefix("judge."): v.astype(np.float32) for name, v in stored.items() if "judge." in name
    }
    places = np.zeros((shape.places, shape.width), np.float32)
    places[shape.first_place : shape.first_place + len(stored["places"])] = stored["places"][: shape.places]
    tensors["place.weight"] = places
    table = stored["word.values"].astype(np.float32) * stored["word.scales"].astype(np.float32)
    tensors["word.weight"] = table.reshape(len(table), -1)
    names = [f"blocks.{layer}.{part}" for layer in range(shape.layers) for part in ("qkv", "ao", "f1", "f2")]
    nodes = [node for node in model.graph.node if node.op_type == "MatMulNBits"]
    for name, node in zip([*names, "dense"], nodes, strict=True):
        bits = next(a.i for a in node.attribute if a.name == "bits")
        tensors[f"{name}.weight"] = unpack_blocks(stored[node.input[1]], stored[node.input[2]], bits)
    return tensors


def updated_reader(weights: Path, update: Path, shape: EncoderShape) -> ReaderEncoder:
    """The trained reader: shipped matrices plus their updates, in floats."""
    tensors = read_shipped(weights, shape)
    with np.load(update) as stored:
        for name in stored.files:
            if name.endswith(".down"):
                layer = name.removesuffix(".down")
                up, down = stored[f"{layer}.up"].astype(np.float32), stored[name].astype(np.float32)
                tensors[f"{layer}.weight"] = tensors[f"{layer}.weight"] + up @ down
            elif not name.endswith(".up"):
                tensors[name] = stored[name].astype(np.float32)
    reader = ReaderEncoder(shape, dropout=0.0)
    missing, unknown = reader.load_state_dict({n: torch.from_numpy(v) for n, v in tensors.items()}, strict=False)
    if missing or unknown:
        raise ValueError(f"the update does not fit: missing {missing}, unknown {unknown}")
    return reader.eval()


def store_hashes(weights: Path, files: Iterable[str]) -> None:
    """Writes the hashes of these files, and no other change, to the config of a folder of weights."""
    path = weights / "config.json"
    config = json.loads(path.read_text("utf-8"))
    for file in files:
        config["sha256"][file] = hashlib.sha256((weights / file).read_bytes()).hexdigest()
    path.write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
