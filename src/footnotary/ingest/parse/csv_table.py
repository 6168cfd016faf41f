"""CSV and TSV: one table, its first row the headings, every value at its characters and bytes of the file."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from footnotary.errors import DocumentError
from footnotary.ingest.offset_builder import OffsetTrackingBuilder, split_lines
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.tables.heading_rows import is_number

_DELIMITERS = ",;\t|"
_SAMPLE_CHARS, _SAMPLE_ROWS, _SAMPLE_TOP = 20_000, 20, 50
_MAX_LINES_ABOVE = 6
_MAX_HEADING_CHARS = 120
_MAX_COLUMNS = 2_000


@dataclass(slots=True)
class _Field:
    """One value: the runs of the file it is made of; a quotation mark written twice ends a run after the first.

    `is_sloppy`: something follows its closing quotation mark.
    """

    runs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    is_sloppy: bool = False

    def text(self, original: str) -> str:
        return "".join(original[start:end] for start, end in self.runs)


def parse_csv(data: bytes, encoding: str) -> ParsedFile:
    """The rows of a file of comma-separated values; also with semicolons, tabs or bars in place of the commas."""
    original = data.decode(encoding)
    return _parse(original, encoding, _delimiter(original))


def parse_tsv(data: bytes, encoding: str) -> ParsedFile:
    """The rows of a file of tab-separated values."""
    return _parse(data.decode(encoding), encoding, "\t")


def _parse(original: str, encoding: str, delimiter: str) -> ParsedFile:
    builder = OffsetTrackingBuilder(original, encoding)
    rows = [row for row in _rows(original, delimiter) if any(value.text(original).strip() for value in row)]
    top = [[value.text(original).strip() for value in row] for row in rows[:_SAMPLE_TOP]]
    first = _lines_above_table(top)
    has_headings = _has_headings(top[first:])
    for number, row in enumerate(rows):
        if number < first:
            for start, end in next(value for value in row if value.text(original).strip()).runs:
                _copy(builder, original, start, end)
            builder.end_line()
            continue
        if number == first:
            builder.blank()
        if len(row) > _MAX_COLUMNS:
            raise DocumentError(
                f"row {number + 1} has {len(row):,} values; the limit is {_MAX_COLUMNS:,}",
                reason="parse_limit",
                hint="check its delimiter and quotation marks",
            )
        for at, value in enumerate(row):
            if at:
                builder.put(" | ")
            for start, end in value.runs:
                _copy(builder, original, start, end)
        builder.end_line(kind="heading_row" if number == first and has_headings else "table")
    text, offsets, lines = builder.finish()
    return ParsedFile(text, offsets, lines)


def _copy(builder: OffsetTrackingBuilder, original: str, start: int, end: int) -> None:
    """Copies a run; line breaks within a value become blanks."""
    for at, (begin, stop, _) in enumerate(split_lines(original, start, end)):
        if at:
            builder.put(" ")
        builder.copy(begin, stop)


def _lines_above_table(rows: list[list[str]]) -> int:
    """How many rows at the top have one value each, as the title and date of an export, above rows with headings."""
    first = next((at for at, row in enumerate(rows) if sum(map(bool, row)) > 1), 0)
    return first if first <= _MAX_LINES_ABOVE and _has_headings(rows[first:]) else 0


def _has_headings(rows: list[list[str]]) -> bool:
    """Whether the first row has the form of headings: every one given, short, different, and none a number."""
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    names = [name.casefold() for name in rows[0]]
    return (
        all(names[1:])
        and len(set(names)) == len(names)
        and not any(is_number(name) or len(name) > _MAX_HEADING_CHARS for name in names)
    )


def _delimiter(original: str) -> str:
    """The delimiter that gives the first rows the same number of values, the most if several do; else the comma."""
    head = original[:_SAMPLE_CHARS]
    best, chosen = (-len(head), 0, 0), ","
    for delimiter in _DELIMITERS:
        sample = list(islice(_rows(head, delimiter), _SAMPLE_ROWS))
        widths = Counter(map(len, sample))
        width, rows = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        sloppy = sum(value.is_sloppy for row in sample for value in row)
        if width > 1 and (-sloppy, rows, width) > best:
            best, chosen = (-sloppy, rows, width), delimiter
    return chosen


def _rows(original: str, delimiter: str) -> Iterator[list[_Field]]:
    """The rows, each a list of values. Values in quotation marks may have delimiters and line breaks in them."""
    ends = re.compile(f"[{re.escape(delimiter)}\r\n]")
    at, end = 1 if original.startswith("\ufeff") else 0, len(original)
    row: list[_Field] = []
    while at < end:
        start = at
        value, at = _quoted(original, at) if original[at] == '"' else (_Field(), at)
        # Whatever follows the closing quotation mark belongs to the value as well: nothing is lost in a sloppy file.
        stop = found.start() if (found := ends.search(original, at)) else end
        if stop > at:
            value.is_sloppy = at > start
            value.runs.append((at, stop))
        row.append(value)
        at = stop
        if at < end and original[at] == delimiter:
            at += 1
            if at == end:
                row.append(_Field())
            continue
        at += 2 if original[at : at + 2] == "\r\n" else 1
        yield row
        row = []
    if row:
        yield row


def _quoted(original: str, start: int) -> tuple[_Field, int]:
    """A value in quotation marks, and where it ends; one that is not closed is read as it is written."""
    value, at = _Field(), start + 1
    while (mark := original.find('"', at)) >= 0:
        if original.startswith('""', mark):
            value.runs.append((at, mark + 1))
            at = mark + 2
            continue
        if mark > at:
            value.runs.append((at, mark))
        return value, mark + 1
    return _Field(), start
