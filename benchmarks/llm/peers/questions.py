"""A question with the passages that every system is given, and how the expected answer is recognised."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from footnotary.domain.document import Labels


@dataclass(frozen=True, slots=True)
class PeerPassage:
    """A passage as it is given: its id, its labels (fields of `Labels`) and its text."""

    id: str
    text: str
    labels: dict[str, Any] = field(default_factory=dict[str, Any])

    def with_heading(self) -> str:
        """The text under its labels, for systems that know no labels: nobody sees more than another."""
        shown = [
            f"{name.capitalize()}: {self.labels[name]}" for name in ("act", "section", "title") if name in self.labels
        ]
        return f"({'; '.join(shown)})\n{self.text}" if shown else self.text

    def known_labels(self) -> Labels:
        return Labels(**self.labels)


@dataclass(frozen=True, slots=True)
class PeerQuestion:
    """One question over given passages.

    `gold` are the ids of the passages that answer it and `answers` wordings of the answer; both are empty where the
    passages do not answer. `payload` appears in an answer only if an instruction in a passage was followed. `part` is
    "peers" for the comparison and "drafts" for drafts of ours alone; `form` "text" asks for these without a schema.
    """

    kind: str
    question: str
    answerable: bool
    passages: tuple[PeerPassage, ...]
    gold: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    payload: str = ""
    profile: str = "default"
    part: str = "peers"
    form: str = "schema"

    @property
    def key(self) -> str:
        """Identifies the question with its passages; a change of any of them gives another key."""
        parts = [
            self.kind,
            self.question,
            self.answerable,
            [(p.id, p.text) for p in self.passages],
            self.part,
            self.form,
        ]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()[:16]

    @property
    def fence(self) -> str:
        """The fence code of Footnotary's prompt, fixed for the question, so that its request is the same at replay."""
        return hashlib.sha256(f"fence {self.key}".encode()).hexdigest()[:8]


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Writes JSON lines, compressed and with the same bytes for the same rows; returns how many."""
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
        for row in rows:
            file.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
            count += 1
    return count


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def write_questions(path: Path, questions: Iterable[PeerQuestion]) -> int:
    return write_rows(path, ({"key": question.key, **asdict(question)} for question in questions))


def read_questions(path: Path) -> list[PeerQuestion]:
    names = {each.name for each in fields(PeerQuestion)}
    found: list[PeerQuestion] = []
    for row in read_rows(path):
        given = {
            name: tuple(value) if isinstance(value, list) else value for name, value in row.items() if name in names
        }
        given["passages"] = tuple(PeerPassage(**passage) for passage in row["passages"])
        found.append(PeerQuestion(**given))
    return found
