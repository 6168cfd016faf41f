"""Whether a figure that a claim takes from a table stands in the row and the column that the claim names."""

from collections.abc import Sequence

from footnotary.text.tokens import content_terms
from footnotary.verify.exact.mismatch import Mismatch
from footnotary.verify.exact.read_tables import ReadTable, numbers_in, tables_in


def swapped_table_cell(claim: str, whole: str) -> Mismatch | None:
    """The first figure of the claim that the source's table gives for another row or column than the claim names."""
    tables = tables_in(whole)
    said = list(content_terms(claim)) if tables else []
    for table in tables:
        if found := _misplaced(claim, said, table):
            sentence = f'the table gives "{found}" for another row or column than the claim names'
            return Mismatch(found, sentence=sentence)
    return None


def _misplaced(claim: str, said: Sequence[str], table: ReadTable) -> str | None:
    labels = frozenset[str]().union(*table.rows, *table.columns)
    figures = [n for n in numbers_in(claim) if n not in labels]
    if not figures or not all(any(n in cell for row in table.numbers for cell in row) for n in figures):
        return None
    columns, rows = _in_order(said, distinct(table.columns), whole=False), _in_order(said, table.rows, whole=True)
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


def distinct(labels: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The labels without the words that all of them have: "Fiscal 2021" and "Fiscal 2022" differ in the year."""
    common = frozenset[str].intersection(*labels) if len(labels) > 1 else frozenset[str]()
    return [label - common for label in labels]
