"""Collects the rows that a trained update goes on with: what was written by hand, and a sample of what it has learned.

    python -m training.reader.more_rows --data FOLDER --rows ROWS --out MORE

`--rows` holds what `training.reader.rows` wrote. Small talk is shown over passages that do not answer it, and other
questions keep what was learned from being forgotten. In the place of claims, which the base reads, stand pairs that
contradict each other or do not (`conflict_rows`).
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path
from typing import Any

from training.reader.conflict_rows import conflict_rows, written_conflicts
from training.reader.written_rows import WRITTEN, written_questions
from training.verifier.rows import read, write

Row = dict[str, Any]
OTHERS = 90_000
WRITTEN_TIMES, PASSAGES_OF_TALK, SENTENCES_OF_TALK = 2, 12, 6
DRAFTS = 0.5


def more_questions(data: Path, rows: Path, draw: random.Random) -> list[Row]:
    others = [row for row in read(rows / "questions.jsonl.gz") if not row["set"].startswith("written")]
    written = [row for _ in range(WRITTEN_TIMES) for row in written_questions(data, draw, held_out=False)]
    talk: list[Row] = []
    for line in (WRITTEN / "small_talk.txt").read_text("utf-8").splitlines():
        for _ in range(PASSAGES_OF_TALK):
            over = draw.choice(written if draw.random() < 0.6 else others)
            shown = {"h": over.get("h", ""), "s": over["s"][:SENTENCES_OF_TALK]}
            talk.append({"set": "talk", "a": line, "at": [], "y": 0, "g": ""} | shown)
    found = draw.sample(others, min(len(others), OTHERS)) + talk
    found += [row for row in written if row["set"] != "written:draft" or draw.random() < DRAFTS]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    draw = random.Random(23)
    questions = more_questions(options.data, options.rows, draw)
    print(Counter(row["set"] if row["set"].startswith("written") else "others" for row in questions).most_common())
    print("questions", write(options.out / "questions.jsonl.gz", iter(questions)))
    print("conflicts", write(options.out / "claims.jsonl.gz", conflict_rows(options.data, draw)))
    asked = [row for row in read(options.rows / "dev.jsonl.gz") if "b" not in row]
    dev = [*asked, *(row | {"set": "x:conflicts"} for row in written_conflicts(held_out=True))]
    print("dev", write(options.out / "dev.jsonl.gz", iter(dev)))
    write(options.out / "generated.jsonl.gz", iter(()))


if __name__ == "__main__":
    main()
