"""Adds an update for claims to the graph that reads them: a thin product next to each product in small integers.

    python -m training.reader.export_support --weights FOLDER --update update.npz --size large

The base's matrices stay as they are, since the update for questions is merged with them, and everything is still
multiplied in float32 (decision 11). The thin matrices are held as 8-bit integers with a scale for each of their rows.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from training.encoder.integer_products import refer, set_nodes
from training.reader.shipped_weights import LARGE, SMALL, store_hashes
from training.verifier.encoder import EncoderShape

LARGEST_INTEGER = 127
PREFIX = "support."
HEADS = ("heads.weight", "heads.bias")


def small_integers(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A thin matrix (rank, width) as integers and a scale for each of its rows."""
    scales = np.maximum(np.abs(matrix).max(1, keepdims=True) / LARGEST_INTEGER, 1e-12).astype(np.float32)
    return np.round(matrix / scales).astype(np.int8), scales


def add_updates(graph: onnx.GraphProto, update: dict[str, NDArray[np.float32]], shape: EncoderShape) -> None:
    """Adds `x @ down.T @ up.T` to the result of each product; a former update is replaced."""
    nodes = [node for node in graph.node if not node.name.startswith(PREFIX)]
    layers = [f"blocks.{layer}.{part}" for layer in range(shape.layers) for part in ("qkv", "ao", "f1", "f2")]
    products = [node for node in nodes if node.op_type == "MatMulNBits"]
    for node, layer in zip(products, [*layers, "dense"], strict=True):
        place = PREFIX + layer
        result = node.output[0].removesuffix(".base")
        node.output[0] = f"{result}.base"
        added: list[onnx.NodeProto] = []
        inner = node.input[0]
        for part, matrix in (("down", update[f"{layer}.down"]), ("up", update[f"{layer}.up"].T)):
            name = f"{place}.{part}"
            values, scales = small_integers(matrix)
            graph.initializer.append(numpy_helper.from_array(values, f"{name}.values"))
            graph.initializer.append(numpy_helper.from_array(scales, f"{name}.scales"))
            added.append(
                helper.make_node("Cast", [f"{name}.values"], [f"{name}.floats"], f"{name}.cast", to=TensorProto.FLOAT)
            )
            added.append(
                helper.make_node("Mul", [f"{name}.floats", f"{name}.scales"], [f"{name}.scaled"], f"{name}.mul")
            )
            if part == "down":
                added.append(helper.make_node("Transpose", [f"{name}.scaled"], [name], f"{name}.turn", perm=[1, 0]))
            added.append(
                helper.make_node(
                    "MatMul",
                    [inner, name if part == "down" else f"{name}.scaled"],
                    [f"{name}.product"],
                    f"{name}.matmul",
                )
            )
            inner = f"{name}.product"
        added.append(helper.make_node("Add", [node.output[0], inner], [result], f"{place}.add"))
        after = nodes.index(node) + 1
        nodes[after:after] = added
    set_nodes(graph, nodes)


def write_update(folder: Path, update: dict[str, NDArray[np.float32]], shape: EncoderShape) -> None:
    path = folder / "model.onnx"
    model = onnx.load(str(path), load_external_data=False)
    kept = [tensor for tensor in model.graph.initializer if not tensor.name.startswith(PREFIX)]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    add_updates(model.graph, update, shape)
    used = {e.value for t in kept for e in t.external_data if e.key == "location"}
    file = f"model.{len(used) + 1}.bin"
    held = bytearray()
    for tensor in model.graph.initializer:
        name = tensor.name.removeprefix("judge.")
        if name in HEADS:
            tensor.CopyFrom(numpy_helper.from_array(update[name].reshape(tuple(tensor.dims)), tensor.name))
        elif tensor.name.startswith(PREFIX) and tensor.name.endswith(".values"):
            data = tensor.raw_data
            refer(tensor, file, len(held), len(data))
            held += data
    (folder / file).write_bytes(held)
    path.write_bytes(model.SerializeToString())
    store_hashes(folder, (file, "model.onnx"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="the folder of weights the training started from")
    parser.add_argument("--update", type=Path, required=True, help="what training.reader.train --support wrote")
    parser.add_argument("--size", choices=("large", "small"), required=True)
    options = parser.parse_args()
    with np.load(options.update) as stored:
        update = {name: stored[name].astype(np.float32) for name in stored.files}
    write_update(options.weights, update, LARGE if options.size == "large" else SMALL)


if __name__ == "__main__":
    main()
