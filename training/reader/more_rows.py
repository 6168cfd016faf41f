"""Collects the rows that a trained update goes on with: what was written by hand, and a sample of what it has learned.

    python -m training.reader.more_rows --data FOLDER --rows ROWS --out MORE

`--rows` holds what `training.reader.rows` wrote. Questions in the words people type are shown several times, small talk
is shown over passages that do not answer it, and the others keep what was learned from being forgotten.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

from training.reader.written_rows import WRITTEN, written_questions
from training.verifier.rows import read, write

Row = dict[str, Any]
OTHERS, CLAIMS = 48_000, 16_000
LAY_TIMES, PASSAGES_OF_TALK, SENTENCES_OF_TALK = 3, 12, 6
DRAFTS = 0.5


def more_questions(data: Path, rows: Path, draw: random.Random) -> list[Row]:
    others = [row for row in read(rows / "questions.jsonl.gz") if not row["set"].startswith("written")]
    written = list(written_questions(data, draw, held_out=False))
    lay = [row for row in written if row["set"] == "written:lay"]
    plain = [row for row in written if row["set"] != "written:lay"]
    talk: list[Row] = []
    for line in (WRITTEN / "small_talk.txt").read_text("utf-8").splitlines():
        for _ in range(PASSAGES_OF_TALK):
            over = draw.choice(written if draw.random() < 0.6 else others)
            shown = {"h": over.get("h", ""), "s": over["s"][:SENTENCES_OF_TALK]}
            talk.append({"set": "talk", "a": line, "at": [], "y": 0, "g": ""} | shown)
    found = draw.sample(others, min(len(others), OTHERS)) + LAY_TIMES * lay + talk
    found += [row for row in plain if row["set"] != "written:draft" or draw.random() < DRAFTS]
    draw.shuffle(found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    draw = random.Random(23)
    print(
        "questions", write(options.out / "questions.jsonl.gz", iter(more_questions(options.data, options.rows, draw)))
    )
    claims = list(read(options.rows / "claims.jsonl.gz"))
    print("claims", write(options.out / "claims.jsonl.gz", iter(draw.sample(claims, min(len(claims), CLAIMS)))))
    print("dev", write(options.out / "dev.jsonl.gz", iter(read(options.rows / "dev.jsonl.gz"))))
    write(options.out / "generated.jsonl.gz", iter(()))


if __name__ == "__main__":
    main()
