"""What reaches the terminal: plain text without control sequences, tables and bars on a terminal only."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def printable(text: str) -> str:
    """`text` without control characters, so that a document cannot move the cursor or open a link."""
    return "".join(char for char in text if char in "\n\t" or not (ord(char) < 32 or 127 <= ord(char) < 160))


def say(text: str = "") -> None:
    """A line of the result, on standard output."""
    print(printable(text))


def note(text: str) -> None:
    """A line beside the result, on standard error."""
    print(printable(text), file=sys.stderr)


def emit_json(record: Any) -> None:
    """The whole of standard output where `--json` is asked for."""
    print(json.dumps(record, ensure_ascii=False, indent=2))


def console() -> Console:
    """Rich on standard error: bars and colours on a terminal, quiet elsewhere."""
    from rich.console import Console

    return Console(stderr=True)
