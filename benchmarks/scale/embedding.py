"""Speed of the default embedder, next to a plain loop over padded batches of the same model.

    python -m benchmarks.scale.embedding [--n 400]

The texts are sections of real acts, unchanged. The plain loop takes 32 texts at a time in their order and pads each
to the longest of its batch, with onnxruntime's own threads; as the shipped model takes one text at a time, a batch is
run text by text. Both take turns. Writes benchmarks/results/scale/embedding.json and .md.
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.ingest.documents import machine
from benchmarks.speed.corpora import rows
from footnotary.models.onnx_session import load_session, load_tokenizer, usable_cores
from footnotary.models.weights_folder import open_weights
from footnotary.wiring import open_embedder

RESULTS = Path(__file__).parents[1] / "results" / "scale"
WEIGHTS = Path(__file__).parents[2] / "src" / "footnotary" / "weights" / "footnotary-30m"
BATCH, TURNS = 32, 4


def plain_loop() -> Callable[[list[str]], None]:
    weights = open_weights(WEIGHTS)
    tokenizer = load_tokenizer(weights.read("tokenizer.json"))
    tokenizer.enable_truncation(weights.max_tokens)
    session = load_session(weights.read("model.onnx"), threads=usable_cores())

    def run(texts: list[str]) -> None:
        for start in range(0, len(texts), BATCH):
            ids = [one.ids for one in tokenizer.encode_batch(texts[start : start + BATCH])]
            longest = max(map(len, ids))
            for one in ids:
                session.run(None, {"ids": np.array([one + [1] * (longest - len(one))], np.int64)})

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=400)
    count = parser.parse_args().n
    texts = [str(row["text"]) for row in islice(rows(), 2_000, 2_000 + count)]
    embedder, plain = open_embedder("default"), plain_loop()
    ways: dict[str, Callable[[list[str]], Any]] = {"ours": embedder.embed_passages, "plain": plain}
    took = {name: [0.0, 0.0] for name in ways}
    for call in ways.values():
        call(texts[:2])
    for turn in range(TURNS):
        part = texts[turn * count // TURNS : (turn + 1) * count // TURNS]
        for name, call in ways.items():
            began, began_cpu = time.perf_counter(), time.process_time()
            call(part)
            took[name][0] += time.perf_counter() - began
            took[name][1] += time.process_time() - began_cpu
    record: dict[str, Any] = {"machine": machine(), "load": os.getloadavg()[0], "texts": count}
    record |= {name: {"s": wall, "cpu_s": cpu} for name, (wall, cpu) in took.items()}
    record |= {"times": took["plain"][0] / took["ours"][0], "times_cpu": took["plain"][1] / took["ours"][1]}
    (RESULTS / "embedding.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    lines = [
        "# Embedding, next to a plain loop over padded batches\n",
        f"Made by `python -m benchmarks.scale.embedding --n {count}` on {machine()}; load at the end {record['load']:.1f}.",
        f"{count} sections of real acts with the default embedder; the plain loop pads {BATCH} texts at a time to the longest.\n",
        "| | passages/s | passages per second of processor time |",
        "|---|--:|--:|",
        *(f"| {name} | {count / wall:.1f} | {count / cpu:.1f} |" for name, (wall, cpu) in took.items()),
        "",
        f"Ours is {record['times']:.2f} times as fast by the clock, {record['times_cpu']:.2f} by processor time.",
    ]
    (RESULTS / "embedding.md").write_text("\n".join(lines) + "\n", "utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
