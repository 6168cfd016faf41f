"""Writes a trained reader as an ONNX graph that multiplies 8-bit integers, with the same sums on every processor.

    python -m training.reader.export --weights FOLDER --update update.npz --size large

Inputs are rounded token by token, so that a pair's result does not depend on the other pairs of its batch.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional

from training.reader.model import LARGEST_INTEGER, ReaderEncoder
from training.reader.shipped_weights import LARGE, SMALL, read_shipped
from training.verifier.encoder import EncoderShape
from training.verifier.export import ExportedEncoder

ZERO_POINT = 128
INPUT_RANGE = 127.0


class ExportedReader(ExportedEncoder):
    """Padded pairs in; both probabilities of each pair and one of each token out."""

    encoder: ReaderEncoder

    def forward(self, ids: torch.Tensor, kinds: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        encoder, length = self.encoder, ids.shape[1]
        hidden = self.word(ids) + self.places[:length]  # type: ignore[index]
        hidden = hidden + (encoder.kind(kinds) if encoder.kind is not None else (kinds * 0)[..., None].to(hidden.dtype))
        hidden = encoder.ln(hidden)
        kept = mask.to(hidden.dtype)
        bias = ((kept - 1) * 1e4)[:, None, None]
        if encoder.distance is not None:
            near = self.near[:length, :length].to(torch.long)  # type: ignore[index]
            bias = bias + encoder.distance(near).permute(2, 0, 1)[None]
        for block in encoder.blocks:
            hidden = self._block(block, hidden, bias)
        mean = (hidden * kept[..., None]).sum(1) / kept.sum(1)[..., None]
        inner = torch.tanh(encoder.dense(torch.cat([hidden[:, 0], mean], -1)))
        return torch.sigmoid(encoder.heads(inner)), torch.sigmoid(encoder.token(hidden)[..., 0])

    def _block(self, block: nn.Module, hidden: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        width, heads = self.encoder.shape.width, self.encoder.shape.heads
        size, rows = width // heads, hidden.shape[0]
        split = block.qkv(hidden).reshape(rows, -1, 3, heads, size).permute(2, 0, 3, 1, 4)  # type: ignore[operator]
        weights = torch.softmax(split[0] @ split[1].transpose(-1, -2) / size**0.5 + bias, dim=-1)
        attended = (weights @ split[2]).transpose(1, 2).reshape(rows, -1, width)
        hidden = block.aln(hidden + block.ao(attended))  # type: ignore[operator]
        return block.fln(hidden + block.f2(functional.gelu(block.f1(hidden))))  # type: ignore[operator]


def float_graph(encoder: ReaderEncoder) -> onnx.ModelProto:
    example = torch.arange(5, 27).reshape(2, -1)
    axes = {0: "pairs", 1: "tokens"}
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "full.onnx"
        torch.onnx.export(
            ExportedReader(encoder).eval(),
            (example, torch.zeros_like(example), torch.ones_like(example)),
            str(path),
            input_names=["ids", "kinds", "mask"],
            output_names=["probabilities", "answer_tokens"],
            dynamic_axes=dict.fromkeys(("ids", "kinds", "mask", "answer_tokens"), axes)
            | {"probabilities": {0: "pairs"}},
            opset_version=17,
            dynamo=False,
        )
        return onnx.load(path)


def to_integer_products(model: onnx.ModelProto) -> list[str]:
    """Replaces each product with a constant matrix by one of integers; the names of the matrices, in the graph's order."""
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    nodes: list[onnx.NodeProto] = []
    replaced: list[str] = []
    widths: set[int] = set()
    for node in graph.node:
        if node.op_type != "MatMul" or node.input[1] not in constants or node.name.startswith("/token"):
            nodes.append(node)
            continue
        place = f"w{len(replaced)}"
        weight = numpy_helper.to_array(constants[node.input[1]])
        scale = np.maximum(np.abs(weight).max(0) / LARGEST_INTEGER, 1e-9).astype(np.float32)
        values = np.round(weight / scale).astype(np.int8)
        graph.initializer.remove(constants[node.input[1]])
        graph.initializer.append(numpy_helper.from_array(values, f"{place}.values"))
        graph.initializer.append(numpy_helper.from_array(scale, f"{place}.scales"))
        nodes += _integer_product(node, place, len(weight))
        widths.add(len(weight))
        replaced.append(place)
    del graph.node[:]
    graph.node.extend(nodes)
    for name, value in (
        ("range", np.array(1 / INPUT_RANGE, np.float32)),
        ("least", np.array(1e-9, np.float32)),
        ("all", np.array([-1], np.int64)),
        ("zero_point", np.array(ZERO_POINT, np.uint8)),
        *((f"rows_of_{width}", np.array([-1, width], np.int64)) for width in sorted(widths)),
    ):
        graph.initializer.append(numpy_helper.from_array(value, name))
    return replaced


