"""Whole answers at 100,000 chunks as the product is installed, without a language model: one client, and sixteen.

    python -m benchmarks.scale.clients [--n 100000] [--rounds 3]

The demo corpus and pieces of real acts in one project; the questions are about the demo. Every question is asked `rounds`
times by each client, in its own order. With the entailment models, and in lexical mode. Writes
benchmarks/results/scale/clients.json and .md.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import random
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.speed.answer_path import PIECE, machine, where_from
from benchmarks.speed.corpora import RandomPassages, pieces, written
from benchmarks.speed.questions import QUESTIONS, WARM_UP
from footnotary.cli.questions.demo import corpus_folder
from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.models.model_packages import locate_model
from footnotary.profiles.load import load_profile
from footnotary.reader import onnx_reader
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.shipped import SHIPPED_VERIFIERS
from footnotary.settings import load_settings
from footnotary.verify.run import checks_for
from footnotary.wiring import open_checks, open_embedder

RESULTS = Path(__file__).parents[1] / "results" / "scale"
PROJECT = "law"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    onnx_reader._CACHE_SIZE = 0  # scores of an earlier round would make every later one cheaper
    policy, embedder = load_profile("legal"), open_embedder("default")
    rows: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as folder:
        store = EmbeddedStore(Path(folder) / "store", embedder.name, embedder.dimensions)
        Corpus(store, embedder).ingest([corpus_folder()], PROJECT)
        Corpus(store, RandomPassages(embedder)).ingest(
            [written(pieces(PIECE), options.n, Path(folder) / "rows")], PROJECT
        )
        chunks = sum(document.chunks for document in store.documents(PROJECT))
        reader = OnnxReader(locate_model(SHIPPED_VERIFIERS["large"]))
        checks = open_checks(policy, load_settings())
        read = Engine(store, embedder, ExtractiveGenerator(policy), policy, checks, reader=reader)
        by_words = dataclasses.replace(read, checks=checks_for(policy), reader=None)
        for question in WARM_UP:
            read.ask(question, Scope(PROJECT))
        load = os.getloadavg()[0]
        for name, engine in (("with the verifier", read), ("lexical mode", by_words)):
            for clients in (1, 16):
                rows[f"{name}, {clients} client{'s' * (clients > 1)}"] = asked(engine, clients, options.rounds)
        store.close()
    record = {
        "command": f"python -m benchmarks.scale.clients --n {options.n} --rounds {options.rounds}",
        "machine": machine(), "load": load, "chunks": chunks, "rows": rows,
    }  # fmt: skip
    (RESULTS / "clients.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    (RESULTS / "clients.md").write_text(as_markdown(record), "utf-8")
    print(as_markdown(record))


def asked(engine: Engine, clients: int, rounds: int) -> dict[str, float]:
    """All clients at the same time, each with every question in its own order."""
    took: list[float] = []
    answered: list[bool] = []

    def client(number: int) -> None:
        questions = list(QUESTIONS) * rounds
        random.Random(number).shuffle(questions)
        for question in questions:
            began = time.perf_counter()
            outcome = engine.ask(question, Scope(PROJECT))
            took.append(1000 * (time.perf_counter() - began))
            answered.append(isinstance(outcome, Answer))

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    began, used = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    p50, p99 = (float(found) for found in np.quantile(took, [0.5, 0.99]))
    return {
        "p50 ms": p50, "p99 ms": p99, "processor ms each": 1000 * cpu / len(took), "asked /s": len(took) / seconds,
        "answered %": 100 * sum(answered) / len(answered),
    }  # fmt: skip


def as_markdown(record: dict[str, Any]) -> str:
    columns: Sequence[str] = list(next(iter(record["rows"].values())))
    lines = [
        "# Whole answers at 100,000 chunks\n",
        f"Made by `{record['command']}` on {record['machine']}; load of the machine at the start {record['load']:.1f}.\n",
        f"{record['chunks']:,} chunks in one project: the demo corpus and {where_from()} in pieces of about {PIECE} characters, the latter with random unit "
        "vectors. Profile legal, extractive, no language model; clients are threads of one process. The gate runs the reader model on questions that name no provision and are "
        "no heading; that it remembers pairs is switched off here.\n",
        f"| | {' | '.join(columns)} |",
        "|---" + "|--:" * len(columns) + "|",
    ]
    lines += [f"| {name} | {' | '.join(f'{row[c]:.1f}' for c in columns)} |" for name, row in record["rows"].items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
