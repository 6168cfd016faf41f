"""False conflict reports: on questions to a consistent code, and between all sentences of acts.

    python -m benchmarks.quality.conflicts [--vectors FOLDER] [--show]

Prints a table and writes benchmarks/results/quality/conflicts.json and .md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from time import perf_counter

from benchmarks.quality.answers import DATA, ROOT, trials
from benchmarks.quality.encoder_sets import read
from benchmarks.quality.product import PROJECT, open_cached_embedder, product
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.text.sentences.splitter import sentences
from footnotary.verify.conflicts.contradicting_values import StatedRule, disagreement, rule_in

ACTS = ("law_mix/*.jsonl", "gdpr/*.jsonl", "in_codes_civictech/*.jsonl", "in_acts/curated_en_sections.jsonl.gz")


def asked(vectors: Path | None) -> list[tuple[str, int, int, int]]:
    """(trial, questions, answered, questions with a conflict), each under the profile of the trial."""
    embedder = open_cached_embedder("default", vectors)
    rows: list[tuple[str, int, int, int]] = []
    for trial in trials(DATA):
        with product(trial.rows, embedder, trial.profile) as engine:
            outcomes = [engine.ask(question.question, Scope(PROJECT)) for question in trial.asked]
        answered = sum(isinstance(outcome, Answer) for outcome in outcomes)
        rows.append((trial.name, len(outcomes), answered, sum(bool(outcome.conflicts) for outcome in outcomes)))
        print(*rows[-1], sep=" | ")
    return rows


def compared(files: Iterable[Path], *, show: bool) -> tuple[int, Counter[str]]:
    """How many sentences the acts have, and between which two acts sentences disagree, how often.

    Neither the question nor the headings narrow anything down here, as they do in an answer.
    """
    alike: dict[frozenset[str], list[tuple[str, str, StatedRule]]] = defaultdict(list)
    count = 0
    for file in files:
        for row in read(file):
            for sentence in sentences(str(row.get("text", ""))):
                count += 1
                rule = rule_in(sentence)
                if rule is not None and len(rule.about) > 1:
                    alike[rule.about].append((str(row["id"]).split("_")[0], str(row["id"]), rule))
    pairs: Counter[str] = Counter()
    for held in alike.values():
        for (act, one, rule), (another, other, theirs) in combinations(held, 2):
            if one != other and disagreement(rule, theirs) is not None:
                pairs[" and ".join(sorted({act, another}))] += 1
                if show:
                    print(f"  {one}: {rule.text[:200]!r}\n  {other}: {theirs.text[:200]!r}")
    return count, pairs


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--vectors", type=Path)
    arguments.add_argument("--show", action="store_true")
    options = arguments.parse_args()
    if not DATA.is_dir():
        print(f"no data at {DATA}; set FOOTNOTARY_DATA. Nothing was measured.", file=sys.stderr)
        return
    rows = asked(options.vectors)
    begun = perf_counter()
    files = sorted(path for pattern in ACTS for path in (DATA / "corpora").glob(pattern))
    count, pairs = compared(files, show=options.show)
    print(f"{count} sentences in {perf_counter() - begun:.0f} s: {dict(pairs)}")
    write(rows, count, pairs)


def write(rows: list[tuple[str, int, int, int]], count: int, pairs: Counter[str]) -> None:
    command = "python -m benchmarks.quality.conflicts"
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    columns = ("trial", "questions", "answered", "with a conflict")
    table = [dict(zip(columns, row, strict=True)) for row in rows]
    record = {"command": command, "machine": machine, "trials": table, "sentences": count, "pairs": dict(pairs)}
    results = ROOT / "benchmarks" / "results" / "quality"
    (results / "conflicts.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    lines = [
        f"# Sources reported as conflicting\n\n`{command}` on {machine}.\n",
        f"| {' | '.join(columns)} |",
        "|---|---|---|---|",
    ]
    lines += [f"| {' | '.join(map(str, row))} |" for row in rows]
    lines += [
        f"\nAll {count} sentences of the acts against each other, without a question (the penal code is there in two prints):\n",
        "| acts | pairs |",
        "|---|---|",
    ]
    lines += [f"| {acts} | {found} |" for acts, found in pairs.most_common()]
    (results / "conflicts.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