def _integer_product(node: onnx.NodeProto, place: str, inputs: int) -> list[onnx.NodeProto]:
    """One node rounds all tokens, each with its own step: separate ones take longer than the product itself."""
    given, out = node.input[0], node.output[0]
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


def write_reader(weights: Path, update: Path, shape: EncoderShape) -> None:
    """Adds the reader to a folder of shipped weights: its graph, its update, and where the base matrices are."""
    old = onnx.load(weights / "model.onnx", load_external_data=False)
    places = {t.name: {e.key: e.value for e in t.external_data} for t in old.graph.initializer}
    model = float_graph(updated_reader(weights, update, shape))
    names = to_integer_products(model)
    layers = [f"blocks.{layer}.{part}" for layer in range(shape.layers) for part in ("qkv", "ao", "f1", "f2")]
    nodes = [node for node in old.graph.node if node.op_type == "MatMulNBits"][: len(layers)]
    index = []
    for name, layer, node in zip(names, layers, nodes, strict=True):
        said = {a.name: a.i for a in node.attribute}
        values, scales = places[node.input[1]], places[node.input[2]]
        index.append(
            {
                "name": name, "layer": layer, "outputs": said["N"], "inputs": said["K"], "bits": said["bits"],
                "block": said["block_size"], "file": values["location"], "offset": int(values["offset"]),
                "scales_file": scales["location"], "scales_offset": int(scales["offset"]),
            }
        )  # fmt: skip
    for tensor in model.graph.initializer:
        same = places.get(tensor.name)
        if tensor.name.split(".")[0] in names:
            _refer(tensor, {"location": "merged.bin", "offset": "0", "length": str(len(tensor.raw_data))})
        elif same and len(tensor.raw_data) > 100_000 and len(tensor.raw_data) == int(same["length"]):
            _refer(tensor, same)
    (weights / "reader.onnx").write_bytes(model.SerializeToString())
    (weights / "reader.json").write_text(json.dumps(index) + "\n", encoding="utf-8")
    shutil.copyfile(update, weights / "reader.npz")
    config = json.loads((weights / "config.json").read_text("utf-8"))
    for file in ("reader.onnx", "reader.json", "reader.npz"):
        config["sha256"][file] = hashlib.sha256((weights / file).read_bytes()).hexdigest()
    (weights / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def _refer(tensor: onnx.TensorProto, place: dict[str, str]) -> None:
    tensor.data_location = TensorProto.EXTERNAL
    tensor.ClearField("raw_data")
    del tensor.external_data[:]
    for key in ("location", "offset", "length"):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, place[key]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="the folder of weights the training started from")
    parser.add_argument("--update", type=Path, required=True, help="what training.reader.train wrote")
    parser.add_argument("--size", choices=("large", "small"), required=True)
    options = parser.parse_args()
    write_reader(options.weights, options.update, LARGE if options.size == "large" else SMALL)


if __name__ == "__main__":
    main()
