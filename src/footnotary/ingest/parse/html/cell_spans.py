"""How many columns to skip before each table cell, because earlier cells in its row or above span them."""

import re
from collections.abc import Iterable

from footnotary.ingest.parse.html.scanner import HtmlToken

# The widest table a word processor makes; browsers allow more, and some pages write 999 for "all columns".
MAX_COLUMNS = 63
_SPAN = re.compile(r"\b(colspan|rowspan)\s*=\s*[\"']?\s*(\d{1,5})", re.I)
_TABLE_SECTION_TAGS = frozenset({"tbody", "thead", "tfoot"})


class _RowSpans:
    """The current row: its next column, and for how many more rows a cell above occupies each column."""

    def __init__(self) -> None:
        self.column = 0
        self.taken: dict[int, int] = {}
        self.opened: dict[int, int] = {}

    def next_row(self) -> None:
        self.taken = {at: rows - 1 for at, rows in self.taken.items() if rows > 1} | self.opened
        self.column, self.opened = 0, {}


def skipped_columns_by_cell(page: str, tokens: Iterable[HtmlToken]) -> dict[int, int]:
    """By cell offset, the number of columns between the previous cell, or the edge, and this one; zeros are omitted."""
    found: dict[int, int] = {}
    tables: list[tuple[_RowSpans, int]] = []
    table, left = _RowSpans(), 0  # `left`: further columns spanned by the previous cell
    for token in tokens:
        if token.name == "table":
            if token.kind == "open":
                tables.append((table, left))
                table, left = _RowSpans(), 0
            elif tables:
                table, left = tables.pop()
        elif token.name in _TABLE_SECTION_TAGS:
            table, left = _RowSpans(), 0  # no cell extends beyond its table section
        elif token.name == "tr" and token.kind == "open":
            table.next_row()
            left = 0
        elif token.name in ("td", "th") and token.kind == "open":
            passed = left
            while table.taken.get(table.column):
                table.column, passed = table.column + 1, passed + 1
            if passed:
                found[token.start] = min(passed, MAX_COLUMNS)
            said = {name.lower(): int(count) for name, count in _SPAN.findall(page[token.start : token.end][:1000])}
            columns = min(max(said.get("colspan", 1), 1), MAX_COLUMNS)
            rows = said.get("rowspan", 1)
            for at in range(table.column, min(table.column + columns, MAX_COLUMNS)):
                if rows > 1:
                    table.opened[at] = rows - 1
            table.column, left = table.column + columns, columns - 1
    return found
