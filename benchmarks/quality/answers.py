"""Whole answers, extractive, without a language model: how often the product answers, refuses, and cites the right place.

    python -m benchmarks.quality.answers [--embedder default|fast] [--vectors FOLDER] [--show N]

Questions with an answer in the corpus, and questions without: off topic, or with the answering section removed.
Questions on passages that the shipped verifier was trained on are left out.
Prints a table and writes benchmarks/results/quality/answers-<embedder>.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.encoder_sets import read
from benchmarks.quality.product import PROJECT, CachingEmbedder, open_cached_embedder, product
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.text.tokens import words
from harness.grounding_rows import passages_of

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("FOOTNOTARY_DATA", ROOT.parent / "shared" / "data"))


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """A question with the ids that answer it (none: it has no answer here) and answers to compare with."""

    question: str
    gold: frozenset[str]
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    name: str
    profile: str
    rows: list[dict[str, object]]
    asked: list[AnswerQuestion]


def trials(data: Path) -> list[Trial]:
    ipc = read(data / "corpora" / "law_mix" / "ipc_1860.jsonl")
    questions = read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")
    squad = read(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz")
    answerable = [AnswerQuestion(r["question"], frozenset({r["gold_id"]}), (r["answer"],)) for r in questions]
    removed = {r["gold_section"] for r in questions[::2]}
    kept = [row for row in ipc if row["section"] not in removed]
    passages = list(dict.fromkeys(row["passage"] for row in squad))
    seen = learned_passages(data)
    squad = [row for row in squad if " ".join(row["passage"].split()) not in seen]
    ids = {text: f"P_{n}_0" for n, text in enumerate(passages)}
    wiki = [{"id": ids[text], "section": str(n), "text": text} for n, text in enumerate(passages)]
    return [
        Trial("penal code, answer there", "legal", ipc, answerable),
        Trial("penal code, section removed", "legal", kept, [AnswerQuestion(r["question"], frozenset()) for r in questions[::2]]),
        Trial("penal code, off topic", "legal", ipc, [AnswerQuestion(r["question"], frozenset()) for r in squad[:300]]),
        Trial(
            "wikipedia, answer there", "default", wiki,
            [AnswerQuestion(r["question"], frozenset({ids[r["passage"]]}), tuple(r["answers"])) for r in squad if r["answerable"]],
        ),
        Trial("wikipedia, no answer there", "default", wiki, [AnswerQuestion(r["question"], frozenset()) for r in squad if not r["answerable"]]),
    ]  # fmt: skip


def learned_passages(data: Path) -> set[str]:
    """The encyclopaedic passages on whose questions the verifier was trained."""
    rows = read(data / "grounding" / "dev" / "squad2.dev.jsonl.gz")
    return {" ".join(text.split()) for row in rows for text in passages_of(row["premise"])}


def measured(trial: Trial, embedder: CachingEmbedder, show: int) -> dict[str, float]:
    counts: Counter[str] = Counter()
    f1 = length = 0.0
    with product(trial.rows, embedder, trial.profile) as engine:
        for asked in trial.asked:
            outcome = engine.ask(asked.question, Scope(PROJECT))
            if isinstance(outcome, Answer):
                counts["answered"] += 1
                cited = {citation.id.rsplit("_", 1)[0] for citation in outcome.citations}
                right = bool(cited & {gold.rsplit("_", 1)[0] for gold in asked.gold})
                counts["right"] += right
                length += len(outcome.text.split())
                f1 += max((_f1(outcome.text, answer) for answer in asked.answers), default=0.0)
                shown = (
                    outcome.text[:200] if right == bool(asked.gold) else f"WRONG {sorted(cited)} {outcome.text[:160]}"
                )
            else:
                counts[f"refused: {outcome.reason.value}"] += 1
                shown = f"REFUSED {outcome.reason.value}: {outcome.needed.missing[:120]}"
            if show > 0:
                show -= 1
                print(f"  {sorted(asked.gold)} {asked.question}\n      {shown}")
    embedder.save()
    n, answered = len(trial.asked), max(counts["answered"], 1)
    row: dict[str, float] = {"questions": n, "answered %": round(100 * counts["answered"] / n, 1)}
    if any(asked.gold for asked in trial.asked):
        row |= {"gold cited % of answered": round(100 * counts["right"] / answered, 1)}
        row |= {"token F1 of answered": round(100 * f1 / answered, 1)}
    row |= {"words per answer": round(length / answered, 1)}
    print(trial.name, row, dict(counts))
    return row


def _f1(said: str, gold: str) -> float:
    one, other = Counter(words(said)), Counter(words(gold))
    common = (one & other).total()
    return 2 * common / (one.total() + other.total()) if common else 0.0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--embedder", default="default")
    arguments.add_argument("--vectors", type=Path)
    arguments.add_argument("--only", help="trials whose name contains this; nothing is written")
    arguments.add_argument("--show", type=int, default=0)
    options = arguments.parse_args()
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    embedder = open_cached_embedder(options.embedder, options.vectors)
    chosen = [trial for trial in trials(DATA) if (options.only or "") in trial.name]
    table = {trial.name: measured(trial, embedder, options.show) for trial in chosen}
    if options.only is None:
        write(options.embedder, table)


def write(embedder: str, table: dict[str, dict[str, float]]) -> None:
    command = f"python -m benchmarks.quality.answers --embedder {embedder}"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    results = ROOT / "benchmarks" / "results" / "quality"
    record = {"command": command, "machine": machine, "trials": table}
    (results / f"answers-{embedder}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    columns: Sequence[str] = list(dict.fromkeys(key for row in table.values() for key in row))
    lines = [
        f"# Extractive answers, embedder `{embedder}`\n",
        f"`{command}` on {machine}.\n",
        f"| trial | {' | '.join(columns)} |",
    ]
    lines.append("|---" * (len(columns) + 1) + "|")
    lines += [f"| {name} | {' | '.join(str(row.get(c, '')) for c in columns)} |" for name, row in table.items()]
    (results / f"answers-{embedder}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
