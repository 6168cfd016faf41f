"""The cost of verification: three paraphrased claims, next to an encoder of ModernBERT-base's size.

    python -m benchmarks.speed.verifiers [--rounds N]

The encoder has 22 layers of width 768 with random float32 weights and reads the whole context of 1,000 tokens, as
token-level detectors do; it is built here. Everything is timed in one run, in turn, and what counts are the ratios.
Prints a table and writes benchmarks/results/speed/verifier-speed.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from footnotary.domain.draft import Claim
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_session import load_session, usable_cores
from footnotary.profiles.load import load_profile
from footnotary.reader import onnx_reader
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.shipped import SHIPPED_VERIFIERS
from footnotary.testing.builders import chunk_of, submission_of
from footnotary.verify.meaning import score_fusion
from footnotary.verify.run import acceptable, checks_for, verify

RESULTS = Path(__file__).parents[1] / "results" / "speed"
LAYERS, WIDTH, HEADS, INNER, TOKENS = 22, 768, 12, 1152, 1000
CHUNKS = (
    "Wages shall be paid before the expiry of the seventh day after the last day of the wage period. The employer shall "
    "keep a register of all persons employed, in which the wages of each and the deductions made are entered.",
    "A consumer may return goods that are defective within thirty days of delivery. The seller shall refund the price "
    "within fifteen days after the goods are returned, and may not charge for the carriage of defective goods.",
    "A licence is granted for five years and may be renewed. An application for renewal is made not later than sixty days "
    "before the licence ends, in the form that the rules prescribe, together with the fee.",
)
RESTATED = (
    "Employers have to pay wages before the seventh day after the wage period has ended.",
    "Goods that prove defective can be sent back within thirty days after they were delivered.",
    "To renew a licence, one applies at least sixty days before it runs out.",
)


def encoder(path: Path) -> None:
    """A pre-norm encoder with gated layers as large as ModernBERT-base, without its vocabulary: states go in."""
    draw = np.random.default_rng(1)
    nodes: list[onnx.NodeProto] = []
    weights: list[onnx.TensorProto] = []

    def held(name: str, *shape: int) -> str:
        weights.append(numpy_helper.from_array((draw.standard_normal(shape) * 0.02).astype(np.float32), name))
        return name

    def fixed(name: str, values: list[int]) -> str:
        weights.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def add(kind: str, given: list[str], out: str, **options: object) -> str:
        nodes.append(helper.make_node(kind, given, [out], **options))
        return out

    split = fixed("split", [1, TOKENS, 3, HEADS, WIDTH // HEADS])
    joined = fixed("joined", [1, TOKENS, WIDTH])
    axis, scale = fixed("first", [0]), numpy_helper.from_array(np.array((WIDTH // HEADS) ** -0.5, np.float32), "scale")
    weights.extend([scale, numpy_helper.from_array(np.ones(WIDTH, np.float32), "ones")])
    state = "states"
    for n in range(LAYERS):
        normal = add("LayerNormalization", [state, "ones"], f"n{n}", axis=-1)
        parts = add("Reshape", [add("MatMul", [normal, held(f"wqkv{n}", WIDTH, 3 * WIDTH)], f"qkv{n}"), split], f"s{n}")
        turned = add("Transpose", [parts], f"t{n}", perm=[2, 0, 3, 1, 4])
        nodes.append(helper.make_node("Split", [turned], [f"q{n}", f"k{n}", f"v{n}"], axis=0, num_outputs=3))
        q, k, v = (add("Squeeze", [f"{x}{n}", axis], f"{x}s{n}") for x in "qkv")
        likeness = add("MatMul", [q, add("Transpose", [k], f"kt{n}", perm=[0, 1, 3, 2])], f"l{n}")
        shares = add("Softmax", [add("Mul", [likeness, "scale"], f"ls{n}")], f"sm{n}", axis=-1)
        mixed = add("Transpose", [add("MatMul", [shares, v], f"m{n}")], f"mt{n}", perm=[0, 2, 1, 3])
        attended = add("MatMul", [add("Reshape", [mixed, joined], f"j{n}"), held(f"wo{n}", WIDTH, WIDTH)], f"o{n}")
        state = add("Add", [state, attended], f"a{n}")
        normal = add("LayerNormalization", [state, "ones"], f"nn{n}", axis=-1)
        gate = add("Sigmoid", [add("MatMul", [normal, held(f"wg{n}", WIDTH, INNER)], f"g{n}")], f"gs{n}")
        inner = add("Mul", [gate, add("MatMul", [normal, held(f"wi{n}", WIDTH, INNER)], f"i{n}")], f"gi{n}")
        state = add("Add", [state, add("MatMul", [inner, held(f"wd{n}", INNER, WIDTH)], f"d{n}")], f"b{n}")
    graph = helper.make_graph(
        nodes,
        "encoder",
        [helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, TOKENS, WIDTH])],
        [helper.make_tensor_value_info(state, TensorProto.FLOAT, [1, TOKENS, WIDTH])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    path.write_bytes(model.SerializeToString())


def answers(texts: tuple[str, ...], verifier: OnnxReader) -> Callable[[], bool]:
    """A whole verification of three claims; nothing is remembered from one call to the next."""
    chunks = [chunk_of(f"S_{n}_0", text) for n, text in enumerate(CHUNKS)]
    claims = [Claim(text, (chunk.id,)) for text, chunk in zip(texts, chunks, strict=True)]
    checks = checks_for(load_profile("default"), verifier)

    def run() -> bool:
        score_fusion._assess_draft.cache_clear()
        return acceptable(verify(submission_of("wages", tuple(chunks), *claims), checks))

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    onnx_reader._CACHE_SIZE = 0  # no score is taken from an earlier round
    verifiers = {size: OnnxReader(locate_model(name)) for size, name in SHIPPED_VERIFIERS.items()}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    runs: dict[str, Callable[[], object]] = {
        f"three claims restated, {size} verifier": answers(RESTATED, verifier) for size, verifier in verifiers.items()
    }
    accepted = {name: run() for name, run in runs.items()}
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    copied = tuple(text.split(". ")[0] + "." for text in CHUNKS)
    runs["three claims copied"] = answers(copied, verifiers["large"])
    with tempfile.TemporaryDirectory() as folder:
        encoder(Path(folder) / "encoder.onnx")
        session = load_session(Path(folder) / "encoder.onnx", threads=usable_cores())
    states = np.random.default_rng(2).standard_normal((1, TOKENS, WIDTH)).astype(np.float32)
    large = "ModernBERT-base-sized encoder, 1,000 tokens"
    runs[large] = lambda: session.run(None, {"states": states})  # pyright: ignore[reportArgumentType]
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(options.rounds):
        for name, run in runs.items():
            began = time.perf_counter()
            run()
            taken[name].append(1000 * (time.perf_counter() - began))
    table = {
        name: {
            "ms": round(statistics.median(found), 1),
            "least_ms": round(min(found), 1),
            "faster": round(statistics.median(taken[large]) / statistics.median(found), 1),
        }
        for name, found in taken.items()
    }
    command = f"python -m benchmarks.speed.verifiers --rounds {options.rounds}"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    record = {
        "command": command,
        "machine": machine,
        "both verifiers loaded, MB": memory,
        "accepted": accepted,
        "runs": table,
    }
    lines = [
        "# What verifying costs",
        "",
        f"`{command}` on {machine}. Both verifiers loaded take {memory} MB more.",
        "",
    ]
    lines += ["| run | median ms | least ms | times faster than the encoder |", "|---|--:|--:|--:|"]
    lines += [f"| {name} | {row['ms']} | {row['least_ms']} | {row['faster']} |" for name, row in table.items()]
    print("\n".join(lines), accepted)
    (RESULTS / "verifier-speed.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    (RESULTS / "verifier-speed.md").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
