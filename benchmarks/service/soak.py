"""The service asked for minutes by 1 to 64 clients with mixed questions: errors, and whether memory grows.

    python -m benchmarks.service.soak [--minutes 10] [--embedder fast] [--verifier lexical]

The time is divided between 1, 4, 16 and 64 clients, each of which asks one question after another: every question of
the demo corpus, and variations of it that were not asked before. An error is any status but 200, a broken connection,
or a body without an answer or a reason. Memory is sampled every second; growth is the median of the last tenth of the
time over the median of the second tenth, as models and caches are loaded in the first. Writes
benchmarks/results/service/soak.json and .md. Exits with 1 where there was an error.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.ingest.documents import machine
from benchmarks.service.load import DEMO_PROJECT, RESULTS, cpu_seconds, ingested, percentile, rss_mb, served
from benchmarks.speed.questions import QUESTIONS

CLIENTS = (1, 4, 16, 64)
OPENINGS = ("", "Please tell me: ", "In short, ", "According to the documents, ")
TIMEOUT_S = 120


class Clients:
    """Asks from several threads until told to stop, and keeps what came back."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._numbers = count()
        self._lock = threading.Lock()
        self.took_s: list[float] = []
        self.errors: Counter[str] = Counter()

    def run(self, clients: int, seconds: float) -> None:
        """Returns after `seconds`, and the answers to what was asked by then."""
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=self._ask_until, args=(end,)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _ask_until(self, end: float) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_S)
        while time.monotonic() < end:
            with self._lock:
                number = next(self._numbers)
            began = time.perf_counter()
            error = _asked(connection, number)
            with self._lock:
                self.took_s.append(time.perf_counter() - began)
                if error:
                    self.errors[error] += 1
        connection.close()


def _asked(connection: http.client.HTTPConnection, number: int) -> str | None:
    """What went wrong with the question of this number."""
    turn, place = divmod(number, len(QUESTIONS))
    asked = QUESTIONS[place] if turn % 2 == 0 else f"{OPENINGS[turn % len(OPENINGS)]}{QUESTIONS[place]} ({turn})"
    body = json.dumps({"query": asked, "project_id": DEMO_PROJECT, "policy_profile": "legal"})
    try:
        connection.request("POST", "/rag/query", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        content = response.read()
        if response.status != http.client.OK:
            return f"status {response.status}"
        return None if "answer" in json.loads(content) else "no answer in the body"
    except (OSError, http.client.HTTPException, ValueError) as error:
        connection.close()
        return type(error).__name__


def soaked(port: int, pid: int, minutes: float) -> dict[str, Any]:
    """The phases, one after another, with the memory of the process at every second of all of them."""
    memory: list[float] = []
    over = threading.Event()

    def sample() -> None:
        while not over.wait(1):
            memory.append(rss_mb(pid))

    sampler = threading.Thread(target=sample)
    sampler.start()
    phases: list[dict[str, Any]] = []
    errors: Counter[str] = Counter()
    for clients in CLIENTS:
        asking, began, cpu = Clients(port), time.perf_counter(), cpu_seconds(pid)
        asking.run(clients, 60 * minutes / len(CLIENTS))
        took, used = time.perf_counter() - began, cpu_seconds(pid) - cpu
        errors += asking.errors
        phases.append(
            {
                "clients": clients,
                "asked": len(asking.took_s),
                "per_s": len(asking.took_s) / took,
                "per_processor_s": len(asking.took_s) / used,
                "p50_ms": 1000 * percentile(asking.took_s, 0.5),
                "p99_ms": 1000 * percentile(asking.took_s, 0.99),
                "errors": sum(asking.errors.values()),
                "rss_mb": memory[-1] if memory else rss_mb(pid),
            }
        )
    over.set()
    sampler.join()
    tenth = max(1, len(memory) // 10)
    early, late = statistics.median(memory[tenth : 2 * tenth]), statistics.median(memory[-tenth:])
    return {"phases": phases, "errors": dict(errors), "early_mb": early, "late_mb": late, "most_mb": max(memory)}


def as_markdown(report: dict[str, Any]) -> str:
    rows = [
        f"| {p['clients']} | {p['asked']:,} | {p['errors']} | {p['per_s']:.1f} | {p['per_processor_s']:.1f} | "
        f"{p['p50_ms']:,.0f} / {p['p99_ms']:,.0f} | {p['rss_mb']:,.0f} |"
        for p in report["phases"]
    ]
    return "\n".join(
        [
            "# The service asked for minutes\n",
            f"Made by `{report['command']}` on {report['machine']}; load of the machine at the start "
            f"{report['load'][0]:.1f}, at the end {report['load'][1]:.1f}.\n",
            "| clients | questions | errors | a second | a second of the service's processor time | p50 / p99 ms | resident, MB |",
            "|--:|--:|--:|--:|--:|--:|--:|",
            *rows,
            "",
            f"Memory: {report['early_mb']:,.0f} MB in the second tenth of the time, {report['late_mb']:,.0f} MB in the "
            f"last, {report['late_mb'] / report['early_mb']:.2f} times as much; at most {report['most_mb']:,.0f} MB.",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--embedder", default="fast")
    parser.add_argument("--verifier", default="lexical")
    given = parser.parse_args()
    if given.minutes < 0.5:
        parser.error(f"--minutes is {given.minutes}: choose 0.5 or more, memory is sampled by the second")
    os.environ["FOOTNOTARY_VERIFIER"] = given.verifier
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        home = ingested(Path(folder), given.embedder)[-1]
        with served(home, given.embedder) as (process, port):
            result = soaked(port, process.pid, given.minutes)
    report = {
        "command": f"python -m benchmarks.service.soak --minutes {given.minutes:g} --embedder {given.embedder} "
        f"--verifier {given.verifier}",
        "machine": machine(),
        "load": [load, os.getloadavg()[0]],
        **result,
    }
    (RESULTS / "soak.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    (RESULTS / "soak.md").write_text(as_markdown(report), "utf-8")
    print(as_markdown(report))
    sys.exit(1 if report["errors"] else 0)


if __name__ == "__main__":
    main()
