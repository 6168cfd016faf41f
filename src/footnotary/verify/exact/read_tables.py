"""Tables in the text of a passage: the names of their rows and columns, and the figures in each cell.

A table is read that has a heading row, or whose rows say the heading of each value ("Region: North | Sales: 10").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, groupby

from footnotary.text.tokens import terms_of

_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:[-–]\d{2,4})?")
_RULE = re.compile(r"[\s|:+=-]+")
_LABELLED_CELL = re.compile(r"((?:[^|:]|:(?=\S)){1,120}): (\S.*)")
_UNIT_NOTE = re.compile(r"\([^()|]*\)")
SCALE_NAMES = "thousand|lakh|million|crore|billion|trillion"
# "(in millions)", "(₹ crore)"; where something is excepted, it is not certain which figures are meant.
_SCALE_NOTE = re.compile(rf"\((?![^()]*\bexcept)[^()]{{0,60}}?\b({SCALE_NAMES})s?\b[^()]{{0,60}}\)", re.I)
_FEWEST, _MOST_ROWS = 2, 300


@dataclass(frozen=True, slots=True)
class ReadTable:
    """The cells of a table below its headings, and the words that name its columns and rows.

    A column without a name has that of the one before, and so has a row: a cell over both leaves its place there.
    `row_names` and `column_names` are as written; `rows` and `columns` are their content words, stemmed. `scale` is
    what its figures are counted in, "million", where every row says so; else it is empty.
    """

    column_names: tuple[str, ...]
    row_names: tuple[str, ...]
    numbers: tuple[tuple[frozenset[str], ...], ...]
    scale: str = ""

    @property
    def columns(self) -> tuple[frozenset[str], ...]:
        return tuple(map(terms_of, self.column_names))

    @property
    def rows(self) -> tuple[frozenset[str], ...]:
        return tuple(map(terms_of, self.row_names))


def numbers_in(text: str) -> list[str]:
    """The figures of a text without their grouping: "1,204" is "1204"."""
    return [found.group().replace(",", "").rstrip(".") for found in _NUMBER.finditer(text)]


def tables_in(whole: str) -> tuple[ReadTable, ...]:
    """The tables of a text in order."""
    return _read_tables(whole) if "|" in whole else ()


@lru_cache(maxsize=64)
def _read_tables(whole: str) -> tuple[ReadTable, ...]:
    lines = [line.strip() for line in whole.split("\n") if line.strip() and not _RULE.fullmatch(line)]
    found: list[ReadTable] = []
    for has_cells, group in groupby(lines, key=lambda line: "|" in line):
        if has_cells:
            rows = list(group)
            found += (replace(table, scale=_scale(rows, len(table.rows))) for table in _read(_cells(rows)))
    return tuple(found)


def _scale(lines: Sequence[str], rows: int) -> str:
    notes = [found[1].lower() for line in lines if (found := _SCALE_NOTE.search(line))]
    return notes[0] if len(set(notes)) == 1 and len(notes) >= rows else ""


def _cells(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each row. Where every row begins with a bar, the bars stand around the table as in Markdown; where
    only some do, the first cell of those is empty. A unit behind the last bar is no cell."""
    if all(line.startswith("|") for line in lines):
        lines = [line[1:].removesuffix("|") for line in lines]
    rows = [[cell.strip() for cell in line.split("|")] for line in lines]
    width = len(rows[0])
    return [row[:-1] if len(row) == width + 1 and _UNIT_NOTE.fullmatch(row[-1]) else row for row in rows]


def _read(lines: Sequence[list[str]]) -> Iterator[ReadTable]:
    for width, group in groupby(lines, key=len):
        rows = list(group)[:_MOST_ROWS]
        if width < _FEWEST:
            continue
        if (labelled := _read_labelled(rows)) is not None:
            yield labelled
        elif len(rows) >= _FEWEST and _names_columns(rows[0]):
            yield _table(list(accumulate(rows[0][1:], _named)), rows[1:])


def _read_labelled(rows: Sequence[list[str]]) -> ReadTable | None:
    """The table of the rows whose values come with the heading of their column, where all agree on the headings."""
    labelled = [row for row in rows if any(row[1:]) and all(_LABELLED_CELL.fullmatch(c) for c in row[1:] if c)]
    if not labelled:
        return None
    names: list[str] = []
    for cells in zip(*labelled, strict=True):
        headings = {found[1] for cell in cells if (found := _LABELLED_CELL.fullmatch(cell))}
        if names and len(headings) > 1:
            return None
        names.append(headings.pop() if len(headings) == 1 else "")
    bare = [
        [cell.removeprefix(f"{name}: ") if name else cell for cell, name in zip(row, names, strict=True)]
        for row in labelled
    ]
    return _table(names[1:], bare)


def _table(columns: Sequence[str], rows: Sequence[list[str]]) -> ReadTable:
    return ReadTable(
        tuple(columns),
        tuple(accumulate((row[0] for row in rows), _named)),
        tuple(tuple(frozenset(numbers_in(cell)) for cell in row[1:]) for row in rows),
    )


def _named(before: str, cell: str) -> str:
    return cell or before


def _names_columns(row: Sequence[str]) -> bool:
    return all(_YEAR.fullmatch(cell) for cell in row[1:]) or not any(numbers_in(cell) for cell in row)
