"""The service under load, driven by wrk on loopback: throughput and latency, ten times too much, memory, overhead.

    python -m benchmarks.service.load [--seconds 10] [--embedder default]

Answers are not cached, every outcome is recorded durably, and the rate limit is off.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import platform
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.speed.questions import QUESTIONS, WARM_UP
from footnotary.cli.questions.demo import DEMO_PROJECT, corpus_folder
from footnotary.domain.query import Scope
from footnotary.profiles.load import load_profile
from footnotary.render.outcome_record import outcome_record
from footnotary.service.answering import AskRequest, answer
from footnotary.service.auth.authentication import OPEN_CREDENTIAL
from footnotary.service.state import Policy, ServiceState
from footnotary.settings import load_settings
from footnotary.wiring import opened

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results" / "service"
CONNECTIONS = (1, 16, 64)
OVERLOAD_CONNECTIONS = 400
ROUNDS = 7
OVERLOADS, CALM = 3, 16


@dataclass(frozen=True, slots=True)
class Phase:
    """What wrk saw, and what the service used meanwhile."""

    name: str
    seen: dict[str, float]
    rss_mb: float
    cpu_s: float

    @property
    def goodput(self) -> float:
        return self.seen["answered"] / self.seen["seconds"]

    @property
    def per_processor_s(self) -> float:
        """Answers for each second of processor, whatever else the machine does."""
        return self.seen["answered"] / self.cpu_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--embedder", default="default")
    asked = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed: apt-get install wrk")
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        homes = ingested(Path(folder), asked.embedder)
        bodies = Path(folder) / "bodies.jsonl"
        bodies.write_text(
            "".join(
                json.dumps({"query": question, "project_id": DEMO_PROJECT, "policy_profile": "legal"}) + "\n"
                for question in QUESTIONS
            )
        )
        with (
            library(homes[0], asked.embedder) as by_library,
            recorded(homes[1], asked.embedder) as with_record,
            served(homes[2], asked.embedder) as (process, port),
        ):
            warm_up(port)
            phases = [wrk(process, port, bodies, n, asked.seconds, f"{n} connections") for n in CONNECTIONS]
            capacity = max(phase.goodput for phase in phases)
            pause_ms = OVERLOAD_CONNECTIONS / (10 * capacity) * 1000
            shares: list[float] = []
            work_shares: list[float] = []
            refused_ms: list[float] = []
            for _ in range(OVERLOADS):
                before = wrk(process, port, bodies, CALM, asked.seconds, f"{CALM} connections, before")
                with refusals(port, refused_ms):
                    over = wrk(
                        process, port, bodies, OVERLOAD_CONNECTIONS, 2 * asked.seconds, "ten times capacity", pause_ms
                    )
                after = wrk(process, port, bodies, CALM, asked.seconds, f"{CALM} connections, afterwards")
                phases += [before, over, after]
                shares.append(over.goodput / statistics.mean((before.goodput, after.goodput)))
                work_shares.append(
                    over.per_processor_s / statistics.mean((before.per_processor_s, after.per_processor_s))
                )
            costs = side_by_side(by_library, with_record, process, port)
    report = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "load_at_start": round(load, 1),
        "embedder": asked.embedder,
        "phases": [
            {"name": p.name, "goodput": p.goodput, "rss_mb": p.rss_mb, "cpu_s": p.cpu_s, **p.seen} for p in phases
        ],
        "capacity_per_s": capacity,
        "goodput_at_ten_times": statistics.median(shares),
        "goodput_shares": shares,
        "goodput_per_processor_s": statistics.median(work_shares),
        "refused_ms": {
            "n": len(refused_ms),
            "p50": statistics.median(refused_ms) if refused_ms else None,
            "p99": percentile(refused_ms, 0.99) if refused_ms else None,
        },
        **costs,
    }
    (RESULTS / "service-load.json").write_text(json.dumps(report, indent=1) + "\n")
    (RESULTS / "service-load.md").write_text(written(report))
    print(written(report))


def ingested(folder: Path, embedder: str) -> list[Path]:
    """Three homes that hold the same, so that none of those who are compared waits for another."""
    homes = [folder / name for name in ("library", "recorded", "service")]
    with opened(load_settings({"home": homes[0], "embedder": embedder}), load_profile("legal")) as open_:
        open_.corpus.ingest([corpus_folder()], DEMO_PROJECT)
    for home in homes[1:]:
        shutil.copytree(homes[0], home)
    return homes


@contextmanager
def library(home: Path, embedder: str) -> Iterator[Callable[[str], None]]:
    """Asks by the library, and writes out the outcome."""
    with opened(load_settings({"home": home, "embedder": embedder}), load_profile("legal")) as open_:

        def asked(question: str) -> None:
            outcome = open_.engine.ask(question, Scope(DEMO_PROJECT))
            json.dumps(outcome_record(outcome, open_.engine.profile.presentation.style))

        yield asked


@contextmanager
def recorded(home: Path, embedder: str) -> Iterator[Callable[[str], None]]:
    """The same with the durable record that every outcome gets, still without HTTP."""
    settings = load_settings({"home": home, "embedder": embedder, "answer_cache": "off"})
    state = ServiceState(settings)
    tenant = state.tenant("local")

    def asked(question: str) -> None:
        delivered = answer(tenant, OPEN_CREDENTIAL, AskRequest(question, DEMO_PROJECT, Policy("legal")))
        json.dumps(outcome_record(delivered.outcome, delivered.profile.presentation.style))

    try:
        yield asked
    finally:
        state.close()


def side_by_side(
    by_library: Callable[[str], None], with_record: Callable[[str], None], process: subprocess.Popen[bytes], port: int
) -> dict[str, Any]:
    """The cost of a question each way, alternating, since the speed of a machine varies over time."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    ways = {
        "library": (by_library, time.process_time),
        "library_with_record": (with_record, time.process_time),
        "service": (lambda question: ask(connection, (question,)), lambda: cpu_seconds(process.pid)),
    }
    for asked, _ in ways.values():
        for question in (*WARM_UP, *QUESTIONS):
            asked(question)
    rounds = [{name: timed(*way) for name, way in ways.items()} for _ in range(ROUNDS)]
    costs: dict[str, Any] = {
        name: {unit: statistics.median(one[name][unit] for one in rounds) for unit in ("wall_ms", "cpu_ms")}
        for name in ways
    }
    for unit, name in (("wall_ms", "overhead_wall"), ("cpu_ms", "overhead")):
        costs[name] = statistics.median(one["service"][unit] / one["library_with_record"][unit] - 1 for one in rounds)
    return costs


