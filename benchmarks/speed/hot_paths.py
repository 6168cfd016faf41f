"""Where the time of ask, verify, ingest and serve goes, by package and by function, as a sampler sees it.

    python -m benchmarks.speed.hot_paths [--seconds 20] [--only ask verify ingest serve]

Each path runs for about so many seconds, with the default models and without, over the demo corpus, and is sampled every
3 ms; threads that wait are not counted. Shares say where time goes, not how long it takes: see speed.md and whole-answer.md for that.
Writes benchmarks/results/speed/hot-paths.json and .md after every path; `--only` keeps the others.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.speed.answer_path import RESULTS, machine
from benchmarks.speed.corpora import rows
from benchmarks.speed.questions import QUESTIONS, WARM_UP
from benchmarks.speed.sampling import sampled
from benchmarks.speed.stopwatch import forget_texts
from footnotary.cli.questions.demo import corpus_folder
from footnotary.domain.draft import Claim
from footnotary.domain.query import Scope
from footnotary.external.answer_check import CitablePassage, check_answer
from footnotary.profiles.load import load_profile
from footnotary.settings import Settings, load_settings
from footnotary.text.sentences.splitter import sentences
from footnotary.wiring import opened

COMMAND = "python -m benchmarks.speed.hot_paths"
PROJECT, SHOWN, AFTER_CONTENTS, WARM_UPS, FEWEST = "demo", 10, 2_000, 2, 4
Work = Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", nargs="*", choices=tuple(PATHS))
    given = parser.parse_args()
    path = RESULTS / "hot-paths.json"
    kept: dict[str, Any] = json.loads(path.read_text("utf-8"))["paths"] if given.only and path.is_file() else {}
    for name, (what, prepare) in PATHS.items():
        for mode, models in MODES.items():
            if given.only is not None and name not in given.only:
                continue
            with TemporaryDirectory() as folder:
                shares = profiled(partial(prepare, models=models), Path(folder), given.seconds, serve=name == "serve")
            kept[f"{name}, {mode}"] = {"what": what, **shares}
            _write(kept, f"{COMMAND} --seconds {given.seconds:g}")
            print(f"{name}, {mode}", shares, flush=True)


def _write(found: dict[str, Any], command: str) -> None:
    """Keeps what was found so far, in the order of the paths."""
    order = [f"{name}, {mode}" for name in PATHS for mode in MODES]
    paths = {name: found[name] for name in order if name in found}
    record = {"command": command, "machine": machine(), "load": os.getloadavg()[0], "paths": paths}
    (RESULTS / "hot-paths.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "hot-paths.md").write_text(as_markdown(record), encoding="utf-8")


def profiled(
    prepare: Callable[..., Any], folder: Path, seconds: float, *, serve: bool
) -> dict[str, int | dict[str, float]]:
    """Shares by package and by function while the work is done again and again; models are loaded before."""
    with prepare(folder) as work:
        for _ in range(WARM_UPS):
            work()
        forget_texts()
        items, end = 0, time.monotonic() + seconds
        with sampled(skip_own_thread=serve) as samples:
            while time.monotonic() < end or items < FEWEST:
                work()
                items += 1
    return {
        "items": items,
        "samples": samples.taken,
        "packages": {name: n / samples.taken for name, n in samples.packages.most_common(SHOWN)},
        "functions": {name: n / samples.taken for name, n in samples.functions.most_common(SHOWN)},
    }


def settings_of(folder: Path, models: dict[str, str]) -> Settings:
    given = {"home": folder / "home", "project": PROJECT, "profile": "legal", "answer_cache": "off"}
    return load_settings(given | models)


@contextmanager
def asking(folder: Path, models: dict[str, str]) -> Iterator[Work]:
    with opened(settings_of(folder, models), load_profile("legal")) as open_:
        open_.corpus.ingest([corpus_folder()], PROJECT)
        for question in WARM_UP[:2]:
            open_.engine.ask(question, Scope(PROJECT))
        numbers = count()
        yield lambda: open_.engine.ask(_question(next(numbers)), Scope(PROJECT))


def _question(number: int) -> str:
    """A question that was not asked before."""
    turn, place = divmod(number, len(QUESTIONS))
    return QUESTIONS[place] if turn == 0 else f"In case {turn}: {QUESTIONS[place]}"


@contextmanager
def verifying(folder: Path, models: dict[str, str]) -> Iterator[Work]:
    settings = settings_of(folder, models)
    texts = [path.read_text(encoding="utf-8") for path in sorted(corpus_folder().glob("*digest.txt"))]
    passages = [p for text in texts for p in text.split("\n") if len(sentences(p)) >= 3]
    numbers = count()

    def work() -> object:
        turn, place = divmod(next(numbers), len(passages))
        said = [f"{' '.join(s.split()[:-1]).rstrip(',;')} in case {turn}." for s in sentences(passages[place])[:3]]
        given = [CitablePassage("P_1", passages[place])]
        return check_answer([Claim(text, ("P_1",)) for text in said], given, "legal", settings=settings)

    yield work


@contextmanager
def ingesting(folder: Path, models: dict[str, str]) -> Iterator[Work]:
    found, numbers = rows(), count()
    for _ in range(AFTER_CONTENTS):
        next(found)
    with opened(settings_of(folder, models)) as open_:

        def work() -> object:
            texts = [str(next(found)["text"]) for _ in range(4)]
            return open_.corpus.ingest_text(f"part_{next(numbers)}.txt", "\n\n".join(texts), PROJECT)

        yield work


@contextmanager
def serving(folder: Path, models: dict[str, str]) -> Iterator[Work]:
    from fastapi.testclient import TestClient

    from footnotary.service.app import create_app
    from footnotary.service.state import ServiceState

    settings, numbers = settings_of(folder, models), count()
    with opened(settings) as open_:
        open_.corpus.ingest([corpus_folder()], PROJECT)
    with TestClient(create_app(ServiceState(settings)), base_url="http://localhost") as client:

        def work() -> None:
            body = {"query": _question(next(numbers)), "project_id": PROJECT, "policy_profile": "legal"}
            if (status := client.post("/rag/query", json=body).status_code) != 200:
                raise SystemExit(f"the service answered {status}")

        yield work


MODES: dict[str, dict[str, str]] = {
    "default models": {},
    "lexical mode, fast embedder": {"verifier": "lexical", "embedder": "fast"},
}
PATHS: dict[str, tuple[str, Callable[..., Any]]] = {
    "ask": ("a question, profile legal, extractive", asking),
    "verify": ("three reworded claims against a passage", verifying),
    "ingest": ("a document of four sections", ingesting),
    "serve": ("POST /rag/query with audit log, without the client", serving),
}


def as_markdown(record: dict[str, Any]) -> str:
    lines = [
        "# Where the time of the hot paths goes\n",
        f"Made by `{record['command']}` on {record['machine']}; load at the end {record['load']:.1f}. Shares of samples taken every",
        "3 ms in threads that do not wait; every question, claim and document seen for the first time. A function",
        "stands for itself and what it calls outside of the product; the library is named where it is one.",
    ]
    for name, found in record["paths"].items():
        lines += ["", f"## {name}: {found['what']}\n", f"{found['items']} times, {found['samples']:,} samples.\n"]
        lines += ["| package | share | function | share |", "|---|--:|---|--:|"]
        packages, functions = list(found["packages"].items()), list(found["functions"].items())
        for place in range(max(len(packages), len(functions))):
            left = f"`{packages[place][0]}` | {packages[place][1]:.0%}" if place < len(packages) else " | "
            right = f"`{functions[place][0]}` | {functions[place][1]:.0%}" if place < len(functions) else " | "
            lines.append(f"| {left} | {right} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
