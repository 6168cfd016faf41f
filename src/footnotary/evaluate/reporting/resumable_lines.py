"""A JSONL file written during a run, so that an interrupted run resumes where it stopped."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from footnotary.errors import UsageError

JsonRecord = dict[str, Any]


@contextmanager
def open_resumable_file(
    path: Path | None, head: Mapping[str, str], take: Callable[[JsonRecord], None]
) -> Generator[Callable[[Mapping[str, object]], None]]:
    """Passes each record stored at `path` under this header to `take`, and yields the function that appends one.

    Without a path nothing is stored. A line that was truncated by an interruption, or that `take` cannot read, is
    dropped with all that follow; records under another header are replaced, never mixed in. A record survives the end
    of the process once it is written. Raises `UsageError` while another run writes to the file.
    """
    if path is None:
        yield lambda _: None
        return
    first = json.dumps(head, ensure_ascii=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error}", hint="choose another folder") from None

    def keep(record: Mapping[str, object]) -> None:
        stream.write(json.dumps(record, ensure_ascii=False) + "\n")
        stream.flush()

    with stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"another run is writing {path}", hint="wait for it, or choose another folder") from None
        length = _read_records(path, first.encode(), take)
        stream.truncate(length)
        if not length:
            keep(head)
        yield keep


def _read_records(path: Path, first: bytes, take: Callable[[JsonRecord], None]) -> int:
    """The length in bytes of the complete lines under this header, each passed to `take`."""
    lines = path.read_bytes().split(b"\n") if path.is_file() else []
    if not lines or lines[0] + b"\n" != first:
        return 0
    length = len(first)
    for line in lines[1:-1]:  # after the last newline there is nothing, or a truncated line
        try:
            take(cast(JsonRecord, json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError):
            break
        length += len(line) + 1
    return length
