"""Where the time of an ingest with the default models goes, and the ratio to the way it was done before, in one run.

    python -m benchmarks.speed.ingest_stages [--rows 60] [--rounds 3]

Before: the injection classifier unpacks its weights for every sentence, and one thread examines passages. After: as
shipped. Both take turns on the same rows, each round on other rows; flags and vectors must be equal. Processor time is
of all threads; parsing in worker processes counts under "other" by the clock only. Writes
benchmarks/results/speed/ingest-stages.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.speed.answer_path import RESULTS, machine
from benchmarks.speed.corpora import rows, where_from, written
from benchmarks.speed.stopwatch import forget_texts
from footnotary import corpus as ingest_line
from footnotary.corpus import Corpus
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.injection.examination import examine
from footnotary.models import onnx_injection_classifier
from footnotary.models.model_packages import locate_model
from footnotary.models.onnx_injection_classifier import OnnxInjectionClassifier
from footnotary.models.onnx_session import usable_cores
from footnotary.ports import Embedder
from footnotary.wiring import open_embedder

COMMAND = "python -m benchmarks.speed.ingest_stages"
STAGES = ("parse", "chunk", "examine", "embed", "write")
PROJECT, NEVER, SKIPPED = "law", 1_000_000_000, 2_000
Times = dict[str, tuple[float, float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=60, help="sections to ingest in a round")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    embedder = open_embedder("default")
    embedder.embed_passages(["Loads the weights."])
    load, best, chunks, worst = os.getloadavg()[0], dict[str, list[Times]](), 0, 0.0
    for number in range(given.rounds):
        with TemporaryDirectory() as folder:
            some = islice(rows(), SKIPPED + number * given.rows, None)
            files = written(some, given.rows, Path(folder) / "files")
            stored: dict[str, Any] = {}
            for way in ("before", "after"):
                times, stored[way] = ingested(files, Path(folder) / way, embedder, before=way == "before")
                best.setdefault(way, []).append(times)
            (old, old_vectors), (new, new_vectors) = stored["before"], stored["after"]
            if old != new:
                raise SystemExit("the passages or their flags differ")
            worst = max(worst, float(np.abs(old_vectors - new_vectors).max()))
            chunks += len(new)
    record = {
        "command": f"{COMMAND} --rows {given.rows} --rounds {given.rounds}",
        "machine": machine(),
        "load": load,
        "texts": where_from(),
        "chunks": chunks,
        "largest_difference_of_vectors": worst,
        "seconds": {way: summed(rounds) for way, rounds in best.items()},
    }
    (RESULTS / "ingest-stages.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    text = as_markdown(record)
    (RESULTS / "ingest-stages.md").write_text(text, "utf-8")
    print(text)


def ingested(files: Path, home: Path, embedder: Embedder, *, before: bool) -> tuple[Times, Any]:
    """The times of one ingest by stage, and what it left in the store."""
    forget_texts()
    classifier = OnnxInjectionClassifier(locate_model("injection-small"))
    classifier.chance("Loads the weights.")
    times: defaultdict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    examined = partial(examine, is_injection=classifier.is_injection, threads=1 if before else usable_cores())
    limit = NEVER if before else onnx_injection_classifier._READS_BEFORE_UNPACKING  # pyright: ignore[reportPrivateUsage]
    with (
        patch.object(onnx_injection_classifier, "_READS_BEFORE_UNPACKING", limit),
        patched(ingest_line, "parse_document", "parse", times),
        patched(ingest_line, "build_chunks", "chunk", times),
        patched(embedder, "embed_passages", "embed", times),
    ):
        store = EmbeddedStore(home, embedder.name, embedder.dimensions)
        with patched(store, "put", "write", times):
            corpus = Corpus(store, embedder, examine=timed(examined, "examine", times))
            began = time.perf_counter(), time.process_time()
            report = corpus.ingest([files], PROJECT)
            whole = time.perf_counter() - began[0], time.process_time() - began[1]
    if report.failed:
        raise SystemExit(f"{report.failed[0].path} was not ingested: {report.failed[0].message}")
    known = [times[stage] for stage in STAGES]
    times["other"] = whole[0] - sum(wall for wall, _ in known), whole[1] - sum(cpu for _, cpu in known)
    times["whole"] = whole
    held = [store.stored(PROJECT, document.id) for document in store.documents(PROJECT)]
    store.close()
    return dict(times), ([chunk for one in held for chunk in one[1]], np.concatenate([one[2] for one in held]))


@contextmanager
def patched(owner: object, name: str, stage: str, times: dict[str, tuple[float, float]]) -> Iterator[None]:
    with patch.object(owner, name, timed(getattr(owner, name), stage, times)):
        yield


def timed(call: Callable[..., Any], stage: str, times: dict[str, tuple[float, float]]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter(), time.process_time()
        try:
            return call(*args, **kwargs)
        finally:
            wall, cpu = times[stage]
            times[stage] = wall + time.perf_counter() - began[0], cpu + time.process_time() - began[1]

    return run


def summed(rounds: list[Times]) -> dict[str, list[float]]:
    stages = (*STAGES, "other", "whole")
    return {stage: [sum(times[stage][kind] for times in rounds) for kind in (0, 1)] for stage in stages}


def as_markdown(record: dict[str, Any]) -> str:
    old, new = record["seconds"]["before"], record["seconds"]["after"]
    lines = [
        "# Where the time of an ingest goes\n",
        f"Made by `{record['command']}` on {record['machine']}; load at the start {record['load']:.1f}, so compare ratios and",
        f"processor time. {record['chunks']} passages of {record['texts']}, default embedder and injection classifier. Both ways take",
        "turns. Passages and flags are equal; the largest difference of a vector's component is "
        f"{record['largest_difference_of_vectors']:.1e}.\n",
        "Before: the classifier unpacks its 8-bit weights for every sentence, one thread. After: unpacked once, all cores.\n",
        "| stage | before, processor s | after, processor s | ratio | before, s by the clock | after | ratio | share of processor time |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for stage, (wall, cpu) in new.items():
        was_wall, was_cpu = old[stage]
        name = "**whole**" if stage == "whole" else stage
        lines.append(
            f"| {name} | {was_cpu:.2f} | {cpu:.2f} | {_ratio(was_cpu, cpu)} | {was_wall:.2f} | {wall:.2f} | "
            f"{_ratio(was_wall, wall)} | {cpu / new['whole'][1]:.0%} |"
        )
    return "\n".join(lines) + "\n"


def _ratio(was: float, now: float) -> str:
    return f"{was / now:.2f}" if min(was, now) > 0.05 else ""


if __name__ == "__main__":
    main()
