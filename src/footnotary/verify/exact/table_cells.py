"""Whether a figure that a claim takes from a table stands in the row and the column that the claim names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby

from footnotary.text.tokens import content_terms

_NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:[-–]\d{2,4})?")
_RULE = re.compile(r"[\s|:+=-]+")
_FEWEST, _MOST_ROWS = 2, 300


@dataclass(frozen=True, slots=True)
class _MarkdownTable:
    """The cells of a table below its first row, and the words that name its columns and rows.

    A column without a name has that of the one before, and so has a row: a cell over both leaves its place there.
    """

    columns: tuple[frozenset[str], ...]
    rows: tuple[frozenset[str], ...]
    numbers: tuple[tuple[frozenset[str], ...], ...]


def swapped_table_cell(claim: str, whole: str) -> str | None:
    """The first figure of the claim that the source's table gives for another row or column than the claim names."""
    if "|" not in whole:
        return None
    said = list(content_terms(claim))
    for table in _tables(whole):
        if found := _misplaced(claim, said, table):
            return f"the table gives {found} for another row or column than the claim names"
    return None


def _misplaced(claim: str, said: Sequence[str], table: _MarkdownTable) -> str | None:
    labels = frozenset[str]().union(*table.rows, *table.columns)
    figures = [n for n in _numbers(claim) if n not in labels]
    if not figures or not all(any(n in cell for row in table.numbers for cell in row) for n in figures):
        return None
    columns, rows = _in_order(said, table.columns, whole=False), _in_order(said, table.rows, whole=True)
    # What is named by part of its label may be another row: "small boat" where the claim says "boat".
    if len(rows) != len(_in_order(said, table.rows, whole=False)):
        rows = []
    if len(figures) > max(len(columns), len(rows)):
        columns = []
    for place, figure in enumerate(figures):
        wanted_columns = _own(columns, place, len(figures))
        wanted_rows = _own(rows, place, len(figures))
        cells = (
            cell
            for r, row in enumerate(table.numbers)
            for c, cell in enumerate(row)
            if (not wanted_rows or r in wanted_rows) and (not wanted_columns or c in wanted_columns)
        )
        if not any(figure in cell for cell in cells):
            return figure
    return None


def _own(named: Sequence[int], place: int, count: int) -> Sequence[int]:
    """Each figure has its own, in order, where as many are named as there are figures; else any of them will do."""
    return (named[place],) if len(named) == count else named


def _in_order(said: Sequence[str], labels: Sequence[frozenset[str]], *, whole: bool) -> list[int]:
    """The places of the labels that the claim names, in the order in which it does."""
    terms = frozenset(said)
    named = [n for n, label in enumerate(labels) if label and (label <= terms if whole else label & terms)]
    return sorted(named, key=lambda n: min(said.index(term) for term in labels[n] & terms))


def _numbers(text: str) -> list[str]:
    return [found.group().replace(",", "").rstrip(".") for found in _NUMBER.finditer(text)]


@lru_cache(maxsize=64)
def _tables(whole: str) -> tuple[_MarkdownTable, ...]:
    lines = [line.strip() for line in whole.split("\n") if line.strip() and not _RULE.fullmatch(line)]
    found: list[_MarkdownTable] = []
    for has_cells, group in groupby(lines, key=lambda line: "|" in line):
        if has_cells:
            found += _read(_cells(list(group)))
    return tuple(found)


def _cells(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each row. Where every row begins with a bar, the bars stand around the table as in Markdown; where
    only some do, the first cell of those is empty."""
    if all(line.startswith("|") for line in lines):
        lines = [line[1:].removesuffix("|") for line in lines]
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def _read(lines: Sequence[list[str]]) -> Iterator[_MarkdownTable]:
    for width, group in groupby(lines, key=len):
        rows = list(group)[:_MOST_ROWS]
        if width < _FEWEST or len(rows) < _FEWEST or not _names_columns(rows[0]):
            continue
        names = [frozenset(content_terms(cell)) for cell in accumulate(rows[0][1:], _named)]
        yield _MarkdownTable(
            tuple(names),
            tuple(frozenset(content_terms(label)) for label in accumulate((row[0] for row in rows[1:]), _named)),
            tuple(tuple(frozenset(_numbers(cell)) for cell in row[1:]) for row in rows[1:]),
        )


def _named(before: str, cell: str) -> str:
    return cell or before


def _names_columns(row: Sequence[str]) -> bool:
    return all(_YEAR.fullmatch(cell) for cell in row[1:]) or not any(_numbers(cell) for cell in row)
