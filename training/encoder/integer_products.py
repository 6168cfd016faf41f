"""Graphs that multiply 8-bit integers, with the same sums on every processor.

    python -m training.encoder.integer_products src/footnotary/weights/FOLDER

rewrites the graph of a folder of weights whose products are `MatMulNBits`, with its matrices, and the hashes in
`config.json`. An encoder of which only the first token is used (pooling `cls`) computes the rest of its last layer for
that token alone. Nothing is trained, and torch is not needed. The readers of claims stay as they are: their products
are in float32, so that their scores agree between machines to the last digits (decision 11).

Inputs are rounded token by token to 8 bits, so that a result does not depend on other texts; weights to 7 bits with a
scale for each output, so that no kernel saturates.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

LARGEST_INTEGER = 63
ZERO_POINT = 128
INPUT_RANGE = 127.0
PACKED = "MatMulNBits"
OF_A_LAYER = 4  # products: query, key and value; attention output; two of the feed-forward part
MAX_FILE_BYTES = 45_000_000


def rounded(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix (inputs, outputs) as integers and a scale for each output."""
    scale = np.maximum(np.abs(weight).max(0) / LARGEST_INTEGER, 1e-9).astype(np.float32)
    return np.round(weight / scale).astype(np.int8), scale


def integer_product(given: str, out: str, place: str, inputs: int) -> list[onnx.NodeProto]:
    """One node rounds all tokens, each with its own step: separate ones take longer than the product itself."""
    n = lambda part: f"{place}.{part}"  # noqa: E731
    return [
        helper.make_node("Abs", [given], [n("abs")]),
        helper.make_node("ReduceMax", [n("abs")], [n("max")], axes=[-1], keepdims=1),
        helper.make_node("Mul", [n("max"), "range"], [n("step0")]),
        helper.make_node("Max", [n("step0"), "least"], [n("step")]),
        helper.make_node("Reshape", [n("step"), "all"], [n("steps")]),
        helper.make_node("Shape", [n("steps")], [n("tokens")]),
        helper.make_node("Expand", ["zero_point", n("tokens")], [n("zero_points")]),
        helper.make_node("Shape", [given], [n("shape")]),
        helper.make_node("Reshape", [given, f"rows_of_{inputs}"], [n("rows")]),
        helper.make_node("QuantizeLinear", [n("rows"), n("steps"), n("zero_points")], [n("rounded")], axis=0),
        helper.make_node("Reshape", [n("rounded"), n("shape")], [n("input")]),
        helper.make_node("MatMulInteger", [n("input"), n("values"), "zero_point"], [n("sums")]),
        helper.make_node("Cast", [n("sums")], [n("floats")], to=TensorProto.FLOAT),
        helper.make_node("Mul", [n("floats"), n("step")], [n("scaled")]),
        helper.make_node("Mul", [n("scaled"), n("scales")], [out]),
    ]


def replace_products(
    graph: onnx.GraphProto, weight_of: Callable[[onnx.NodeProto], NDArray[np.float32] | None]
) -> list[str]:
    """Replaces each node that `weight_of` knows a matrix (inputs, outputs) for; the matrices' names, in order."""
    nodes: list[onnx.NodeProto] = []
    replaced: list[str] = []
    widths: set[int] = set()
    for node in graph.node:
        weight = weight_of(node)
        if weight is None:
            nodes.append(node)
            continue
        place = f"w{len(replaced)}"
        values, scale = rounded(weight)
        graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(values), f"{place}.values"))
        graph.initializer.append(numpy_helper.from_array(scale, f"{place}.scales"))
        nodes += integer_product(node.input[0], node.output[0], place, len(weight))
        widths.add(len(weight))
        replaced.append(place)
    set_nodes(graph, nodes)
    for name, value in (
        ("range", np.array(1 / INPUT_RANGE, np.float32)),
        ("least", np.array(1e-9, np.float32)),
        ("all", np.array([-1], np.int64)),
        ("zero_point", np.array(ZERO_POINT, np.uint8)),
        *((f"rows_of_{width}", np.array([-1, width], np.int64)) for width in sorted(widths)),
    ):
        graph.initializer.append(numpy_helper.from_array(value, name))
    return replaced


