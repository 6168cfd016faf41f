"""Writes a trained reader as an ONNX graph that multiplies 8-bit integers, with the same sums on every processor.

    python -m training.reader.export --weights FOLDER --update update.npz --size large

Inputs are rounded token by token, so that a pair's result does not depend on the other pairs of its batch.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

from training.encoder.integer_products import refer, replace_products
from training.reader.model import ReaderEncoder
from training.reader.shipped_weights import LARGE, SMALL, store_hashes, updated_reader
from training.verifier.encoder import EncoderShape
from training.verifier.export import ExportedEncoder

LARGE_TENSOR = 100_000


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


def to_integer_products(model: onnx.ModelProto, in_floats: str = "/token") -> list[str]:
    """Replaces each product of tokens with a constant matrix; the names of the matrices, in the graph's order.

    Nodes whose name begins with `in_floats` stay.
    """
    constants = {tensor.name: tensor for tensor in model.graph.initializer}

    def weight_of(node: onnx.NodeProto) -> np.ndarray | None:
        if node.op_type != "MatMul" or node.input[1] not in constants or node.name.startswith(in_floats):
            return None
        return numpy_helper.to_array(constants[node.input[1]])

    return replace_products(model.graph, weight_of)


def store_in_half(model: onnx.ModelProto) -> None:
    """Stores large matrices that 16 bits hold exactly in 16 bits; they are widened when the graph is loaded."""
    for tensor in list(model.graph.initializer):
        if tensor.data_type != onnx.TensorProto.FLOAT or len(tensor.raw_data) < LARGE_TENSOR or tensor.external_data:
            continue
        value = numpy_helper.to_array(tensor)
        half = value.astype(np.float16)
        if np.array_equal(half.astype(np.float32), value):
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(half, f"{name}.half"))
            cast = onnx.helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT)
            model.graph.node.insert(0, cast)


def write_rounded(update: Path, target: Path) -> None:
    """Copies an update with its thin matrices rounded to four significant bits, so that they compress."""
    with np.load(update) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for name, array in arrays.items():
        if name.endswith((".up", ".down")):
            mantissa, exponent = np.frexp(array.astype(np.float32))
            arrays[name] = np.ldexp(np.round(mantissa * 16) / 16, exponent).astype(array.dtype)
    np.savez_compressed(target, **arrays)


def write_reader(weights: Path, update: Path, shape: EncoderShape) -> None:
    """Adds the reader to a folder of shipped weights: its graph, its update, and where the base matrices are."""
    write_rounded(update, weights / "reader.npz")
    old = onnx.load(weights / "model.onnx", load_external_data=False)
    places = {t.name: {e.key: e.value for e in t.external_data} for t in old.graph.initializer}
    model = float_graph(updated_reader(weights, weights / "reader.npz", shape))
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
            refer(tensor, "merged.bin", 0, len(tensor.raw_data))
        elif same and len(tensor.raw_data) > LARGE_TENSOR and len(tensor.raw_data) == int(same["length"]):
            refer(tensor, same["location"], int(same["offset"]), int(same["length"]))
    store_in_half(model)
    (weights / "reader.onnx").write_bytes(model.SerializeToString())
    (weights / "reader.json").write_text(json.dumps(index) + "\n", encoding="utf-8")
    store_hashes(weights, ("reader.onnx", "reader.json", "reader.npz"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="the folder of weights the training started from")
    parser.add_argument("--update", type=Path, required=True, help="what training.reader.train wrote")
    parser.add_argument("--size", choices=("large", "small"), required=True)
    options = parser.parse_args()
    write_reader(options.weights, options.update, LARGE if options.size == "large" else SMALL)


if __name__ == "__main__":
    main()
