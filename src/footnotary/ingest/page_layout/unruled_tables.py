"""Tables without drawn rules: rows with aligned cells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from footnotary.ingest.page_layout.reading_order import CellLines, TextLine
from footnotary.ingest.page_layout.words import PageWord
from footnotary.ingest.tables.heading_rows import is_number

_MIN_ROWS = 3
_EDGE_TOLERANCE_POINTS = 3.0  # points
_CENTRE_TOLERANCE = 0.12  # of the width below a group's heading

_CellWords = list[PageWord]


@dataclass(frozen=True, slots=True)
class UnruledTableRow:
    """A table row: its cells, and how many lines of the page it takes."""

    cells: tuple[CellLines, ...]
    lines: int = 1


def find_unruled_rows(lines: Sequence[TextLine]) -> Mapping[int, UnruledTableRow]:
    """Table rows by their first line: at least three consecutive rows with aligned cells.

    A line with an empty first column, as close as the lines of one cell, continues the row above it.
    """
    cut = [[] if line.cells else split_into_cells(line) for line in lines]
    found: dict[int, UnruledTableRow] = {}
    start = 0
    while start < len(lines):
        rows: list[tuple[int, list[list[_CellWords]], int]] = []
        at = start
        while at < len(lines):
            if rows and (places := _continued_columns(lines, at, cut[at], rows[-1][1])):
                for cell, place in zip(cut[at], places, strict=True):
                    rows[-1][1][place].append(cell)
                rows[-1] = (rows[-1][0], rows[-1][1], rows[-1][2] + 1)
            elif len(cut[at]) >= 2 and (not rows or _aligned(_last_cells(rows), cut[at])):
                rows.append((at, [[cell] for cell in cut[at]], 1))
            elif _is_heading_between_rows(lines, at, cut, rows):
                rows.append((at, [cut[at]], 1))
            else:
                break
            at += 1
        whole = [cells for _, cells, _ in rows if len(cells) > 1]
        if len(whole) >= _MIN_ROWS and not _is_list(whole):
            columns = _columns(whole)
            if (groups := _group_headings(lines, rows[0][0] - 1, cut, columns)) is not None:
                found[rows[0][0] - 1] = UnruledTableRow(groups)
            for first, held, count in rows:
                cells = _placed(held, columns)
                found[first] = UnruledTableRow(tuple(tuple(tuple(line) for line in cell) for cell in cells), count)
        start = max(at, start + 1)
    return found


def split_into_cells(line: TextLine) -> list[_CellWords]:
    """A line split at its wide blanks; uniform blanks belong to a justified or typewritten line."""
    blanks = [word.at.left - before.at.right for before, word in pairwise(line.words)]
    size = line.size
    wide = 1.1 * size
    if len(blanks) >= 3:
        ordered = sorted(blanks)
        low, usual, high = (ordered[int(share * (len(ordered) - 1))] for share in (0.2, 0.5, 0.8))
        if high <= max(2.0 * low, low + 0.4 * size) and usual < 1.6 * size:
            wide = max(wide, 2.2 * usual)
    cells = [[line.words[0]]]
    for blank, word in zip(blanks, line.words[1:], strict=True):
        if blank > wide:
            cells.append([word])
        else:
            cells[-1].append(word)
    return cells


def _last_cells(rows: Sequence[tuple[int, list[list[_CellWords]], int]]) -> list[_CellWords]:
    """The cells of the last row with several cells."""
    return next(([cell[0] for cell in cells] for _, cells, _ in reversed(rows) if len(cells) > 1), list[_CellWords]())


def _is_heading_between_rows(
    lines: Sequence[TextLine],
    at: int,
    cut: Sequence[list[_CellWords]],
    rows: Sequence[tuple[int, list[list[_CellWords]], int]],
) -> bool:
    """Whether a line without cells is between rows, as a heading of those below it."""
    if not rows or len(rows[-1][1]) < 2 or len(cut[at]) != 1 or at + 1 >= len(lines) or len(cut[at + 1]) < 2:
        return False
    near = all(0 < above.foot - line.foot < 2.4 * line.size for above, line in pairwise(lines[at - 1 : at + 2]))
    edges = _last_cells(rows)
    short = cut[at][0][-1].at.right - cut[at][0][0].at.left < 0.6 * (edges[-1][-1].at.right - edges[0][0].at.left)
    return near and short and lines[at].column == lines[at + 1].column and _aligned(edges, cut[at + 1])


def _continued_columns(
    lines: Sequence[TextLine], at: int, cells: Sequence[_CellWords], row: Sequence[Sequence[_CellWords]]
) -> list[int] | None:
    """The columns in which a line continues the row above it; None if it starts something else."""
    above, line = lines[at - 1], lines[at]
    if not cells or line.column != above.column or above.foot - line.foot > 1.35 * line.size:
        return None
    edges = [(cell[0][0].at.left, max(run[-1].at.right for run in cell)) for cell in row]
    places: list[int] = []
    for cell in cells:
        left, right = cell[0].at.left, cell[-1].at.right
        place = next(
            (
                number
                for number, (begins, ends) in enumerate(edges)
                if abs(left - begins) < _EDGE_TOLERANCE_POINTS
                or abs(left + right - begins - ends) < 2 * _EDGE_TOLERANCE_POINTS
            ),
            0,
        )
        reaches = place + 1 < len(edges) and right > edges[place + 1][0]
        if place == 0 or reaches or (places and place <= places[-1]):
            return None
        places.append(place)
    return places


def _is_list(rows: Sequence[list[list[_CellWords]]]) -> bool:
    """Whether the first cells are only the marks of a list; a short name before a number is a row of a table."""
    if not all(len(cells) == 2 and _is_list_mark(cells[0][0]) for cells in rows):
        return False
    return not all(is_number(" ".join(word.text for word in cells[1][0])) for cells in rows[1:])


def _columns(rows: Sequence[list[list[_CellWords]]]) -> list[list[_CellWords]]:
    """The cells of every column, from the rows that have all of them; none if fewer than three rows agree on that."""
    width = max(map(len, rows))
    full = [cells for cells in rows if len(cells) == width]
    return [[cells[at][0] for cells in full] for at in range(width)] if len(full) >= _MIN_ROWS else []


def _placed(cells: list[list[_CellWords]], columns: Sequence[Sequence[_CellWords]]) -> list[list[_CellWords]]:
    """The cells of a row, with an empty one for every column in which it has none, where all places are certain.

    "| 2021 | 2022" above "Revenue | 10 | 12", and a row that has a value for one year only.
    """
    if not 2 <= len(cells) < len(columns):
        return cells
    places: list[int] = []
    for cell in cells:
        fitting = [at for at, column in enumerate(columns) if any(_share_an_edge(cell[0], other) for other in column)]
        if len(fitting) != 1 or (places and fitting[0] <= places[-1]):
            return cells
        places += fitting
    placed: list[list[_CellWords]] = [[] for _ in columns]
    for at, cell in zip(places, cells, strict=True):
        placed[at] = cell
    return placed


def _group_headings(
    lines: Sequence[TextLine], at: int, cut: Sequence[list[_CellWords]], columns: Sequence[Sequence[_CellWords]]
) -> tuple[CellLines, ...] | None:
    """The line above a table as its first heading row, if every cell of it is centred over columns of its own.

    "Revenue" over "2021 | 2022" and "Profit" over "2021 | 2022": all columns but the first are below one of them.
    """
    if at < 0 or not columns or not cut[at] or lines[at].column != lines[at + 1].column:
        return None
    if not 0 < lines[at].foot - lines[at + 1].foot < 2.4 * lines[at].size:
        return None
    edges = [(min(c[0].at.left for c in column), max(c[-1].at.right for c in column)) for column in columns[1:]]
    middles = [(cell[0].at.left + cell[-1].at.right) / 2 for cell in cut[at]]
    owners = [
        min(range(len(middles)), key=lambda n, x=(left + right) / 2: abs(middles[n] - x)) for left, right in edges
    ]
    placed: list[CellLines] = [() for _ in columns]
    for number, cell in enumerate(cut[at]):
        own = [place for place, owner in enumerate(owners) if owner == number]
        if len(own) < 2:
            return None
        left, right = edges[own[0]][0], edges[own[-1]][1]
        is_centred = abs(middles[number] - (left + right) / 2) < max(_CENTRE_TOLERANCE * (right - left), 1.0)
        if not is_centred or cell[0].at.left < left - lines[at].size or cell[-1].at.right > right + lines[at].size:
            return None
        placed[own[0] + 1] = (tuple(cell),)
    return tuple(placed)


def _is_list_mark(cell: Sequence[PageWord]) -> bool:
    return len(cell) <= 2 and len("".join(word.text for word in cell)) <= 8


def _aligned(above: Sequence[_CellWords], below: Sequence[_CellWords]) -> bool:
    """Whether at least two cells are aligned with cells of the row above, by left or right edge or centre."""
    return sum(any(_share_an_edge(cell, other) for other in above) for cell in below) >= 2


def _share_an_edge(cell: _CellWords, other: _CellWords) -> bool:
    """Whether two cells have their left or right edge or their centre in common."""
    begins, ends = cell[0].at.left - other[0].at.left, cell[-1].at.right - other[-1].at.right
    return (
        abs(begins) < _EDGE_TOLERANCE_POINTS
        or abs(ends) < _EDGE_TOLERANCE_POINTS
        or abs(begins + ends) < 2 * _EDGE_TOLERANCE_POINTS
    )
