"""Where the time of the ingest pipeline and of the answer pipeline goes, by function, as pyinstrument samples it.

    pip install pyinstrument
    python -m benchmarks.speed.profile --as after [--rows 1500] [--rounds 6]

Writes what was found under that name into benchmarks/results/speed/profile.json, keeps what is there under other names, and
writes benchmarks/results/speed/profile.md with all of them next to each other. Ingestion is without embedding (random unit
vectors), from files on disk to a searchable index; the answers are extractive, with the default embedder, and no
verifier: both lines as our own code runs them.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.speed.answer_path import machine, stored, timed_ingest, watched_engine
from benchmarks.speed.corpora import RandomPassages, rows, written
from benchmarks.speed.questions import QUESTIONS, WARM_UP
from benchmarks.speed.stopwatch import Stopwatch, forget_texts
from footnotary.cli.questions.demo import corpus_folder
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.render.answer_text import render
from footnotary.wiring import open_embedder

RESULTS = Path(__file__).parents[1] / "results" / "speed"
SHOWN = 14
Found = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--as", dest="label", required=True, help="what to call this state of the code")
    parser.add_argument("--rows", type=int, default=1_500, help="sections to take in")
    parser.add_argument("--rounds", type=int, default=6, help="how often every question is asked, forgotten between")
    given = parser.parse_args()
    path = RESULTS / "profile.json"
    kept: dict[str, Found] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    kept[given.label] = {"machine": machine(), "rows": given.rows, "rounds": given.rounds, **profiled(given)}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "profile.md").write_text(as_markdown(kept), encoding="utf-8")


def profiled(given: argparse.Namespace) -> Found:
    embedder = open_embedder("default")
    embedder.embed_question("Loads the weights.")
    with TemporaryDirectory() as folder:
        files = written(rows(), given.rows, Path(folder) / "files")
        with stored(Path(folder) / "store", embedder) as store:
            taken = [0]

            def take_in() -> None:
                taken[0] = timed_ingest("", store, RandomPassages(embedder), files, "law").chunks

            ingest = sampled(take_in)
            timed_ingest("", store, embedder, corpus_folder(), "law")
            engine, scope = watched_engine(store, embedder, Stopwatch()), Scope("law")
            for question in WARM_UP:
                engine.ask(question, scope)

            def ask() -> None:
                for _ in range(given.rounds):
                    forget_texts()
                    for question in QUESTIONS:
                        outcome = engine.ask(question, scope)
                        if isinstance(outcome, Answer):
                            render(outcome, engine.profile.presentation.style)

            answers = sampled(ask)
    per = {"ingest": taken[0], "answer": given.rounds * len(QUESTIONS)}
    return {
        line: {"items": per[line], "ms": {name: 1000 * s / per[line] for name, s in found.items()}}
        for line, found in (("ingest", ingest), ("answer", answers))
    }


def sampled(work: Callable[[], None]) -> Mapping[str, float]:
    """Seconds spent in each function of ours and in what it calls that is not ours, and under "all" the whole."""
    from pyinstrument import Profiler
    from pyinstrument.renderers import JSONRenderer

    profiler = Profiler(interval=0.0005)
    with profiler:
        work()
    root = json.loads(profiler.output(JSONRenderer()))["root_frame"]
    seconds: defaultdict[str, float] = defaultdict(float)
    for name, time in _own(root, "benchmarks"):
        seconds[name] += time
    return {"all": root["time"], **dict(sorted(seconds.items(), key=lambda item: -item[1])[:60])}


def _own(frame: Found, ours: str) -> Iterator[tuple[str, float]]:
    path, function = str(frame.get("file_path") or ""), frame["function"]
    if "footnotary/" in path and not function.startswith("<"):
        ours = f"{path.rpartition('footnotary/')[2].removesuffix('.py')}:{function}"
    below = frame.get("children") or []
    yield ours, frame["time"] - sum(child["time"] for child in below)
    for child in below:
        yield from _own(child, ours)


def as_markdown(kept: Mapping[str, Found]) -> str:
    labels = list(kept)
    last = kept[labels[-1]]
    lines = [
        "# Where the time goes",
        "",
        f"Made by `python -m benchmarks.speed.profile --as {labels[-1]}` (and the other names on the code they name) on "
        f"{last['machine']}. Milliseconds per item in a function of ours and in the libraries it calls, sampled by",
        "pyinstrument every half millisecond; what takes most in any column comes first. Sampling slows small functions most:",
        "take totals from `speed.md`, `../scale/scale.md` and `../peers/conformance.md`.",
    ]
    for line, what in (("ingest", "Taking in, a chunk, without embedding"), ("answer", "Answering, a question")):
        found = {label: kept[label][line]["ms"] for label in labels}
        names = sorted(
            {n for ms in found.values() for n in ms}, key=lambda n: -max(ms.get(n, 0.0) for ms in found.values())
        )
        digits = 4 if line == "ingest" else 2
        lines += ["", f"## {what}", "", f"| | {' | '.join(labels)} |", "|---|" + "--:|" * len(labels)]
        for name in names[:SHOWN]:
            cells = [f"{found[label][name]:.{digits}f}" if name in found[label] else "" for label in labels]
            lines.append(f"| {'**all**' if name == 'all' else f'`{name}`'} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
