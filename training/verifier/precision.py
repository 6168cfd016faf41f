"""Sets the precision in which exported weights are multiplied, and writes the new hash of the graph into `config.json`.

python -m training.verifier.precision FOLDER [FOLDER ...]

`MatMulNBits` with `accuracy_level` 4 rounds activations to int8, and every kernel set (AVX2, AVX-512 VNNI, NEON with dot
products) rounds them differently: the same weights gave probabilities up to 0.05 apart on two processors. With level 1
the weights stay small integers on disk and all products are made in float32. Only the graph (`model.onnx`) is
rewritten; the tensors next to it are not touched.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import onnx

FLOAT32_PRODUCTS = 1  # the `accuracy_level` of MatMulNBits that multiplies in float32


def set_precision(graph: Path, level: int = FLOAT32_PRODUCTS) -> int:
    """Rewrites `graph` with this `accuracy_level`; how many products it has. Running it twice changes nothing."""
    model = onnx.load(str(graph), load_external_data=False)
    products = [node for node in model.graph.node if node.op_type == "MatMulNBits"]
    for node in products:
        for attribute in node.attribute:
            if attribute.name == "accuracy_level":
                attribute.i = level
    graph.write_bytes(model.SerializeToString())
    return len(products)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    for folder in parser.parse_args().folders:
        count = set_precision(folder / "model.onnx")
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config["sha256"]["model.onnx"] = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
        (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        print(f"{folder.name}: {count} products in float32")


if __name__ == "__main__":
    main()
