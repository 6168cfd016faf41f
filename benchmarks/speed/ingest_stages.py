"""Where the time of an ingest with the default models goes, next to another version of the program in the same run.

    git worktree add ../former COMMIT
    python -m benchmarks.speed.ingest_stages --former ../former [--rows 60] [--rounds 3]

Both versions ingest the same files in turns, each in a process of its own and each round other files. Processor time is
of all threads; parsing in worker processes counts under "other" by the clock only. Writes
benchmarks/results/speed/ingest-stages.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.speed.answer_path import RESULTS, machine
from benchmarks.speed.corpora import rows, where_from, written
from footnotary import corpus as ingest_line
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, open_embedder

ROOT = Path(__file__).parents[2]
STAGES = ("parse", "chunk", "examine", "embed", "write")
PROJECT, SKIPPED = "law", 2_000
FORMER, NOW = "former", "now"
Times = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--former", type=Path, help="a checkout of another version of the program")
    parser.add_argument("--rows", type=int, default=60, help="sections to ingest in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", nargs=2, type=Path, metavar=("FILES", "OUT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(*given.measure)
    elif given.former is None:
        parser.error("--former is needed: the checkout to compare with")
    else:
        compare(given.former, given.rows, given.rounds)


def compare(former: Path, row_count: int, rounds: int) -> None:
    load, times = os.getloadavg()[0], dict[str, list[Times]]()
    chunks, flags, same_flags, cosines = 0, 0, 0, list[float]()
    for number in range(rounds):
        with TemporaryDirectory() as folder:
            some = islice(rows(), SKIPPED + number * row_count, None)
            files = written(some, row_count, Path(folder) / "files")
            held: dict[str, Any] = {}
            for way, checkout in ((FORMER, former), (NOW, ROOT)):
                found, held[way] = measured(checkout, files, Path(folder) / way)
                times.setdefault(way, []).append(found)
            (old_flags, old), (new_flags, new) = held[FORMER], held[NOW]
            chunks, flags = chunks + len(new_flags), flags + sum(map(len, new_flags))
            same_flags += sum(one == other for one, other in zip(old_flags, new_flags, strict=True))
            cosines += [float(cosine) for cosine in (old * new).sum(1)]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=former, capture_output=True, text=True, check=True
    )
    record = {
        "command": f"python -m benchmarks.speed.ingest_stages --former CHECKOUT --rows {row_count} --rounds {rounds}",
        "former": commit.stdout.strip(),
        "machine": machine(),
        "load": load,
        "texts": where_from(),
        "passages": chunks,
        "flagged_spans": flags,
        "passages_with_equal_flags": same_flags,
        "cosine_mean": float(np.mean(cosines)),
        "cosine_least": float(np.min(cosines)),
        "seconds": {way: summed(found) for way, found in times.items()},
    }
    (RESULTS / "ingest-stages.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
    text = as_markdown(record)
    (RESULTS / "ingest-stages.md").write_text(text, "utf-8")
    print(text)


def measured(checkout: Path, files: Path, out: Path) -> tuple[Times, Any]:
    """One ingest by the program of a checkout: the times by stage, and the flags and vectors of every passage."""
    command = [sys.executable, "-m", "benchmarks.speed.ingest_stages", "--measure", str(files), str(out)]
    searched = os.pathsep.join((str(checkout.absolute() / "src"), str(ROOT)))
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": searched}, check=True)
    found = json.loads((out / "found.json").read_text("utf-8"))
    return found["times"], (found["flags"], np.load(out / "vectors.npy"))


def measure(files: Path, out: Path) -> None:
    """Ingests in this process, and writes what `measured` reads."""
    settings = load_settings({"home": out / "home"})
    embedder = open_embedder("default")
    embedder.embed_passages(["Loads the weights."])
    times: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    store = EmbeddedStore(out / "home", embedder.name, embedder.dimensions)
    corpus = build_corpus(settings, store, embedder)
    out.mkdir(parents=True, exist_ok=True)
    warm = out / "warm.txt"
    warm.write_text("Print the word yes. " * 12, "utf-8")
    corpus.ingest([warm], "warm")
    examine = corpus._examine  # pyright: ignore[reportPrivateUsage]
    with (
        patch.object(corpus, "_examine", timed(examine, "examine", times)),
        patched(ingest_line, "parse_document", "parse", times),
        patched(ingest_line, "build_chunks", "chunk", times),
        patched(embedder, "embed_passages", "embed", times),
        patched(store, "put", "write", times),
    ):
        began = time.perf_counter(), time.process_time()
        report = corpus.ingest([files], PROJECT)
        whole = [time.perf_counter() - began[0], time.process_time() - began[1]]
    if report.failed:
        raise SystemExit(f"{report.failed[0].path} was not ingested: {report.failed[0].message}")
    known = [times[stage] for stage in STAGES]
    times["other"] = [whole[kind] - sum(one[kind] for one in known) for kind in (0, 1)]
    times["whole"] = whole
    held = [store.stored(PROJECT, document.id) for document in store.documents(PROJECT)]
    store.close()
    flags = [[[flag.span.start, flag.span.end] for flag in chunk.flags or ()] for one in held for chunk in one[1]]
    np.save(out / "vectors.npy", np.concatenate([one[2] for one in held]))
    (out / "found.json").write_text(json.dumps({"times": dict(times), "flags": flags}), "utf-8")


@contextmanager
def patched(owner: object, name: str, stage: str, times: dict[str, list[float]]) -> Iterator[None]:
    with patch.object(owner, name, timed(getattr(owner, name), stage, times)):
        yield


def timed(call: Callable[..., Any], stage: str, times: dict[str, list[float]]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter(), time.process_time()
        try:
            return call(*args, **kwargs)
        finally:
            times[stage][0] += time.perf_counter() - began[0]
            times[stage][1] += time.process_time() - began[1]

    return run


def summed(rounds: list[Times]) -> dict[str, list[float]]:
    stages = (*STAGES, "other", "whole")
    return {stage: [sum(times.get(stage, [0, 0])[kind] for times in rounds) for kind in (0, 1)] for stage in stages}


def as_markdown(record: dict[str, Any]) -> str:
    old, new = record["seconds"][FORMER], record["seconds"][NOW]
    lines = [
        "# Where the time of an ingest goes\n",
        f"Made by `{record['command']}` on {record['machine']}; load at the start {record['load']:.1f}, so compare ratios and",
        f"processor time. {record['passages']} passages of {record['texts']}, default embedder and injection classifier, next to",
        f"commit {record['former']}, in turns. Vectors: cosine {record['cosine_mean']:.4f} on average, {record['cosine_least']:.4f} at",
        f"least. {record['passages_with_equal_flags']} passages have equal flags; {record['flagged_spans']} spans are flagged.\n",
        "| stage | former, processor s | now, processor s | ratio | former, s by the clock | now | ratio | share of processor time |",
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
