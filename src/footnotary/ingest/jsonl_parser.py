"""JSONL of sections: one record per line, each with a text and its metadata."""

import json
import re
from typing import cast

from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.clean import Weaver
from footnotary.ingest.parsed import Parsed, Row

_ESCAPES = re.compile(r"(?:\\(?:u[0-9a-fA-F]{4}|[^u]))+")
_SPACE = re.compile(r"[ \t\r\n]*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_DECODER = json.JSONDecoder()
_TEXT_KEYS = ("text", "content", "body")


def parse_jsonl(data: bytes, encoding: str) -> Parsed:
    """The title and text of every record, in order; blank lines are skipped.

    Raises `DocumentError` with the number of the first line that is not a record with a text.
    """
    original = data.decode(encoding)
    weaver = Weaver(original, encoding)
    rows: list[Row] = []
    at = 1 if original.startswith("\ufeff") else 0
    for number, line in enumerate(original[at:].split("\n"), start=1):
        if line.strip():
            rows.append(_row(original, at, at + len(line), number, weaver))
        at += len(line) + 1
    text, offsets, lines = weaver.finish()
    return Parsed(text, offsets, lines, rows=tuple(rows))


def _row(original: str, start: int, end: int, number: int, weaver: Weaver) -> Row:
    try:
        values, places = _record(original, start, end)
    except (ValueError, RecursionError) as error:
        raise _bad_line(number, f"{error or type(error).__name__}", original[start:end]) from error
    texts = [key for key in _TEXT_KEYS if isinstance(values.get(key), str)]
    if not texts:
        raise _bad_line(number, 'the "text" field is missing', original[start:end])
    key = next((key for key in texts if str(values[key]).strip()), texts[0])
    weaver.blank()
    first = weaver.line_count
    titled = isinstance(values.get("title"), str) and bool(str(values["title"]).strip())
    if titled:
        if places["title"] < places[key]:
            _unescape(original, *places["title"], weaver)
        else:
            # Offsets only increase: a title after its text is written, but has no offset in the original.
            weaver.put(" ".join(str(values["title"]).split()))
        weaver.blank()  # so that a title without a full stop does not run into the text
        titled = weaver.line_count > first
    _unescape(original, *places[key], weaver)
    weaver.end_line()
    fields = {name: _plain(value) for name, value in values.items() if name != key}
    fields["supersedes"] = _listed(values.get("supersedes"))
    return Row(number, {name: value for name, value in fields.items() if value}, Span(first, weaver.line_count), titled)


def _record(text: str, start: int, end: int) -> tuple[dict[str, object], dict[str, tuple[int, int]]]:
    """The record's values, and the offsets of its string contents."""
    at = _after_space(text, start)
    if text[at : at + 1] != "{":
        raise ValueError(f"a record starts with {{, not {text[at : at + 1]!r}")
    values: dict[str, object] = {}
    places: dict[str, tuple[int, int]] = {}
    at = _after_space(text, at + 1)
    while text[at : at + 1] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _after_space(text, at)
        if not isinstance(key, str) or text[at : at + 1] != ":":
            raise ValueError(f"expected a key and a colon at column {at - start + 1}")
        if key in values:  # only one of two values under the same key could be kept
            raise ValueError(f"duplicate key {key[:60]!r}")
        begin = _after_space(text, at + 1)
        values[key], at = _DECODER.raw_decode(text, begin)
        places[key] = (begin + 1, at - 1)
        at = _after_space(text, at)
        if text[at : at + 1] == ",":
            at = _after_space(text, at + 1)
            if text[at : at + 1] == "}":
                raise ValueError(f"trailing comma before the closing brace at column {at - start + 1}")
        elif text[at : at + 1] != "}":
            raise ValueError(f"expected a comma or a closing brace at column {at - start + 1}")
    if at >= end or text[at + 1 : end].strip():
        raise ValueError("expected one complete record on the line")
    return values, places


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _unescape(original: str, start: int, end: int, weaver: Weaver) -> None:
    """Writes a JSON string: characters are copied, escapes are decoded, and line breaks end lines."""
    at = start
    for found in _ESCAPES.finditer(original, start, end):
        weaver.copy(at, found.start())
        decoded = _LONE_SURROGATE.sub("\ufffd", json.loads(f'"{found.group()}"'))
        for place, line in enumerate(decoded.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
            if place:
                if weaver.in_line:
                    weaver.end_line()
                else:
                    weaver.blank()
            weaver.put(line)
        at = found.end()
    weaver.copy(at, end)


def _plain(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""


def _listed(value: object) -> str:
    """A name, or a list of names joined by semicolons."""
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return "; ".join(filter(None, map(_plain, items)))


def _bad_line(number: int, what: str, line: str) -> DocumentError:
    seen = line.strip()
    return DocumentError(
        f"line {number}: {what}; it reads {seen[:60] + '…' if len(seen) > 60 else seen!r}",
        reason="bad_record",
        hint='every line is one JSON object with at least a "text"',
    )
