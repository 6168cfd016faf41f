"""Writes a trained reader of follow-ups next to the reader it was trained over: its graph and its thin matrices.

python -m training.follow_ups.export --weights src/footnotary/weights/judge-small --update OUT/update.npz
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch

from footnotary.models.merged_weights import FOLLOW_UP_GRAPH, FOLLOW_UP_UPDATE, INDEX
from footnotary.reader.follow_up_reader import TYPED
from training.encoder.integer_products import refer
from training.follow_ups.model import FollowUpEncoder
from training.reader.export import LARGE_TENSOR, ExportedReader, to_integer_products, write_rounded
from training.reader.shipped_weights import SMALL, store_hashes, updated_reader


class ExportedFollowUps(ExportedReader):
    """One turn in; the log-odds of its edit and of each of its tokens out."""

    def __init__(self, net: FollowUpEncoder) -> None:
        super().__init__(net.encoder)
        self.text, self.out, self.pointers = net.text, net.out, net.pointers

    def forward(self, ids: torch.Tensor, texts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.word(ids) + self.places[: ids.shape[1]]  # type: ignore[index]
        hidden = hidden + self.encoder.kind((texts > TYPED).long())  # type: ignore[misc]
        hidden = self.encoder.ln(hidden) + self.text(texts)
        bias = torch.zeros(1)
        for block in self.encoder.blocks:
            hidden = self._block(block, hidden, bias)
        return self.out(hidden[:, 0]), self.pointers(hidden)


def updated_follow_ups(weights: Path, update: Path) -> FollowUpEncoder:
    """The trained network: the reader's matrices plus their further updates, in floats."""
    net = FollowUpEncoder(updated_reader(weights, weights / "reader.npz", SMALL))
    held = net.state_dict()
    with np.load(update) as stored:
        for name in stored.files:
            if name.endswith(".down"):
                layer = name.removesuffix(".down")
                thin = stored[f"{layer}.up"].astype(np.float32) @ stored[name].astype(np.float32)
                held[f"encoder.{layer}.weight"] = held[f"encoder.{layer}.weight"] + torch.from_numpy(thin)
            elif not name.endswith(".up"):
                key = name if name in held else f"encoder.{name}"
                held[key] = torch.from_numpy(stored[name].astype(np.float32))
    net.load_state_dict(held)
    return net.eval()


def float_graph(net: FollowUpEncoder) -> onnx.ModelProto:
    example = torch.arange(5, 27)[None]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "full.onnx"
        torch.onnx.export(
            ExportedFollowUps(net).eval(),
            (example, torch.ones_like(example)),
            str(path),
            input_names=["ids", "texts"],
            output_names=["outputs", "pointers"],
            dynamic_axes={key: {1: "tokens"} for key in ("ids", "texts", "pointers")},
            opset_version=17,
            dynamo=False,
        )
        return onnx.load(path)


def write_follow_ups(weights: Path, update: Path) -> None:
    """Adds the files to a folder of shipped weights, and their hashes to its config."""
    rounded = weights / FOLLOW_UP_UPDATE
    write_rounded(update, rounded)
    model = float_graph(updated_follow_ups(weights, rounded))
    names = to_integer_products(model, in_floats="/pointers")
    index = json.loads((weights / INDEX).read_text(encoding="utf-8"))
    if names != [matrix["name"] for matrix in index]:
        raise ValueError(f"the graph has other matrices than {INDEX}: {names}")
    with np.load(rounded) as stored:
        np.savez_compressed(rounded, **{n: stored[n] for n in stored.files if n.endswith((".up", ".down"))})
    old = onnx.load(weights / "model.onnx", load_external_data=False)
    places = {t.name: {e.key: e.value for e in t.external_data} for t in old.graph.initializer}
    for tensor in model.graph.initializer:
        same = places.get(tensor.name)
        if tensor.name.split(".")[0] in names:
            refer(tensor, "merged.bin", 0, len(tensor.raw_data))
        elif same and len(tensor.raw_data) > LARGE_TENSOR and len(tensor.raw_data) == int(same["length"]):
            refer(tensor, same["location"], int(same["offset"]), int(same["length"]))
    (weights / FOLLOW_UP_GRAPH).write_bytes(model.SerializeToString())
    store_hashes(weights, (FOLLOW_UP_GRAPH, FOLLOW_UP_UPDATE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="the folder of the reader it was trained over")
    parser.add_argument("--update", type=Path, required=True, help="what training.follow_ups.train wrote")
    options = parser.parse_args()
    write_follow_ups(options.weights, options.update)


if __name__ == "__main__":
    main()
