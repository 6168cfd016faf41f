"""What reaches the terminal: plain text without control sequences, tables and bars on a terminal only."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from footnotary.text.normalise import invisible_places, without_invisible

if TYPE_CHECKING:
    from rich.console import Console


def printable(text: str) -> str:
    """`text` without what cannot be seen: a document cannot move the cursor, open a link or turn words around."""
    return without_invisible(text.replace("\r", ""))


def json_text(record: Any, indent: int | None = None) -> str:
    """A record as JSON, what cannot be seen written as escapes: a program reads the same, a terminal obeys nothing."""
    text = json.dumps(record, ensure_ascii=False, indent=indent)
    parts: list[str] = []
    done = 0
    for place in invisible_places(text):
        parts += (text[done:place], json.dumps(text[place])[1:-1])
        done = place + 1
    return "".join((*parts, text[done:]))


def say(text: str = "") -> None:
    """A line of the result, on standard output."""
    print(printable(text))


def note(text: str) -> None:
    """A line beside the result, on standard error."""
    print(printable(text), file=sys.stderr)


def emit_json(record: Any, indent: int | None = 2) -> None:
    """The whole of standard output where `--json` is asked for; it is JSON in any encoding of the output."""
    text = json_text(record, indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(record, indent=indent)
    print(text)


def console() -> Console:
    """Rich on standard error: bars and colours on a terminal, quiet elsewhere."""
    from rich.console import Console

    return Console(stderr=True)
