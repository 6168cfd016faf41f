"""A cold `footnotary ask`, with and without onnxruntime's plan of buffer reuse, in turns.

    python -m benchmarks.speed.cold_ask [--rounds 3]

Each round runs the command in a new process of either kind, after one that is not counted; then each shipped graph of
the readers is opened both ways. Processor time is given next to wall time, as other work on the machine slows both.
Writes benchmarks/results/speed/cold-ask.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.ingest.documents import machine
from footnotary.cli.questions.demo import corpus_folder

RESULTS = Path(__file__).parents[1] / "results" / "speed"
QUESTION = "What is the punishment for cheating?"
KINDS = ("with the plan", "without, as shipped")
# Ignores that the plan is switched off.
PLANNED = """
import onnxruntime
class Planned(onnxruntime.SessionOptions):
    enable_mem_reuse = property(lambda self: True, lambda self, value: None)
onnxruntime.SessionOptions = Planned
"""
ASK = "import sys; from footnotary.cli.main import main; sys.argv = ['footnotary', *sys.argv[1:]]; main()"
OPEN = """
import json, sys, time
from pathlib import Path
from footnotary.models.onnx_session import load_session, read_config
from footnotary.models.merged_weights import merged_matrices
from footnotary.models.model_packages import locate_model
from footnotary.reader.shipped import SHIPPED_VERIFIERS
found = {}
for size in ("small", "large"):
    folder = locate_model(SHIPPED_VERIFIERS[size])
    matrices = merged_matrices(folder, read_config(folder)[1])
    began = time.process_time()
    session = load_session(folder / "reader.onnx", threads=1, initializers=matrices)
    found[size] = time.process_time() - began
print(json.dumps(found))
"""


def run(code: str, kind: str, *arguments: str) -> tuple[float, float, str]:
    """Wall and processor seconds of a new process, and what it printed."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-c", (PLANNED if kind == KINDS[0] else "") + code, *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, used, done.stdout


def measured(home: str, rounds: int) -> dict[str, Any]:
    run(ASK, KINDS[1], "ask", QUESTION, "--home", home)
    times: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    opened: dict[str, list[dict[str, float]]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind in KINDS:
            times[kind].append(run(ASK, kind, "ask", QUESTION, "--home", home)[:2])
            opened[kind].append(json.loads(run(OPEN, kind)[2]))
    return {
        kind: {
            "wall_s": statistics.median(wall for wall, _ in times[kind]),
            "processor_s": statistics.median(used for _, used in times[kind]),
            **{f"open_{size}_s": statistics.median(one[size] for one in opened[kind]) for size in ("small", "large")},
        }
        for kind in KINDS
    }


def as_markdown(report: dict[str, Any]) -> str:
    planned, shipped = (report["kinds"][kind] for kind in KINDS)
    names = {
        "processor_s": "`footnotary ask`, processor time, s",
        "wall_s": "`footnotary ask`, wall time, s",
        "open_small_s": "opening the small reader's graph, processor time, s",
        "open_large_s": "opening the large reader's graph, processor time, s",
    }
    rows = [
        f"| {name} | {planned[key]:.2f} | {shipped[key]:.2f} | {shipped[key] / planned[key]:.2f} |"
        for key, name in names.items()
    ]
    return "\n".join(
        [
            "# A cold question\n",
            f"Made by `{report['command']}` on {report['machine']}, in turns; load of the machine {report['load']:.1f}. Medians.\n",
            f"| | {KINDS[0]} | {KINDS[1]} | ratio |",
            "|---|--:|--:|--:|",
            *rows,
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        run(ASK, KINDS[1], "ingest", str(corpus_folder() / "ipc_digest.txt"), "--home", home, "--embedder", "default")
        kinds = measured(home, given.rounds)
    report = {
        "command": f"python -m benchmarks.speed.cold_ask --rounds {given.rounds}",
        "machine": machine(),
        "load": os.getloadavg()[0],
        "kinds": kinds,
    }
    (RESULTS / "cold-ask.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    (RESULTS / "cold-ask.md").write_text(as_markdown(report), "utf-8")
    print(as_markdown(report))


if __name__ == "__main__":
    main()
