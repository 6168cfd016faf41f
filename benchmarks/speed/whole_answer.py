"""How long a whole answer takes over ten thousand chunks, without a language model, and how often models read for it.

    python -m benchmarks.speed.whole_answer [--tiers lexical small large] [--limit N]

Asks questions in lay words, answerable and not, and plain ones, each once and after a few others, with each tier.
Vectors of the acts that are asked about are kept in the cache folder (FOOTNOTARY_BENCHMARK_CACHE, or
~/.cache/footnotary-benchmarks), those of others are random; questions are embedded. Writes
benchmarks/results/speed/whole-answer.json and .md, unless `--limit` is given.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

from benchmarks.quality.answering.__main__ import CACHE
from benchmarks.speed.answer_path import RESULTS, machine
from benchmarks.speed.questions import QUESTIONS, WARM_UP
from benchmarks.speed.stopwatch import Stopwatch, TimedProxy, forget_texts
from benchmarks.speed.ten_thousand import PROJECT, LawQuestion, law_questions, ten_thousand_chunks
from footnotary import engine as answer_line
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.models.pair_model import PairModel
from footnotary.ports import Embedder
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.verify.question.addresses_question import NAME as ANSWER_CHECK
from footnotary.wiring import open_embedder
from footnotary.wiring.engine_assembly import build_engine

PROFILE = "legal"
SEARCH = "search"
STAGES = ("understand", "embed question", SEARCH, "gate", "choose sentences", "verify", "answer check", "cite")
OF_THE_LINE = {"understand_in": "understand", "retrieve": SEARCH, "check_sufficiency": "gate", "verify": "verify"}
OF_THE_LINE |= {"_build_citations": "cite"}
OF_THE_STORE = dict.fromkeys(("lookup", "lexical", "lexical_and_dense", "chunks", "projects"), SEARCH)


@dataclass(frozen=True, slots=True)
class TimedAnswers:
    """What one tier took for all questions: seconds by stage, pairs and tokens read by model, and what came out."""

    tier: str
    laps: Sequence[dict[str, float]]
    read: Sequence[Counter[str]]
    answered: int
    false_answers: int
    wrong_refusals: int


class ReadingCount:
    """Counts pairs and tokens that run through models, by the name of the weights and their graph."""

    def __init__(self) -> None:
        self.laps: list[Counter[str]] = []

    @contextmanager
    def counting(self) -> Iterator[None]:
        run = PairModel._run

        def counted(model: PairModel, encodings: Sequence[Any]) -> Any:
            if self.laps:
                name = f"{model._name.partition('@')[0]} {'questions' if model.marks_answers else 'claims'}"
                self.laps[-1][f"{name}, pairs"] += len(encodings)
                self.laps[-1][f"{name}, tokens"] += sum(len(encoding.ids) for encoding in encodings)
            return run(model, encodings)

        with patch.object(PairModel, "_run", counted):
            yield


def asked(tier: str, questions: Sequence[LawQuestion], store: EmbeddedStore, embedder: Embedder) -> TimedAnswers:
    """Asks every question once, and takes the times apart."""
    forget_texts()
    watch, count, scope = Stopwatch(), ReadingCount(), Scope(PROJECT)
    engine = _watched(tier, store, embedder, watch)
    outcomes: list[bool] = []
    with watch.watching(answer_line, OF_THE_LINE), count.counting():
        for question in WARM_UP:
            engine.ask(question, scope)
        for question in questions:
            count.laps.append(Counter())
            with watch.lap():
                outcomes.append(isinstance(engine.ask(question.text, scope), Answer))
    said = list(zip(questions, outcomes, strict=True))
    return TimedAnswers(
        tier,
        watch.laps,
        count.laps,
        sum(outcomes),
        sum(answered and not question.answerable for question, answered in said),
        sum(question.answerable and not answered for question, answered in said),
    )


def _watched(tier: str, store: EmbeddedStore, embedder: Embedder, watch: Stopwatch) -> Engine:
    settings = load_settings({"audit": "off", "verifier": tier}, environ={})
    engine = build_engine(settings, load_profile(PROFILE), store, embedder)
    return replace(
        engine,
        store=TimedProxy(store, OF_THE_STORE, watch),
        embedder=TimedProxy(embedder, {"embed_question": "embed question"}, watch),
        generator=TimedProxy(engine.generator, {"generate": "choose sentences"}, watch),
        checks=[(name, watch.around("answer check", c) if name == ANSWER_CHECK else c) for name, c in engine.checks],
    )


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, 90th and 99th percentile."""
    ordered = sorted(values)
    median, ninety, most = (ordered[min(len(ordered) * part // 100, len(ordered) - 1)] for part in (50, 90, 99))
    return median, ninety, most


def as_record(timed: TimedAnswers) -> dict[str, Any]:
    stages = {
        stage: [round(1000 * value, 1) for value in spread([lap.get(stage, 0.0) for lap in timed.laps])]
        for stage in (*STAGES, "total", "cpu")
    }
    models = sorted({name for lap in timed.read for name in lap})
    read = {
        name: {
            "mean": round(sum(lap[name] for lap in timed.read) / len(timed.read), 1),
            "most": max(lap[name] for lap in timed.read),
        }
        for name in models
    }
    return {
        "questions": len(timed.laps),
        "answered": timed.answered,
        "false_answers": timed.false_answers,
        "wrong_refusals": timed.wrong_refusals,
        "ms": stages,
        "read": read,
    }


def as_markdown(records: dict[str, dict[str, Any]], command: str, chunks: int, load: float) -> str:
    lines = [
        "# Whole answers over ten thousand chunks\n",
        f"Made by `{command}` on {machine()}, {datetime.now(UTC):%Y-%m-%d}; load of the machine at the start {load:.1f}.\n",
        f"Milliseconds, median / 90th / 99th percentile over all questions, {chunks:,} chunks, profile {PROFILE}, no language",
        "model. A stage that a question does not come to counts as 0. Models are loaded, and no pair was read before.\n",
        "| stage | " + " | ".join(records) + " |",
        "|---|" + "--:|" * len(records),
    ]
    for stage in (*STAGES, "total", "cpu"):
        shown = {"total": "**whole answer**", "cpu": "processor time of it"}.get(stage, stage)
        lines.append(
            f"| {shown} | "
            + " | ".join("{:.0f} / {:.0f} / {:.0f}".format(*r["ms"][stage]) for r in records.values())
            + " |"
        )
    for name in ("questions", "answered", "false_answers", "wrong_refusals"):
        lines.append(f"| {name.replace('_', ' ')} | " + " | ".join(str(r[name]) for r in records.values()) + " |")
    lines += ["", "Read for a question, mean and most:\n", "| tier | model | mean | most |", "|---|---|--:|--:|"]
    lines += [
        f"| {tier} | {n} | {v['mean']} | {v['most']} |" for tier, r in records.items() for n, v in r["read"].items()
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tiers", nargs="*", default=["lexical", "small", "large"])
    arguments.add_argument("--limit", type=int, help="so many questions, evenly spread; nothing is written")
    options = arguments.parse_args()
    questions = [*law_questions(), *(LawQuestion(text, True, frozenset()) for text in QUESTIONS[:-2])]
    if options.limit:
        questions = questions[:: -(-len(questions) // options.limit)]
    load = os.getloadavg()[0]
    with ten_thousand_chunks(CACHE / "ten-thousand") as (store, _):
        embedder = open_embedder("default")
        records = {tier: as_record(asked(tier, questions, store, embedder)) for tier in options.tiers}
        chunks = sum(document.chunks for document in store.documents(PROJECT))
    command = f"python -m benchmarks.speed.whole_answer --tiers {' '.join(options.tiers)}"
    page = as_markdown(records, command, chunks, load)
    print(page)
    if options.limit is None:
        record = {"command": command, "machine": machine(), "load": load, "chunks": chunks, "tiers": records}
        (RESULTS / "whole-answer.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        (RESULTS / "whole-answer.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
