"""Lines of JSON that a run keeps as it goes, so that one that was interrupted goes on where it stopped."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from footnotary.errors import UsageError

Record = dict[str, Any]


@contextmanager
def kept_lines(
    path: Path | None, head: Mapping[str, str], take: Callable[[Record], None]
) -> Generator[Callable[[Mapping[str, object]], None]]:
    """Gives `take` each line kept at `path` under this head, and yields what keeps further ones.

    Without a path nothing is kept. A line that was cut off by an interruption, or that `take` cannot read, is dropped
    with all that follow; lines under another head are replaced, never mixed in. Once a line is written, an end of the
    process does not lose it. Raises `UsageError` while another run keeps its lines there.
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
        length = _read(path, first.encode(), take)
        stream.truncate(length)
        if not length:
            keep(head)
        yield keep


def _read(path: Path, first: bytes, take: Callable[[Record], None]) -> int:
    """How many bytes of the file are whole lines under this head, each of them taken."""
    lines = path.read_bytes().split(b"\n") if path.is_file() else []
    if not lines or lines[0] + b"\n" != first:
        return 0
    length = len(first)
    for line in lines[1:-1]:  # after the last line end there is nothing, or a line cut off
        try:
            take(cast(Record, json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError):
            break
        length += len(line) + 1
    return length
