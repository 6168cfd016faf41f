"""Writes the heading of its column before each value of a table row: "Region: North | Sales: 10".

A row then says by itself what its figures are, in whichever passage it ends up. Headings are inserted: they have no
position in the original, and the values keep theirs. Only rows with as many cells as the heading row are changed.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from footnotary.domain.document import OffsetMap, Segment
from footnotary.domain.identity import Span
from footnotary.domain.layout import Layout
from footnotary.ingest.parsed_document import ParsedFile, ParsedLine
from footnotary.ingest.tables.heading_rows import column_names, is_unit_note, unit_note

_ROW_KINDS = ("table", "heading_row", "likely_heading_row")
_SEPARATOR = re.compile(r"(?:^|(?<=\s))\|(?=\s|$)")


@dataclass(frozen=True, slots=True)
class _Insertion:
    at: int
    text: str


def label_table_rows(parsed: ParsedFile) -> ParsedFile:
    """The same file with the rows of its tables labelled, where it is certain which rows are headings."""
    insertions: list[_Insertion] = []
    for above, table in _tables(parsed):
        insertions += _labels_of_table(parsed, above, table)
    return _with_insertions(parsed, insertions) if insertions else parsed


def _tables(parsed: ParsedFile) -> Iterator[tuple[ParsedLine | None, list[ParsedLine]]]:
    """Runs of table lines without a blank line between them, each with the line above it."""
    above: ParsedLine | None = None
    held: list[ParsedLine] = []
    for line in parsed.lines:
        if held and (line.kind not in _ROW_KINDS or line.after_blank):
            yield above, held
            above, held = held[-1], []
        if line.kind in _ROW_KINDS:
            held.append(line)
        else:
            above = line
    if held:
        yield above, held


def _labels_of_table(parsed: ParsedFile, above: ParsedLine | None, table: Sequence[ParsedLine]) -> list[_Insertion]:
    written = [line.span.of(parsed.text) for line in table]
    # Rows of Markdown have separators at both ends; elsewhere one at an end means that the cell there is empty.
    is_framed = all(row.startswith("|") and row.endswith("|") for row in written)
    rows = [_cells(parsed.text, line.span)[1 if is_framed else 0 : -1 if is_framed else None] for line in table]
    marked = next((at for at, line in enumerate(table) if line.kind != "heading_row"), 0)
    texts = [[cell.of(parsed.text) for cell in row] for row in rows]
    headings, names = column_names(texts, marked, looks_marked=table[0].kind == "likely_heading_row")
    if not headings:
        return []
    note = unit_note(texts[headings - 1][0]) if names[0] == "" or is_unit_note(names[0]) else None
    note = note or (unit_note(above.span.of(parsed.text)) if above else None)
    insertions: list[_Insertion] = []
    for line, row in zip(table[headings:], rows[headings:], strict=True):
        if len(row) != len(names) or sum(len(cell) > 0 for cell in row) < 2:
            continue
        insertions += [
            _Insertion(cell.start, f"{name}: ")
            for cell, name in zip(row, names, strict=True)
            if len(cell) and name and not is_unit_note(name)
        ]
        if note and note not in line.span.of(parsed.text):
            # Inside the frame of Markdown, so that the unit is no cell of its own.
            insertions.append(_Insertion(row[-1].end if is_framed else line.span.end, f" {note}"))
    return insertions


def _cells(text: str, line: Span) -> list[Span]:
    """The cells of a row, trimmed; a separator at an end has an empty cell next to it."""
    row = line.of(text)
    edges = [found.start() for found in _SEPARATOR.finditer(row)]
    starts = [0, *(edge + 1 for edge in edges)]
    ends = [*edges, len(row)]
    cells: list[Span] = []
    for start, end in zip(starts, ends, strict=True):
        body = row[start:end]
        left = len(body) - len(body.lstrip()) if body.strip() else 0
        cells.append(Span(line.start + start + left, line.start + start + max(left, len(body.rstrip()))))
    return cells


def _with_insertions(parsed: ParsedFile, insertions: Sequence[_Insertion]) -> ParsedFile:
    places = [insertion.at for insertion in insertions]
    added = [0, *accumulate(len(insertion.text) for insertion in insertions)]
    pieces: list[str] = []
    done = 0
    for insertion in insertions:
        pieces += (parsed.text[done : insertion.at], insertion.text)
        done = insertion.at
    pieces.append(parsed.text[done:])

    def before(at: int) -> int:  # where something inserted at `at` begins
        return at + added[bisect_left(places, at)]

    def after(at: int) -> int:  # where it ends
        return at + added[bisect_right(places, at)]

    segments: list[Segment] = []
    for segment in parsed.offsets.segments:
        end = segment.start + segment.length
        within = places[bisect_right(places, segment.start) : bisect_left(places, end)]
        for start, stop in zip((segment.start, *within), (*within, end), strict=True):
            skipped = parsed.text[segment.start : start]
            is_named = segment.page is not None or segment.place is not None
            width = 0 if is_named or not skipped else len(skipped.encode(parsed.offsets.encoding))
            segments.append(
                replace(
                    segment,
                    start=after(start),
                    length=stop - start,
                    char=segment.char + len(skipped),
                    byte=segment.byte + width,
                )
            )
    lines = tuple(replace(line, span=Span(before(line.span.start), after(line.span.end))) for line in parsed.lines)
    layout = parsed.layout and _shifted_layout(parsed.layout, after)
    return replace(
        parsed,
        text="".join(pieces),
        offsets=OffsetMap(tuple(segments), parsed.offsets.encoding),
        lines=lines,
        layout=layout,
    )


def _shifted_layout(layout: Layout, shift: Callable[[int], int]) -> Layout:
    numbers = array("I", layout.numbers)
    for at in range(0, len(numbers), 3):
        numbers[at] = shift(numbers[at])
    return replace(layout, numbers=numbers)