def timed(asked: Callable[[str], None], processor_s: Callable[[], float]) -> dict[str, float]:
    """Milliseconds of a question, passed and of processor."""
    wall, cpu = time.perf_counter(), processor_s()
    for question in QUESTIONS:
        asked(question)
    count = len(QUESTIONS)
    return {
        "wall_ms": (time.perf_counter() - wall) / count * 1000,
        "cpu_ms": (processor_s() - cpu) / count * 1000,
    }


def ask(connection: http.client.HTTPConnection, questions: tuple[str, ...]) -> None:
    for question in questions:
        body = json.dumps({"query": question, "project_id": DEMO_PROJECT, "policy_profile": "legal"})
        connection.request("POST", "/rag/query", body, {"Content-Type": "application/json", "Host": "localhost"})
        response = connection.getresponse()
        response.read()
        assert response.status == 200, response.status


@contextmanager
def served(home: Path, embedder: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"FOOTNOTARY_RATE_PER_MINUTE": "0", "FOOTNOTARY_ANSWER_CACHE": "off", "FOOTNOTARY_CONCURRENCY": "64"}
    command = [sys.executable, "-m", "footnotary.cli.main", "serve", "--home", str(home), "--port", str(port)]
    with (home / "service.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--embedder", embedder], stderr=log, stdout=log, env={**os.environ, **settings}
        )
        try:
            for _ in range(600):
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield process, port
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def warm_up(port: int) -> None:
    ask(http.client.HTTPConnection("127.0.0.1", port, timeout=60), (*WARM_UP, *QUESTIONS))


