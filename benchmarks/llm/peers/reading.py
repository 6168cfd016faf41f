"""What a person found in a sample of delivered answers, kept by id alone, beside what the rules of `scoring` say.

    python -m benchmarks.llm.peers.reading FOLDER [--n 60]

prints a sample with its ids from the outcomes of a report in FOLDER; verdicts are added to read_verdicts.jsonl by hand.
`says`: right, wrong (false, or not what is asked) or declines. `supported`: whether the passages given say all of it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.llm.peers.questions import PeerQuestion
from benchmarks.llm.peers.scoring import RIGHT

if TYPE_CHECKING:
    from benchmarks.llm.peers.report import ScoredOutcome

VERDICTS = Path(__file__).with_name("read_verdicts.jsonl")


def answer_id(question: PeerQuestion, text: str) -> str:
    """Identifies an answer to a question, whichever system gave it."""
    return hashlib.sha256(f"{question.key} {text}".encode()).hexdigest()[:12]


def sampled(found: Mapping[str, Sequence[ScoredOutcome]], count: int) -> list[tuple[str, ScoredOutcome]]:
    """Delivered texts of all systems, refusals in prose among them, each once: the same for the same outcomes."""
    texts = {
        answer_id(row.question, row.played.outcome.text): row
        for rows in found.values()
        for row in rows
        if row.played.outcome.text.strip()
    }
    return sorted(texts.items())[:count]


def read_verdicts(found: Mapping[str, Sequence[ScoredOutcome]], path: Path = VERDICTS) -> dict[str, int]:
    """How the verdicts of a person and the rules compare on the answers of this run that were read."""
    if not path.is_file():
        return {}
    verdicts = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    known = dict(sampled(found, sum(len(rows) for rows in found.values())))
    counts: Counter[str] = Counter()
    for verdict in verdicts:
        row = known.get(verdict["id"])
        if row is None:
            continue
        counts["read"] += 1
        if verdict["says"] == "declines" or not row.score.answered:
            agree = (verdict["says"] == "declines") is (not row.score.answered)
            counts["declines, read and by the rules" if agree else "declines, the rules disagree"] += 1
            continue
        by_rules = row.score.ended == RIGHT
        name = {(True, True): "right by both", (False, False): "not right by both"}
        counts[name.get(((verdict["says"] == RIGHT), by_rules), f"read as {verdict['says']}, the rules disagree")] += 1
        counts["answers with something no passage says"] += not verdict["supported"]
    return dict(counts)
