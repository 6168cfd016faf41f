"""Scores kept in a file as they are made, so that a run that was interrupted goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from footnotary.errors import UsageError
from footnotary.evaluate.judging import Score
from footnotary.evaluate.rows import Row

_KIND = "footnotary scores"


class KeptScores:
    """The scores of one judge. A score belongs to the key of its row, so a row that was changed is judged again."""

    def __init__(self, found: dict[str, Score], stream: IO[str] | None) -> None:
        self._found = found
        self._stream = stream

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, row: Row) -> bool:
        return row.key in self._found

    def __getitem__(self, row: Row) -> Score:
        return self._found[row.key]

    def add(self, row: Row, score: Score) -> None:
        """Keeps the score; once this returns, an end of the process does not lose it."""
        self._found[row.key] = score
        if self._stream is not None:
            record: dict[str, object] = {"key": row.key, "id": row.id, "dataset": row.dataset, "score": score.value}
            if score.sentences:
                record["sentences"] = score.sentences
            self._stream.write(json.dumps(record, ensure_ascii=False) + "\n")
            self._stream.flush()


@contextmanager
def kept_scores(path: Path | None, judge: str) -> Generator[KeptScores]:
    """The scores at `path` if `judge` gave them, else none; without a path they live as long as the run.

    A line cut off by an interruption is dropped. Scores of another judge are replaced, never mixed in.
    """
    if path is None:
        yield KeptScores({}, None)
        return
    head = json.dumps({"kind": _KIND, "judge": judge}, ensure_ascii=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        found, length = _read(path, head)
        stream = path.open("r+" if length else "w", encoding="utf-8", newline="\n")
        stream.truncate(length)
        stream.seek(length)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error}", hint="choose another folder") from None
    with stream:
        if not length:
            stream.write(head)
            stream.flush()
        yield KeptScores(found, stream)


def _read(path: Path, head: str) -> tuple[dict[str, Score], int]:
    """The scores under this head, and how many bytes of the file are whole lines of it."""
    found: dict[str, Score] = {}
    content = path.read_bytes() if path.is_file() else b""
    lines = content.splitlines(keepends=True)
    if not lines or lines[0] != head.encode():
        return found, 0
    length = len(lines[0])
    for line in lines[1:]:
        try:
            record = cast("dict[str, Any]", json.loads(line))
            score = Score(float(record["score"]), tuple(map(float, record.get("sentences", ()))))
            key = str(record["key"])
        except (ValueError, KeyError, TypeError):
            break
        if not line.endswith(b"\n"):
            break
        found[key] = score
        length += len(line)
    return found, length