def wrk(
    process: subprocess.Popen[bytes],
    port: int,
    bodies: Path,
    connections: int,
    seconds: int,
    name: str,
    pause_ms: float = 0.0,
) -> Phase:
    settle(port)
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    cpu = cpu_seconds(process.pid)
    command = f"wrk -t1 -c{connections} -d{seconds}s --timeout 60s --latency -s {HERE / 'questions.lua'}"
    done = subprocess.run(
        [*command.split(), f"http://127.0.0.1:{port}"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "BODIES": str(bodies), "PAUSE_MS": str(round(pause_ms))},
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("JSON "))
    seen: dict[str, float] = json.loads(line[5:])
    print(name, seen, flush=True)
    return Phase(name, seen, rss_mb(process.pid), cpu_seconds(process.pid) - cpu)


def settle(port: int) -> None:
    """Waits until nothing is left of the phase before: what was admitted is answered, though nobody listens any more."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while True:
        connection.request("GET", "/metrics", headers={"Host": "localhost"})
        if "footnotary_requests_in_flight 0.0" in connection.getresponse().read().decode():
            return
        time.sleep(0.1)


@contextmanager
def refusals(port: int, found: list[float]) -> Iterator[None]:
    """How long it took to be refused, in milliseconds, as one caller among the others saw it."""
    stop = threading.Event()
    body = json.dumps({"query": QUESTIONS[0], "project_id": DEMO_PROJECT})

    def probe() -> None:
        while not stop.wait(0.05):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)  # who is admitted may go again
                connection.connect()
                started = time.perf_counter()
                connection.request(
                    "POST", "/rag/query", body, {"Content-Type": "application/json", "Host": "localhost"}
                )
                status = connection.getresponse().status
                if status in (429, 503):
                    found.append((time.perf_counter() - started) * 1000)
                connection.close()
            except OSError:
                continue

    probing = [threading.Thread(target=probe, daemon=True) for _ in range(4)]
    for thread in probing:
        thread.start()
    yield
    stop.set()
    for thread in probing:
        thread.join(60)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def written(report: dict[str, Any]) -> str:
    lines = [
        "# The service under load\n",
        f"Made by `python -m benchmarks.service.load` on {report['machine']}, {report['date']}; load of the machine at "
        f"the start {report['load_at_start']}.\n",
        "`wrk` on loopback posts the questions of `benchmarks/speed/questions.py` to `/rag/query`, profile legal, "
        f"extractive, {report['embedder']} embedder. Answers are not cached; every outcome is recorded durably, with "
        "its hash chain, before it leaves. wrk and the service share the machine.\n",
        "| | answered /s | processor ms each | p50 ms | p99 ms | turned away | other | memory MB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for p in report["phases"]:
        lines.append(
            f"| {p['name']} | {p['goodput']:.1f} | {p['cpu_s'] / p['answered'] * 1000:.1f} | {p['p50_ms']:.0f} | {p['p99_ms']:.0f} | {p['refused']:.0f} "
            f"| {p['other'] + p['socket_errors']:.0f} | {p['rss_mb']:.0f} |"
        )
    refused = report["refused_ms"]
    told = (
        f"p50 {refused['p50']:.1f} ms, p99 {refused['p99']:.1f} ms of {refused['n']}" if refused["n"] else "none seen"
    )
    alone, kept, service = report["library"], report["library_with_record"], report["service"]
    lines += [
        "",
        f"At ten times capacity, goodput is {report['goodput_at_ten_times']:.0%} of what {CALM} connections get just before and "
        f"after (median of {', '.join(f'{share:.0%}' for share in report['goodput_shares'])}), and "
        f"{report['goodput_per_processor_s']:.0%} for each second of processor; rejected requests get their response "
        f"in {told} (one caller among {OVERLOAD_CONNECTIONS}; latencies of that row are over answered and refused).\n",
        f"Sequential questions, {ROUNDS} rounds of {len(QUESTIONS)} each way in turns, medians:\n",
        "| one after the other | ms | processor ms |",
        "|---|--:|--:|",
        f"| the library: ask and write out | {alone['wall_ms']:.1f} | {alone['cpu_ms']:.1f} |",
        f"| the library, with the durable record | {kept['wall_ms']:.1f} | {kept['cpu_ms']:.1f} |",
        f"| the service: the same over HTTP | {service['wall_ms']:.1f} | {service['cpu_ms']:.1f} |",
        f"| overhead of the service | {report['overhead_wall']:.0%} | {report['overhead']:.0%} |",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
