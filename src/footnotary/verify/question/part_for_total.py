"""A question for a total, answered with a part: one segment's revenue is not the revenue of the company."""

import re
from collections.abc import Iterator, Sequence

from footnotary.domain.chunk import Chunk
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of
from footnotary.text.totals import is_called_total, says_total
from footnotary.verify.exact.read_tables import ReadTable, numbers_in, tables_in
from footnotary.verify.exact.table_cells import distinct

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def part_given_for_total(question: str, claims: Sequence[tuple[str, Sequence[Chunk]]]) -> tuple[str, int] | None:
    """What is wrong, and the number of the claim, if a total is asked for and tables are quoted only for parts of it.

    A cell of a table stands for what is asked if its row or column is called a total, or if the question names its row,
    and its column unless that is a year: it has all words of the name, or more of them than of any other. Figures that
    are not from a table are not compared, except that a sentence that gives one and names a total is taken for it.
    """
    if not says_total(question):
        return None
    asked = terms_of(question)
    part: tuple[str, int] | None = None
    for number, (text, chunks) in enumerate(claims):
        tables = [table for chunk in chunks for table in tables_in(chunk.text)]
        for unit in sentences(text):
            cells = list(_cells_of(unit, tables))
            if any(_stands_for_total(table, at, asked) for table, at in cells):
                return None
            if cells and part is None:
                table, (row, _) = cells[0]
                part = (f"a total is asked for, and the table is quoted for {table.row_names[row]!r} only", number)
            elif not cells and numbers_in(unit) and says_total(unit):
                return None
    return part


def _cells_of(unit: str, tables: Sequence[ReadTable]) -> Iterator[tuple[ReadTable, tuple[int, int]]]:
    """The cells that a sentence or a row has its figures from."""
    for table in tables:
        named = {figure for name in (*table.row_names, *table.column_names) for figure in numbers_in(name)}
        figures = frozenset(numbers_in(unit)) - named
        for r, row in enumerate(table.numbers):
            for c, cell in enumerate(row):
                if cell & figures:
                    yield table, (r, c)


def _stands_for_total(table: ReadTable, at: tuple[int, int], asked: frozenset[str]) -> bool:
    row, column = at
    if is_called_total(table.row_names[row]):
        return True
    if not _is_named(table.rows, row, asked):
        return False
    columns = distinct(table.columns)
    if len(columns) == 1 or is_called_total(table.column_names[column]):
        return True
    if any(label & asked for label in columns):
        return _is_named(columns, column, asked)
    return any(_YEAR.fullmatch(term) for term in columns[column])


def _is_named(labels: Sequence[frozenset[str]], at: int, asked: frozenset[str]) -> bool:
    """Whether the question has all words of a name, or more of them than of any other name in the table."""
    own = labels[at] & asked
    if not own:
        return False
    if own == labels[at]:
        return True
    return all(len(label & asked) < len(own) for label in labels if label != labels[at])