def set_nodes(graph: onnx.GraphProto, nodes: list[onnx.NodeProto]) -> None:
    """Sets the nodes, and drops the constants that none of them uses any more."""
    used = {name for node in nodes for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(kept)


def unpacked(node: onnx.NodeProto, constants: dict[str, onnx.TensorProto]) -> NDArray[np.float32]:
    """The matrix (inputs, outputs) of a `MatMulNBits`: signed integers in blocks along an input, times their scales."""
    said = {attribute.name: attribute.i for attribute in node.attribute}
    packed = numpy_helper.to_array(constants[node.input[1]])
    scales = numpy_helper.to_array(constants[node.input[2]]).reshape(said["N"], -1, 1)
    if said["bits"] == 4:
        values = np.stack([packed & 15, packed >> 4], -1).astype(np.float32) - 8
    else:
        values = packed.astype(np.float32) - 128
    blocks = values.reshape(said["N"], -1, said["block_size"]) * scales
    return np.ascontiguousarray(blocks.reshape(said["N"], -1)[:, : said["K"]].T)


def last_layer_of_first_token(graph: onnx.GraphProto) -> None:
    """Slices what enters the last layer after its attention, where the output is made of the first token alone."""
    packed = [node for node in graph.node if node.op_type == PACKED]
    attention_output = packed[1 - OF_A_LAYER]
    producers = {name: node for node in graph.node for name in node.output}
    consumers = [node for node in graph.node if attention_output.output[0] in node.input]
    while consumers[0].op_type == "Add" and not any(_is_residual(name, producers) for name in consumers[0].input):
        consumers = [node for node in graph.node if consumers[0].output[0] in node.input]
    residual = next(name for name in consumers[0].input if _is_residual(name, producers))
    bounds = {"first.start": [0], "first.end": [1], "first.axis": [1]}
    for name, value in bounds.items():
        graph.initializer.append(numpy_helper.from_array(np.array(value, np.int64), name))
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        for owner, given in ((attention_output, attention_output.input[0]), (consumers[0], residual)):
            if node is owner:
                nodes.append(helper.make_node("Slice", [given, *bounds], [f"{given}.first"]))
                place = list(node.input).index(given)
                node.input[place] = f"{given}.first"
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)


def _is_residual(name: str, producers: dict[str, onnx.NodeProto]) -> bool:
    return name in producers and producers[name].op_type == "LayerNormalization"


def rewrite(folder: Path) -> int:
    """Rewrites `model.onnx`; how many products were replaced."""
    path = folder / "model.onnx"
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model, bare = onnx.load(str(path)), onnx.load(str(path), load_external_data=False)
    in_files = any(tensor.external_data for tensor in bare.graph.initializer)
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    if config.get("pooling") == "cls":
        last_layer_of_first_token(model.graph)
    packed = [node.output[0] for node in model.graph.node if node.op_type == PACKED]
    of_tokens = set(packed[: len(packed) // OF_A_LAYER * OF_A_LAYER])  # one more is of the pooled vector
    names = replace_products(
        model.graph, lambda node: unpacked(node, constants) if node.output[0] in of_tokens else None
    )
    if in_files:
        write_external_data(model, path)
    else:
        onnx.save(model, path)
    for file in config["sha256"]:
        config["sha256"][file] = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    return len(names)


def refer(tensor: onnx.TensorProto, file: str, offset: int, length: int) -> None:
    """Makes a constant one that is held in a file next to the graph."""
    tensor.data_location = TensorProto.EXTERNAL
    tensor.ClearField("raw_data")
    del tensor.external_data[:]
    for key, value in (("location", file), ("offset", offset), ("length", length)):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(value)


def write_external_data(model: onnx.ModelProto, path: Path) -> None:
    """The graph in `path` and its large tensors in files next to it, none over `MAX_FILE_BYTES`."""
    number, used = 1, 0
    for old in path.parent.glob(f"{path.stem}.*.bin"):
        old.unlink()
    for tensor in model.graph.initializer:
        if len(tensor.raw_data) < 1024:
            continue
        if used + len(tensor.raw_data) > MAX_FILE_BYTES:
            number, used = number + 1, 0
        file = f"{path.stem}.{number}.bin"
        offset = -(-used // 4096) * 4096  # aligned, so that the file can be mapped
        with (path.parent / file).open("ab") as out:
            out.write(b"\0" * (offset - used))
            out.write(tensor.raw_data)
        used = offset + len(tensor.raw_data)
        refer(tensor, file, offset, used - offset)
    path.write_bytes(model.SerializeToString())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    for folder in parser.parse_args().folders:
        print(f"{folder.name}: {rewrite(folder)} products of integers")


if __name__ == "__main__":
    main()
