"""Sentences written one by one to train the injection classifier.

`written_pairs.jsonl.gz` holds instructions to the system that answers next to instructions in nearly the same words to
the reader of the document. Its author had seen neither the rules nor the other rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.injection.public_texts import rows

HERE = Path(__file__).parent
# Every tenth pair is not learned from: thresholds are chosen on it.
KEPT_FOR_DEV = 10


def hand_written(label: int) -> Iterator[tuple[str, str]]:
    """(name, sentence) of the hand-written rows: injections for label 1, statements easily taken for injections for 0."""
    for row in rows(HERE / f"written_{'orders' if label else 'statements'}.jsonl.gz"):
        yield f"written, {row['language']}", row["text"]
    for row in pairs(dev=False):
        if row["attack"] == bool(label):
            yield f"pairs, {row['language']}", row["text"]


def pairs(*, dev: bool) -> Iterator[dict[str, Any]]:
    """The rows of the pairs to learn from, or of those kept for development."""
    for row in rows(HERE / "written_pairs.jsonl.gz"):
        if (row["pair"] is not None and row["pair"] % KEPT_FOR_DEV == 0) == dev:
            yield row
