"""The conformance suite and whole-answer times on Footnotary and on peers, in one run on one machine.

    python -m venv /some/where && /some/where/bin/pip install llama-index-core llama-index-llms-openai-like haystack-ai \\
        langchain-core langchain-openai
    python -m benchmarks.peers.side_by_side --peers-python /some/where/bin/python

Every system gets the same passages in the same order and asks the same scripted model; none retrieves anything itself
but Footnotary's engine, which indexes the passages first. Systems take turns, so that a busy machine is busy for all.
"""

from __future__ import annotations

import argparse
import json
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.speed.answer_path import machine
from footnotary.cli.evaluation.conform import temporary_service
from footnotary.conform.case import CasePassage, Sentence, Turn
from footnotary.conform.case_files import shipped_cases
from footnotary.conform.engine_target import engine_target
from footnotary.conform.http_target import HttpTarget
from footnotary.conform.runner import TargetRun, run_cases
from footnotary.conform.scorecard import conformance_report, run_record
from footnotary.conform.scripted_model_server import ScriptedModelServer
from footnotary.settings import load_settings

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "peers"
PEERS = {
    "llamaindex": "LlamaIndex CitationQueryEngine",
    "haystack": "Haystack AnswerBuilder",
    "langchain": "LangChain chain",
}
PACKAGES = ("llama-index-core", "haystack-ai", "langchain-core")
OURS = {"footnotary": "Footnotary, checked", "footnotary-unchecked": "Footnotary, nothing checked"}
SERVICE = "Footnotary, service (keys, checks, signed log)"
KEYS = {"first": "one", "second": "two"}
# A passage, a question, the answer in the passage's words and in others, which the entailment model reads. The figure is
# another one each time, so that no system can remember an answer.
ASKED = (
    (
        "Every permanent worker has {n} days of paid leave in each year. A request for leave is made in writing.",
        "How many days of paid leave does a permanent worker have in each year?",
        "Every permanent worker has {n} days of paid leave in each year.",
        "Permanent workers get {n} days of paid leave in each year.",
    ),
    (
        "A reader may borrow five books. The fine for a book returned late is {n} rupees for each day.",
        "What is the fine for a book returned late?",
        "The fine for a book returned late is {n} rupees for each day.",
        "For each day that a book is returned late, the fine is {n} rupees.",
    ),
    (
        "The inspector examines every boiler once in {n} months. The operator keeps the room clean.",
        "How often does the inspector examine every boiler?",
        "The inspector examines every boiler once in {n} months.",
        "Every boiler is examined by the inspector once in {n} months.",
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers-python", type=Path, help="python of the environment that the peers are installed in")
    parser.add_argument("--only-times", action="store_true", help="play no cases, and write nothing")
    parser.add_argument("--n", type=int, default=20, help="repetitions of each question for the timing")
    asked = parser.parse_args()
    cases = () if asked.only_times else shipped_cases()
    with ScriptedModelServer() as model, ExitStack() as running:
        peers = [
            running.enter_context(_serving(name, label, model.base_url, str(asked.peers_python)))
            for name, label in PEERS.items()
            if asked.peers_python
        ]
        ours = [
            running.enter_context(_serving(name, label, model.base_url, sys.executable)) for name, label in OURS.items()
        ]
        service = running.enter_context(temporary_service(model.base_url, "default"))
        engine = running.enter_context(engine_target(model.base_url, load_settings()))
        runs = [run_cases(target, model, cases) for target in (engine, service, *peers)]
        for run in runs:
            print(
                run.target, "kept", sum(r.standing == "kept" for r in run.results), "of", len(run.results), flush=True
            )
        timed = {target.name: target for target in (*peers, *ours)} | {SERVICE: service}
        verbatim = _times(timed, model, 2, asked.n)
        reworded = _times(timed, model, 3, asked.n)
    if asked.only_times:
        print("\n".join(_row(name, verbatim[name], reworded[name]) for name in verbatim))
    else:
        _write(runs, verbatim, reworded, _versions(asked.peers_python), asked.n)


def _turns(figure: int, answer: int) -> list[Turn]:
    """The questions with this number; `answer` is 2 for the passage's own words, 3 for others."""
    filled = [[text.format(n=figure) for text in asked] for asked in ASKED]
    return [Turn(one[1], (CasePassage("P_1", one[0]),), (Sentence(one[answer], ("P_1",)),)) for one in filled]


def _times(targets: dict[str, HttpTarget], model: ScriptedModelServer, answer: int, n: int) -> dict[str, list[float]]:
    """Seconds from question to whole answer over HTTP, each system in turn; the first round is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in targets}
    for number in range(n + 1):
        for turn in _turns(11 + number, answer):
            model.playing = turn
            for name, target in targets.items():
                reply = target.ask(turn, "times")
                if number and reply.cited != ("P_1",):
                    raise SystemExit(f"{name} did not answer {turn.draft[0].text!r}, but {reply.text!r}")
                if number:
                    seconds[name].append(reply.seconds)
    return seconds


@contextmanager
def _serving(name: str, label: str, base_url: str, python: str) -> Iterator[HttpTarget]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [python, "-m", "benchmarks.peers", name, base_url, str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            time.sleep(0.1)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if process.poll() is not None:
                raise SystemExit(f"{name} did not start: {' '.join(command)}")
        yield HttpTarget(f"http://127.0.0.1:{port}/v1", "any", KEYS, label=label)
    finally:
        process.terminate()
        process.wait(10)


def _versions(python: Path | None) -> list[str]:
    if python is None:
        return []
    code = f"from importlib.metadata import version as v\nprint(*(p + ' ' + v(p) for p in {PACKAGES!r}), sep='\\n')"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()


def _row(name: str, verbatim: list[float], reworded: list[float]) -> str:
    cells = [f"{statistics.median(s) * 1000:.1f} | {_p95(s) * 1000:.1f}" for s in (verbatim, reworded)]
    return f"| {name} | {' | '.join(cells)} |"


def _p95(seconds: list[float]) -> float:
    return sorted(seconds)[int(0.95 * (len(seconds) - 1))]


def _write(
    runs: list[TargetRun],
    verbatim: dict[str, list[float]],
    reworded: dict[str, list[float]],
    versions: list[str],
    n: int,
) -> None:
    record = {
        "machine": machine(),
        "versions": versions,
        "runs": [run_record(run) for run in runs],
        "milliseconds": {
            kind: {
                name: {"n": len(s), "p50": round(statistics.median(s) * 1e3, 2), "p95": round(_p95(s) * 1e3, 2)}
                for name, s in times.items()
            }
            for kind, times in (("verbatim", verbatim), ("reworded", reworded))
        },
    }
    (RESULTS / "conformance.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    count = len(next(iter(verbatim.values()))), len(next(iter(reworded.values())))
    written = conformance_report(runs).replace(
        "# Conformance\n",
        "# Conformance\n\nMade by `python -m benchmarks.peers.side_by_side --peers-python PYTHON"
        f" --n {n}` on {machine()}; {', '.join(versions) or 'no peers'}.\n"
        "What is fair in it and what is not: [peers](../../docs/explanation/peers.md).\n",
        1,
    )
    lines = [
        "## From question to whole answer, milliseconds over HTTP\n",
        f"The passages come with the question, the model replies immediately: {count[0]} answers in the passage's words and "
        f"{count[1]} in other words per system, all delivered, systems taking turns.\n",
        "| system | verbatim p50 | p95 | reworded p50 | p95 |",
        "|---|--:|--:|--:|--:|",
        *(_row(name, verbatim[name], reworded[name]) for name in verbatim),
    ]
    (RESULTS / "conformance.md").write_text(written + "\n" + "\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
