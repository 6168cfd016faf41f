"""JSONL of sections: one record per line, each with a text and its metadata."""

import json
import re
from typing import cast

from footnotary.domain.identity import Span
from footnotary.errors import DocumentError
from footnotary.ingest.offset_builder import OffsetTrackingBuilder
from footnotary.ingest.parsed_document import ParsedFile, ParsedRecord

_ESCAPES = re.compile(r"(?:\\(?:u[0-9a-fA-F]{4}|[^u]))+")
_SPACE = re.compile(r"[ \t\r\n]*")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_DECODER = json.JSONDecoder()
_TEXT_KEYS = ("text", "content", "body")


def parse_jsonl(data: bytes, encoding: str) -> ParsedFile:
    """The title and text of every record, in order; blank lines are skipped.

    Raises `DocumentError` with the number of the first line that is not a record with a text.
    """
    original = data.decode(encoding)
    builder = OffsetTrackingBuilder(original, encoding)
    rows: list[ParsedRecord] = []
    at = 1 if original.startswith("\ufeff") else 0
    for number, line in enumerate(original[at:].split("\n"), start=1):
        if line.strip():
            rows.append(_parse_row(original, at, at + len(line), number, builder))
        at += len(line) + 1
    text, offsets, lines = builder.finish()
    return ParsedFile(text, offsets, lines, rows=tuple(rows))


def _parse_row(original: str, start: int, end: int, number: int, builder: OffsetTrackingBuilder) -> ParsedRecord:
    try:
        values, places = _parse_record(original, start, end)
    except (ValueError, RecursionError) as error:
        raise _line_error(number, f"{error or type(error).__name__}", original[start:end]) from error
    texts = [key for key in _TEXT_KEYS if isinstance(values.get(key), str)]
    if not texts:
        raise _line_error(number, 'the "text" field is missing', original[start:end])
    key = next((key for key in texts if str(values[key]).strip()), texts[0])
    builder.blank()
    first = builder.line_count
    titled = isinstance(values.get("title"), str) and bool(str(values["title"]).strip())
    if titled:
        if places["title"] < places[key]:
            _write_unescaped(original, *places["title"], builder)
        else:
            # Offsets only increase: a title after its text is written, but has no offset in the original.
            builder.put(" ".join(str(values["title"]).split()))
        builder.blank()  # so that a title without a full stop does not run into the text
        titled = builder.line_count > first
    _write_unescaped(original, *places[key], builder)
    builder.end_line()
    fields = {name: _field_text(value) for name, value in values.items() if name != key}
    fields["supersedes"] = _joined_names(values.get("supersedes"))
    return ParsedRecord(
        number, {name: value for name, value in fields.items() if value}, Span(first, builder.line_count), titled
    )


def _parse_record(text: str, start: int, end: int) -> tuple[dict[str, object], dict[str, tuple[int, int]]]:
    """The record's values, and the offsets of its string contents."""
    at = _skip_space(text, start)
    if text[at : at + 1] != "{":
        raise ValueError(f"a record starts with {{, not {text[at : at + 1]!r}")
    values: dict[str, object] = {}
    places: dict[str, tuple[int, int]] = {}
    at = _skip_space(text, at + 1)
    while text[at : at + 1] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _skip_space(text, at)
        if not isinstance(key, str) or text[at : at + 1] != ":":
            raise ValueError(f"expected a key and a colon at column {at - start + 1}")
        if key in values:  # only one of two values under the same key could be kept
            raise ValueError(f"duplicate key {key[:60]!r}")
        begin = _skip_space(text, at + 1)
        values[key], at = _DECODER.raw_decode(text, begin)
        places[key] = (begin + 1, at - 1)
        at = _skip_space(text, at)
        if text[at : at + 1] == ",":
            at = _skip_space(text, at + 1)
            if text[at : at + 1] == "}":
                raise ValueError(f"trailing comma before the closing brace at column {at - start + 1}")
        elif text[at : at + 1] != "}":
            raise ValueError(f"expected a comma or a closing brace at column {at - start + 1}")
    if at >= end or text[at + 1 : end].strip():
        raise ValueError("expected one complete record on the line")
    return values, places


def _skip_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _write_unescaped(original: str, start: int, end: int, builder: OffsetTrackingBuilder) -> None:
    """Writes a JSON string: characters are copied, escapes are decoded, and line breaks end lines."""
    at = start
    for found in _ESCAPES.finditer(original, start, end):
        builder.copy(at, found.start())
        decoded = _LONE_SURROGATE.sub("\ufffd", json.loads(f'"{found.group()}"'))
        for place, line in enumerate(decoded.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
            if place:
                if builder.line_has_text:
                    builder.end_line()
                else:
                    builder.blank()
            builder.put(line)
        at = found.end()
    builder.copy(at, end)


def _field_text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""


def _joined_names(value: object) -> str:
    """A name, or a list of names joined by semicolons."""
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return "; ".join(filter(None, map(_field_text, items)))


def _line_error(number: int, what: str, line: str) -> DocumentError:
    seen = line.strip()
    return DocumentError(
        f"line {number}: {what}; it reads {seen[:60] + '…' if len(seen) > 60 else seen!r}",
        reason="bad_record",
        hint='every line is one JSON object with at least a "text"',
    )
