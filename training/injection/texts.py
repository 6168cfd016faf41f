"""Sentences written one by one to train the injection classifier."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.injection.public_texts import rows

HERE = Path(__file__).parent


def hand_written(label: int) -> Iterator[tuple[str, str]]:
    """(name, sentence) of the hand-written rows: injections for label 1, statements easily taken for injections for 0."""
    for row in rows(HERE / f"written_{'orders' if label else 'statements'}.jsonl"):
        yield f"written, {row['language']}", row["text"]
