"""XLSX workbooks: every visible sheet under its name, row by row, with the values that the cells show.

Formulas give the values that the program stored with them. A quote leads to the sheet and cell: `Sales!B4`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import groupby
from typing import Any

from footnotary.ingest.parse.office.number_format import displayed
from footnotary.ingest.parse.office.package import checked_parts, import_library, read_with_library
from footnotary.ingest.parse.placed_text import PlacedTextBuilder
from footnotary.ingest.parse.zip_archive import limit_error
from footnotary.ingest.parse_context import report_page_done
from footnotary.ingest.parsed_document import ParsedFile

_MAX_CELLS = 2_000_000
_PLAIN_SHEET_NAME = re.compile(r"[^\W\d]\w*")
# A formula without a stored value: the file was written by a program that computes nothing.
_FORMULA_WITHOUT_VALUE = re.compile(
    rb"<(?:\w+:)?f\b[^>]*?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<v></v>)?\s*</(?:\w+:)?c>"
)


@dataclass(frozen=True, slots=True)
class _Cell:
    row: int
    column: int
    text: str
    place: str
    is_text: bool = False
    is_bold: bool = False


def parse_xlsx(data: bytes, encoding: str) -> ParsedFile:  # noqa: ARG001 - the parts declare their own encoding
    """The visible sheets in order, each with its name as a heading; rows as lines of cells, tables apart.

    Raises `DocumentError` if the file is corrupt, unsafe or over a limit.
    """
    parts = checked_parts(data)
    openpyxl = import_library("openpyxl", "openpyxl", "XLSX")
    book: Any = read_with_library(
        lambda: openpyxl.load_workbook(BytesIO(data), data_only=True, keep_links=False), "workbook"
    )
    builder, left_out = PlacedTextBuilder(), list[str]()
    for number, sheet in enumerate(book.worksheets, start=1):
        if sheet.sheet_state != "visible":
            left_out.append(f"the hidden sheet {sheet.title!r}")
            continue
        hidden = _write_sheet(sheet, builder)
        if hidden:
            left_out.append(f"{hidden:,} cells in hidden rows or columns of sheet {sheet.title!r}")
        report_page_done(number, len(book.worksheets))
    if empty := sum(len(_FORMULA_WITHOUT_VALUE.findall(xml)) for name, xml in parts.items() if "/worksheets/" in name):
        left_out.append(
            f"{empty:,} formulas without a stored value; open it in a spreadsheet program and save it again"
        )
    text, offsets, lines = builder.finish()
    title = str(book.properties.title or "").strip() or None
    return ParsedFile(text, offsets, lines, title=title, left_out=tuple(left_out))


def _write_sheet(sheet: Any, builder: PlacedTextBuilder) -> int:
    """Writes one sheet; returns how many cells are hidden."""
    cells, hidden = _visible_cells(sheet)
    if not cells:
        return hidden
    builder.blank()
    builder.write(sheet.title, f"sheet {sheet.title}")
    builder.end_line(level=1)
    for block in _blocks(cells):
        builder.blank()
        rows = [list(row) for _, row in groupby(block, key=lambda cell: cell.row)]
        columns = sorted({cell.column for row in rows if len(row) > 1 for cell in row})
        first = next((at for at, row in enumerate(rows) if len(row) > 1), len(rows))
        body = first + _heading_rows(sheet, rows[first:], columns)
        for at, row in enumerate(rows):
            _write_row(row, columns if len(row) > 1 else [row[0].column], builder)
            builder.end_line(kind="paragraph" if at < first else "heading_row" if at < body else "table")
    return hidden


def _heading_rows(sheet: Any, rows: list[list[_Cell]], columns: list[int]) -> int:
    """How many rows at the top of a table are headings by the look of it; 0 leaves it to what the rows hold."""
    if len(rows) < 2 or len(columns) < 2:
        return 0
    bold = next((at for at, row in enumerate(rows[:3]) if not all(cell.is_bold for cell in row)), 0)
    if bold:
        return bold
    if (merged := _rows_of_merged_headings(sheet, rows)) > 1:
        return merged
    first = rows[0]
    if first[0].row in _declared_heading_rows(sheet):
        return 1
    names = [cell.text.strip().casefold() for cell in first]
    is_full = len(first) == len(columns) and all(cell.is_text for cell in first)
    # Two columns may be a form: "Company | Acme", "Year | 2022".
    return int(is_full and len(columns) > 2 and len(rows) > 2 and len(set(names)) == len(names))


def _rows_of_merged_headings(sheet: Any, rows: list[list[_Cell]]) -> int:
    """The rows that merged names at the top cover: "Article" over two rows, next to "Price" above "1-9" and "10+"."""
    top = rows[0][0].row
    merged = [held for held in sheet.merged_cells.ranges if held.min_row == top]
    if not any(held.max_col > held.min_col for held in merged):
        return 0
    covered = max(held.max_row for held in merged) - top + 1
    above = [row for row in rows if row[0].row < top + covered]
    is_text = all(cell.is_text for row in above for cell in row)
    return covered if 1 < covered <= min(len(rows) - 1, 3) and len(above) == covered and is_text else 0


def _declared_heading_rows(sheet: Any) -> set[int]:
    """The first rows of the sheet's tables and of its filter."""
    ranges = [table.ref for table in sheet.tables.values() if table.headerRowCount != 0] + [sheet.auto_filter.ref]
    return {int(found[1]) for ref in ranges if ref and (found := re.match(r"\$?[A-Z]{1,3}\$?(\d+)", ref))}


