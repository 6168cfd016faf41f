"""Answers a second with one and two worker processes, next to a bare endpoint: 1, 4 and 16 clients on loopback.

    python -m benchmarks.service.workers [--seconds 20] [--embedder default] [--verifier profile]

Every question is asked once only, so that neither answers nor scores come from a cache; every outcome of the service is
recorded durably, and the rate limit is off. The bare endpoint is uvicorn with one route in one process that runs the
same answer pipeline in two threads, without keys, limits, checks of the request, records or metrics: what HTTP and the
models alone allow.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.speed.questions import QUESTIONS
from footnotary.cli.questions.demo import DEMO_PROJECT, corpus_folder
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.wiring import opened
from harness.service.served_process import served

RESULTS = Path(__file__).parents[1] / "results" / "service"
CLIENTS = (1, 4, 16)
PROFILE = "legal"
BUSY = (
    "Other work kept the machine busier than it has cores, and rows were measured one after the other: differences between"
    " them may be due to that. It shows that nothing failed, not how throughput grows; repeat it on a quiet machine."
)
FEWEST = 100  # answers below which a 99th percentile or a ratio says nothing


@dataclass(frozen=True, slots=True)
class Point:
    """What some clients got from one target."""

    target: str
    clients: int
    answers: int
    answered_per_s: float
    p50_ms: float
    p99_ms: float
    errors: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--embedder", default="default")
    parser.add_argument("--verifier", default="profile")
    given = parser.parse_args()
    load = os.getloadavg()[0]
    points: list[Point] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        with opened(load_settings({"home": home, "embedder": given.embedder}), load_profile(PROFILE)) as open_:
            open_.corpus.ingest([corpus_folder()], DEMO_PROJECT)
        for workers in (1, 2):
            options = ("--embedder", given.embedder, "--workers", str(workers))
            off = {
                "FOOTNOTARY_RATE_PER_MINUTE": "0",
                "FOOTNOTARY_ANSWER_CACHE": "off",
                "FOOTNOTARY_VERIFIER": given.verifier,
            }
            with served(home, *options, environ=off) as service:
                if workers > 1:
                    service.wait_for_workers(workers)
                points += measured(f"{workers} worker{'s' * (workers > 1)}", service.port, given.seconds)
        with bare_endpoint(home, given.embedder, given.verifier) as port:
            points += measured("bare endpoint", port, given.seconds)
    report = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "cores": os.cpu_count() or 1,
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "load_at_start": round(load, 1),
        "load_at_end": round(os.getloadavg()[0], 1),
        "embedder": given.embedder,
        "verifier": given.verifier,
        "seconds": given.seconds,
        "points": [asdict(point) for point in points],
    }
    (RESULTS / "workers.json").write_text(json.dumps(report, indent=1) + "\n")
    (RESULTS / "workers.md").write_text(written(report, points))
    print(written(report, points))


def measured(target: str, port: int, seconds: float) -> Iterator[Point]:
    numbers = itertools.count()
    ask_for(port, 8, 3.0, numbers)  # every worker loads its models at its first question
    for clients in CLIENTS:
        started = time.monotonic()
        took, errors = ask_for(port, clients, seconds, numbers)
        spent = time.monotonic() - started
        ordered = sorted(took)
        print(f"{target}, {clients} clients: {len(took)} answers in {spent:.1f} s, {errors} errors", file=sys.stderr)
        p99 = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
        yield Point(target, clients, len(took), len(took) / spent, statistics.median(took) * 1000, p99 * 1000, errors)


def ask_for(port: int, clients: int, seconds: float, numbers: Iterator[int]) -> tuple[list[float], int]:
    """The seconds each answer took, and how many requests failed."""
    ends, took, failed, guard = time.monotonic() + seconds, [], [], threading.Lock()

    def one() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        while time.monotonic() < ends:
            with guard:
                number = next(numbers)
            question = f"{QUESTIONS[number % len(QUESTIONS)]} ({number})"
            body = json.dumps({"query": question, "project_id": DEMO_PROJECT, "policy_profile": PROFILE})
            began = time.monotonic()
            try:
                connection.request("POST", "/rag/query", body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                response.read()
                (took if response.status == 200 else failed).append(time.monotonic() - began)
            except (OSError, http.client.HTTPException):
                failed.append(time.monotonic() - began)
                connection.close()
        connection.close()

    with ThreadPoolExecutor(clients) as pool:
        for done in [pool.submit(one) for _ in range(clients)]:
            done.result()
    return took, len(failed)


@contextmanager
def bare_endpoint(home: Path, embedder: str, verifier: str) -> Iterator[int]:
    command = [sys.executable, "-m", "benchmarks.service.bare_endpoint", str(home), embedder, verifier, PROFILE]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.communicate(timeout=30)


def written(report: dict[str, Any], points: list[Point]) -> str:
    best = {p.target: p for p in points if p.clients == CLIENTS[-1]}
    alone = {p.target: p for p in points if p.clients == 1}
    busy = max(report["load_at_start"], report["load_at_end"]) > report["cores"]
    few = any(p.answers < FEWEST for p in points)
    lines = [
        "# Worker processes",
        "",
        f"Made by `python -m benchmarks.service.workers --seconds {report['seconds']:g} --embedder {report['embedder']} --verifier {report['verifier']}` on {report['machine']}, {report['date']};"
        f" load of the machine {report['load_at_start']} at the start and {report['load_at_end']} at the end.",
        "",
        f"Clients on loopback post questions to `/rag/query`, profile {PROFILE}, extractive, embedder {report['embedder']}, verifier {report['verifier']}; no question is asked twice, and every outcome of the"
        " service is recorded durably. The bare endpoint is uvicorn with one route that runs the same answer pipeline in two threads: no keys, limits, records or metrics.",
        "",
        "| | clients | answers | answered /s | p50 ms | p99 ms | errors |",
        "|---|--:|--:|--:|--:|--:|--:|",
        *(
            f"| {p.target} | {p.clients} | {p.answers} | {p.answered_per_s:.1f} | {p.p50_ms:.0f} |"
            f" {f'{p.p99_ms:.0f}' if p.answers >= FEWEST else '–'} | {p.errors} |"
            for p in points
        ),
        "",
        f"Fewer than {FEWEST} answers at some points: too few for ratios."
        if few
        else f"{CLIENTS[-1]} clients against one: "
        + ", ".join(f"{name} {best[name].answered_per_s / alone[name].answered_per_s:.2f} times" for name in best)
        + ".",
        "",
        "One run." + (f" {BUSY}" if busy else ""),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
