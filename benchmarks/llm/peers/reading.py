"""Verdicts on delivered answers that were read one by one, kept by id alone, next to what the rules of `scoring` say.

    python -m benchmarks.llm.peers.reading FOLDER [--n 60] [--first 0]

prints a sample with its ids from the outcomes of the last report in FOLDER; verdicts are added to read_verdicts.jsonl by
hand. `says`: right, wrong (false, or not what is asked) or declines. `supported`: whether the passages say all of it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.llm.peers.questions import PeerQuestion, read_questions, read_rows, write_rows
from benchmarks.llm.peers.scoring import RIGHT
from benchmarks.llm.peers.systems import PEERS

if TYPE_CHECKING:
    from benchmarks.llm.peers.report import ScoredOutcome

VERDICTS = Path(__file__).with_name("read_verdicts.jsonl")
OUTCOMES = "outcomes.jsonl.gz"


def answer_id(question: PeerQuestion, text: str) -> str:
    """Identifies an answer to a question, whichever system gave it."""
    return hashlib.sha256(f"{question.key} {text}".encode()).hexdigest()[:12]


def read_verdicts(found: Mapping[str, Sequence[ScoredOutcome]], path: Path = VERDICTS) -> dict[str, dict[str, int]]:
    """How the verdicts and the rules compare on the answers that were read: of peers, and of Footnotary."""
    if not path.is_file():
        return {}
    verdicts = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    groups: dict[str, dict[str, ScoredOutcome]] = {"peers": {}, "Footnotary": {}}
    for system, rows in found.items():
        group = groups["peers" if system in PEERS else "Footnotary"]
        group |= {answer_id(row.question, row.played.outcome.text): row for row in rows}
    return {
        name: dict(sorted(counts.items()))
        for name, known in groups.items()
        if (counts := _compared([(verdict, known[verdict["id"]]) for verdict in verdicts if verdict["id"] in known]))
    }


def _compared(read: Sequence[tuple[dict[str, Any], ScoredOutcome]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for verdict, row in read:
        counts["read"] += 1
        declines = verdict["says"] == "declines"
        if declines or not row.score.answered:
            counts["declines by both" if declines is not row.score.answered else "declines, not by both"] += 1
            continue
        said = verdict["says"] == RIGHT, row.score.ended == RIGHT
        names = {
            (True, True): "right by both",
            (False, False): "not right by both",
            (True, False): "right, not by the rules",
        }
        counts[names.get(said, "right by the rules alone")] += 1
        counts["says something no passage says"] += not verdict["supported"]
    return counts


def write_outcomes(folder: Path, found: Mapping[str, Sequence[ScoredOutcome]]) -> None:
    """Keeps what every system delivered, for reading."""
    write_rows(
        folder / OUTCOMES,
        (
            {
                "system": system, "key": row.question.key, "id": answer_id(row.question, row.played.outcome.text),
                "text": row.played.outcome.text, "cited": row.played.outcome.cited, "ended": row.score.ended,
                "followed": row.score.followed, "why": row.played.outcome.why,
            }
            for system, rows in found.items() for row in rows
        ),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    questions = {question.key: question for question in read_questions(options.folder / "questions.jsonl.gz")}
    listed = {row["id"]: row for row in read_rows(options.folder / OUTCOMES) if row["text"].strip()}
    for _, row in sorted(listed.items())[options.first : options.first + options.n]:
        question = questions[row["key"]]
        print(f"\n{row['id']}  {question.kind}, {'answer there' if question.answerable else 'no answer there'}")
        for passage in question.passages:
            mark = "*" if passage.id in question.gold else "+" if passage.id in row["cited"] else " "
            print(f"  {mark} [{passage.id}] {passage.with_heading()}")
        print(f"  Q: {question.question}\n  expected: {question.answers}\n  A: {row['text']}  {row['cited']}")


if __name__ == "__main__":
    main()