def _write_row(row: list[_Cell], columns: list[int], builder: PlacedTextBuilder) -> None:
    held = {cell.column: cell for cell in row}
    for at, column in enumerate(columns):
        if at:
            builder.put(" | ")
        if cell := held.get(column):
            builder.write(cell.text, cell.place)


def _visible_cells(sheet: Any) -> tuple[list[_Cell], int]:
    """The cells with text in order; a cell merged over several rows is repeated in each of them."""
    stored: dict[tuple[int, int], Any] = sheet._cells  # only those the file has: the sheet may claim a billion more
    if len(stored) > _MAX_CELLS:
        raise limit_error(f"sheet {sheet.title!r} has {len(stored):,} cells; the limit is {_MAX_CELLS:,}")
    repeated = {
        (merged.min_row, merged.min_col): range(merged.min_row + 1, min(merged.max_row, sheet.max_row) + 1)
        for merged in sheet.merged_cells.ranges
        if merged.min_row < merged.max_row
    }
    hidden_rows = {at for at, row in sheet.row_dimensions.items() if row.hidden}
    hidden_columns = set(_hidden_columns(sheet))
    name = sheet.title if _PLAIN_SHEET_NAME.fullmatch(sheet.title) else "'" + sheet.title.replace("'", "''") + "'"
    cells: list[_Cell] = []
    hidden = 0
    for (row, column), cell in stored.items():
        text = displayed(cell.value, cell.number_format) if cell.value is not None else ""
        if not text.strip():
            continue
        place = f"{name}!{cell.coordinate}"
        if row in hidden_rows or column in hidden_columns:
            hidden += 1
            continue
        cells.append(
            held := _Cell(row, column, text, place, isinstance(cell.value, str), bool(cell.font and cell.font.b))
        )
        if len(cells) + len(repeated.get((row, column), ())) > _MAX_CELLS:
            raise limit_error(f"sheet {sheet.title!r} has over {_MAX_CELLS:,} cells")
        cells += [replace(held, row=below) for below in repeated.get((row, column), ()) if below not in hidden_rows]
    return sorted(cells, key=lambda cell: (cell.row, cell.column)), hidden


def _hidden_columns(sheet: Any) -> Iterator[int]:
    for dimension in sheet.column_dimensions.values():
        if dimension.hidden:
            yield from range(dimension.min or 0, (dimension.max or 0) + 1)


def _blocks(cells: list[_Cell]) -> Iterator[list[_Cell]]:
    """Cells between empty rows: a title, a table, a note below it."""
    block: list[_Cell] = []
    for cell in cells:
        if block and cell.row > block[-1].row + 1:
            yield block
            block = []
        block.append(cell)
    if block:
        yield block
