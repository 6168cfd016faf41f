"""Terminal output: plain text without control sequences; progress bars on a terminal only."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from footnotary.text.normalise import invisible_places, without_invisible

if TYPE_CHECKING:
    from rich.console import Console


def printable(text: str) -> str:
    """`text` without invisible characters: a document cannot move the cursor, open a link or reverse the text."""
    return without_invisible(text.replace("\r", ""))


def json_text(record: Any, indent: int | None = None) -> str:
    """A record as JSON with invisible characters escaped: the same for programs, and harmless on a terminal."""
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
    """A line that is not part of the result, on standard error."""
    print(printable(text), file=sys.stderr)


def counted(number: int, noun: str) -> str:
    """ "1 passage", "2,000 passages"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def print_json(record: Any, indent: int | None = 2) -> None:
    """The whole output with `--json`; it is valid JSON in any output encoding."""
    text = json_text(record, indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(record, indent=indent)
    print(text)


def console() -> Console:
    """A Rich console on standard error: bars and colours on a terminal, silent elsewhere."""
    from rich.console import Console

    return Console(stderr=True)
