"""Writes the labelled questions that the shipped profiles' `[risk.answers]` is measured on.

    python -m benchmarks.quality.answering.risk_sets --out FOLDER
    footnotary calibrate --questions FOLDER/encyclopaedia.jsonl --profile default --out default-calibrated.toml
    footnotary calibrate --questions FOLDER/penal_code.jsonl --profile legal --out legal-calibrated.toml

`encyclopaedia`: half of the questions of squad2_dev500 whose passages no model has learned, each with its one passage.
A part of that set chose the calibration of the reader, so that its figures may be a little too good.
`penal_code`: questions on the Indian Penal Code with the five sections that share most rare words with them, the one
that answers among them or left out. Public data is read from FOOTNOTARY_DATA, or ../shared/data next to the repository.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.quality.answers import DATA, learned_passages
from benchmarks.quality.encoder_sets import read
from footnotary.text.tokens import terms_of

PASSAGES = 5
SECTIONS_ASKED = 90
Row = dict[str, Any]


def encyclopaedia(data: Path) -> Iterator[Row]:
    seen = learned_passages(data)
    for row in read(data / "rag" / "squad2_dev500" / "squad2_dev500.jsonl.gz"):
        if " ".join(row["passage"].split()) not in seen and _chosen(row["question"]):
            yield {"question": row["question"], "passages": [row["passage"]], "answerable": row["answerable"]}


def penal_code(data: Path) -> Iterator[Row]:
    sections = {row["section"]: row for row in read(data / "corpora" / "law_mix" / "ipc_1860.jsonl")}
    texts = {number: f"{row['title']}\n\n{row['text']}" for number, row in sections.items()}
    terms = {number: terms_of(text) for number, text in texts.items()}
    spread = Counter(term for found in terms.values() for term in found)
    asked = read(data / "rag" / "in_domain_eval" / "ipc_qa_silver_section.dev.jsonl.gz")
    asked = [row for row in asked if row["gold_section"] in sections and _chosen(row["question"])][:SECTIONS_ASKED]
    for place, row in enumerate(asked):
        wanted, gold = terms_of(row["question"]), row["gold_section"]

        def shared(number: str, wanted: frozenset[str] = frozenset(wanted)) -> float:
            return -math.fsum(math.log(1 + len(texts) / spread[term]) for term in sorted(wanted & terms[number]))

        near = sorted((number for number in texts if number != gold), key=shared)[:PASSAGES]
        answerable = place % 2 == 0
        numbers = [gold, *near[:-1]] if answerable else near
        yield {
            "question": row["question"],
            "passages": [texts[number] for number in sorted(numbers)],
            "answerable": answerable,
        }


def _chosen(question: str) -> bool:
    return int(hashlib.sha256(question.encode()).hexdigest(), 16) % 2 == 0


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--out", type=Path, required=True)
    options = arguments.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for make in (encyclopaedia, penal_code):
        rows = [json.dumps(row, ensure_ascii=False) for row in make(DATA)]
        (options.out / f"{make.__name__}.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
        print(make.__name__, len(rows))


if __name__ == "__main__":
    main()
