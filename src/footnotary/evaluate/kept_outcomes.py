"""Outcomes kept in a file as they come, so that a run that was interrupted goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from footnotary.errors import UsageError
from footnotary.evaluate.questions import Question
from footnotary.evaluate.told import Told, told_of

_KIND = "footnotary outcomes"


class KeptOutcomes:
    """What one product told. An outcome belongs to its question's key: a question that was changed is asked again."""

    def __init__(self, found: dict[tuple[str, str], Told], stream: IO[str] | None) -> None:
        self._found = found
        self._stream = stream

    def __contains__(self, question: Question) -> bool:
        return (question.dataset, question.key) in self._found

    def __getitem__(self, question: Question) -> Told:
        return self._found[question.dataset, question.key]

    def add(self, question: Question, told: Told) -> None:
        """Keeps the outcome; once this returns, an end of the process does not lose it."""
        self._found[question.dataset, question.key] = told
        if self._stream is not None:
            about = {"dataset": question.dataset, "key": question.key, "id": question.id, "question": question.question}
            self._stream.write(json.dumps(about | told.record(), ensure_ascii=False) + "\n")
            self._stream.flush()


@contextmanager
def kept_outcomes(path: Path | None, product: str) -> Generator[KeptOutcomes]:
    """The outcomes at `path` if `product` gave them, else none; without a path they live as long as the run.

    A line cut off by an interruption is dropped. Outcomes of another product are replaced, never mixed in.
    """
    if path is None:
        yield KeptOutcomes({}, None)
        return
    head = json.dumps({"kind": _KIND, "product": product}, ensure_ascii=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found, length = _read(path, head.encode())
        stream = path.open("r+" if length else "w", encoding="utf-8", newline="\n")
        stream.truncate(length)
        stream.seek(length)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error}", hint="choose another folder") from None
    with stream:
        if not length:
            stream.write(head)
            stream.flush()
        yield KeptOutcomes(found, stream)


def _read(path: Path, head: bytes) -> tuple[dict[tuple[str, str], Told], int]:
    """The outcomes under this head, and how many bytes of the file are whole lines of it."""
    found: dict[tuple[str, str], Told] = {}
    lines = path.read_bytes().split(b"\n") if path.is_file() else []
    if not lines or lines[0] + b"\n" != head:
        return found, 0
    length = len(head)
    for line in lines[1:-1]:  # after the last line end there is nothing, or a line cut off
        try:
            record = cast("dict[str, Any]", json.loads(line))
            found[str(record["dataset"]), str(record["key"])] = told_of(record)
        except (ValueError, KeyError, TypeError, AttributeError):
            break
        length += len(line) + 1
    return found, length
