"""How long an answer takes, stage by stage, without a language model; how fast documents go in; and the import.

    python -m benchmarks.speed.answer_path

Prints a table and writes benchmarks/results/speed/speed.json and .md. Takes a few minutes on two cores, most of them for the
100,000 chunks. Every question is asked once, after six others: the words of a language are known by then, the
passages are not. Processor time is given next to wall time, as it does not depend on other load.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.speed.corpora import RandomPassages, pieces, rows, where_from, written
from benchmarks.speed.processes import ProcessTime, cli_import, one_question, verbatim_verification
from benchmarks.speed.questions import QUESTIONS, WARM_UP
from benchmarks.speed.stopwatch import Stopwatch, TimedProxy, forget_texts
from footnotary import engine as answer_line
from footnotary.cli.questions.demo import corpus_folder
from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.ports import Embedder
from footnotary.profiles.load import load_profile
from footnotary.render.answer_text import render
from footnotary.verify.run import checks_for
from footnotary.wiring import open_embedder

RESULTS = Path(__file__).parents[1] / "results" / "speed"
COMMAND = "python -m benchmarks.speed.answer_path"
PROFILE = "legal"
# This many rows of the acts give about ten thousand chunks.
ROWS_FOR_10K = 5_400
PIECE = 500

FUSE = "fuse, trim, calibrate"
STAGES = (
    "understand",
    "embed question",
    "look up provisions",
    "lexical",
    "dense",
    "fetch",
    FUSE,
    "gate",
    "generate",
    "verify",
    "cite, render",
)
RETRIEVAL = ("look up provisions", "lexical", "dense", "fetch", FUSE)
AFTER = "retrieval after embedding"
OF_THE_LINE = {"understand_in": "understand", "retrieve": FUSE, "check_sufficiency": "gate", "verify": "verify"}
OF_THE_LINE |= {"_build_citations": "cite, render"}
OF_THE_STORE = {"lookup": "look up provisions", "lexical": "lexical", "dense": "dense", "chunks": "fetch"}
OF_THE_STORE |= {"projects": "fetch", "document_sha256": "cite, render"}


class TimedStore(TimedProxy):
    """A store queried one way after the other, each timed separately."""

    def lexical_and_dense(self, *asked: Any) -> tuple[Any, Any]:
        project, terms, vector, k, filters = asked
        return self.lexical(project, terms, k, filters), self.dense(project, vector, k, filters)


@dataclass(frozen=True, slots=True)
class IngestTimes:
    """How fast documents went in: from files to a searchable index."""

    what: str
    chunks: int
    wall_s: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class AskTimes:
    """The times of one set of questions: medians and 90th percentiles in milliseconds, by stage."""

    where: str
    embedder: str
    chunks: int
    questions: int
    answered: int
    times: dict[str, tuple[float, float]]


def main() -> None:
    started = time.monotonic()
    load = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        paths, ingested = measured(Path(folder))
        others = [*cli_import(), one_question(Path(folder) / "home"), verbatim_verification()]
    report = as_markdown(paths, ingested, others, load)
    print(report)
    record = {
        "command": COMMAND,
        "machine": machine(),
        "load_at_start": load,
        "texts": where_from(),
        "paths": [as_record(path) for path in paths],
        "ingest": [as_record(entry) for entry in ingested],
        "others": [as_record(entry) for entry in others],
        "seconds": round(time.monotonic() - started),
    }
    (RESULTS / "speed.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "speed.md").write_text(f"# Speed\n\n{report}\n", encoding="utf-8")


def measured(folder: Path) -> tuple[list[AskTimes], list[IngestTimes]]:
    """Everything that needs an index, one after the other."""
    paths: list[AskTimes] = []
    ingested: list[IngestTimes] = []
    ten = written(rows(), ROWS_FOR_10K, folder / "ten")
    hundred = written(pieces(PIECE), 100_000, folder / "hundred")
    for name in ("default", "fast"):
        embedder = open_embedder(name)
        embedder.embed_question("Loads the weights.")
        filler = RandomPassages(embedder) if name == "default" else embedder
        with stored(folder / name, embedder) as store:
            ingested.append(timed_ingest(f"demo corpus, {name} embedder", store, embedder, corpus_folder(), "demo"))
            paths.append(asked("demo corpus", name, store, embedder, "demo"))
            timed_ingest("", store, embedder, corpus_folder(), "ten")
            how = "without embedding" if name == "default" else "fast embedder"
            ingested.append(timed_ingest(f"acts, {how}", store, filler, ten, "ten"))
            paths.append(asked("10k chunks", name, store, embedder, "ten"))
    embedder = open_embedder("default")
    with stored(folder / "large", embedder) as store:
        timed_ingest("", store, embedder, corpus_folder(), "hundred")
        ingested.append(
            timed_ingest("acts in pieces, without embedding", store, RandomPassages(embedder), hundred, "hundred")
        )
        paths.append(asked("100k chunks", "default", store, embedder, "hundred", only_search=True))
    return paths, ingested


@contextmanager
def stored(folder: Path, embedder: Embedder) -> Iterator[EmbeddedStore]:
    store = EmbeddedStore(folder, embedder.name, embedder.dimensions)
    try:
        yield store
    finally:
        store.close()


def timed_ingest(what: str, store: EmbeddedStore, embedder: Embedder, folder: Path, project: str) -> IngestTimes:
    wall, cpu = time.perf_counter(), time.process_time()
    report = Corpus(store, embedder).ingest([folder], project)
    if report.failed:
        raise SystemExit(f"{report.failed[0].path} does not go in: {report.failed[0].message}")
    return IngestTimes(what, report.chunks, time.perf_counter() - wall, time.process_time() - cpu)


def asked(
    where: str, name: str, store: EmbeddedStore, embedder: Embedder, project: str, *, only_search: bool = False
) -> AskTimes:
    """Asks every question once and takes the times apart."""
    forget_texts()
    watch, scope, answered = Stopwatch(), Scope(project), 0
    engine = watched_engine(store, embedder, watch)
    present = watch.around("cite, render", render)
    with watch.watching(answer_line, OF_THE_LINE):
        for question in WARM_UP:
            engine.ask(question, scope)
        for question in QUESTIONS:
            with watch.lap():
                outcome = engine.search(question, scope) if only_search else engine.ask(question, scope)
                if isinstance(outcome, Answer):
                    answered += 1
                    present(outcome, engine.profile.presentation.style)
    for lap in watch.laps:
        lap[AFTER] = sum(lap.get(stage, 0.0) for stage in RETRIEVAL)
    shown = (*RETRIEVAL, AFTER) if only_search else (*STAGES, AFTER, "total", "cpu")
    chunks = sum(document.chunks for document in store.documents(project))
    times = {stage: spread(watch.laps, stage) for stage in shown}
    return AskTimes(where, name, chunks, len(QUESTIONS), answered, times)


def watched_engine(store: EmbeddedStore, embedder: Embedder, watch: Stopwatch) -> Engine:
    profile = load_profile(PROFILE)
    return Engine(
        TimedStore(store, OF_THE_STORE, watch),  # type: ignore[arg-type]
        TimedProxy(embedder, {"embed_question": "embed question"}, watch),  # type: ignore[arg-type]
        TimedProxy(ExtractiveGenerator(profile), {"generate": "generate"}, watch),  # type: ignore[arg-type]
        profile,
        checks_for(profile),
    )


def spread(laps: Sequence[dict[str, float]], stage: str) -> tuple[float, float]:
    """Median and 90th percentile of a stage over the questions that came to it, in milliseconds."""
    times = sorted(lap[stage] * 1000 for lap in laps if stage in lap)
    if not times:
        return 0.0, 0.0
    return round(times[len(times) // 2], 2), round(times[min(len(times) * 9 // 10, len(times) - 1)], 2)


def as_markdown(
    paths: Sequence[AskTimes], ingested: Sequence[IngestTimes], others: Sequence[ProcessTime], load: float
) -> str:
    lines = [
        f"Made by `{COMMAND}` on {machine()}, {datetime.now(UTC):%Y-%m-%d}; load of the machine at the start {load:.1f}.",
        "",
        "Milliseconds, median / 90th percentile, over the questions that come to a stage. Each question is asked once, after",
        f"six others. Profile {PROFILE}, extractive generator, no language model. Besides the demo corpus, the texts are",
        f"{where_from()}; with the default embedder and at 100k these have random unit vectors, as embedding them would take",
        f"an hour, and at 100k they are cut into pieces of about {PIECE} characters. Questions are always embedded.",
        "",
        "| stage | " + " | ".join(f"{path.where}, {path.embedder}" for path in paths) + " |",
        "|---|" + "--:|" * len(paths),
    ]
    for stage in (*STAGES, AFTER, "total", "cpu"):
        shown = {"total": "**whole answer**", "cpu": "processor time of it"}.get(stage, stage)
        lines.append(f"| {shown} | " + " | ".join(cell(path.times, stage) for path in paths) + " |")
    lines.append("| chunks | " + " | ".join(f"{path.chunks:,}" for path in paths) + " |")
    answered = [f"{p.answered} of {p.questions}" if p.answered else "" for p in paths]
    lines += ["| answered | " + " | ".join(answered) + " |", ""]
    lines += ["| taking in | chunks | chunks/s | chunks per second of processor time |", "|---|--:|--:|--:|"]
    lines += [f"| {i.what} | {i.chunks:,} | {i.chunks / i.wall_s:.0f} | {i.chunks / i.cpu_s:.0f} |" for i in ingested]
    lines += ["", "| | ms | processor time, ms |", "|---|--:|--:|"]
    lines += [f"| {t.what} | {t.wall_ms:.1f} | {t.cpu_ms:.1f} |" for t in others]
    return "\n".join(lines)


def cell(times: Mapping[str, tuple[float, float]], stage: str) -> str:
    return "{:.1f} / {:.1f}".format(*times[stage]) if stage in times else ""


def as_record(entry: AskTimes | IngestTimes | ProcessTime) -> dict[str, object]:
    return {name: getattr(entry, name) for name in entry.__slots__}


def machine() -> str:
    """The processor, as far as the system names it, and what runs on it."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        models = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        name = models[0] if models else name
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
