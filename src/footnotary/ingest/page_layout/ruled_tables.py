"""Tables with drawn rules: assigns words to cells, and cells to rows."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from footnotary.domain.layout import Box
from footnotary.ingest.page_layout.columns import group_into_rows
from footnotary.ingest.page_layout.reading_order import CellLines, TextLine, lines_in_reading_order
from footnotary.ingest.page_layout.words import PageWord

_TOLERANCE_POINTS = 3.0  # points: lines this close are one line, and lines that almost meet cross
_MIN_RULE_POINTS = 6.0
_MAX_RULES = 30_000
_MAX_JOINED_RULES = 800  # a page with more is a drawing
_MAX_CELL_LINES = 8  # lines in most cells: more is a column of text between rules
_PLACEHOLDER = "\0"


def lines_with_tables(words: Sequence[PageWord], rules: Iterable[Box]) -> list[TextLine]:
    """All words of an upright page as lines in reading order, each row of a ruled table as one line."""
    rows = find_ruled_rows(words, rules)
    if not rows:
        return lines_in_reading_order(words)
    # Each row is represented by one long word while columns and reading order are found.
    stand_ins = {
        -1 - at: PageWord(
            _PLACEHOLDER * sum(len(w.text) for w in row.words), -1 - at, row.box, row.box, row.words[0].size
        )
        for at, row in enumerate(rows)
    }
    taken = {word.char for row in rows for word in row.words}
    free = [word for word in words if word.char not in taken]
    lines: list[TextLine] = []
    for line in lines_in_reading_order([*free, *stand_ins.values()]):
        adjacent: list[PageWord] = []
        for word in line.words:
            if word.char >= 0:
                adjacent.append(word)
            else:
                if adjacent:
                    lines.append(TextLine(tuple(adjacent), line.column))
                    adjacent = []
                row = rows[-1 - word.char]
                lines.append(TextLine(row.words, line.column, row.cells))
        if adjacent:
            lines.append(TextLine(tuple(adjacent), line.column))
    return lines


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: its cells from left to right, and its box on the page."""

    cells: tuple[CellLines, ...]
    box: Box

    @property
    def words(self) -> tuple[PageWord, ...]:
        return tuple(word for cell in self.cells for line in cell for word in line)


def find_ruled_rows(words: Sequence[PageWord], rules: Iterable[Box]) -> list[TableRow]:
    """The rows of all ruled tables; none where rules frame columns of text, pictures or single boxes."""
    return [row for grid in find_grids(rules) for row in _grid_rows(grid, words)]


@dataclass(frozen=True, slots=True)
class RuleGrid:
    """Connected rules. `heights` are the y of horizontal rules, from the top, `edges` the x of vertical ones."""

    across: tuple[Box, ...]
    upright: tuple[Box, ...]
    heights: tuple[float, ...]
    edges: tuple[float, ...]

    def cells(self, words: Iterable[PageWord]) -> dict[tuple[int, int], list[PageWord]]:
        """The words by row and column of the cell that contains their centre.

        Cells without a rule between them are merged, with the row and column of the first.
        """
        adjacent = [
            [rule for rule in self.upright if abs(_center_x(rule) - edge) <= _TOLERANCE_POINTS] for edge in self.edges
        ]
        above = [
            [rule for rule in self.across if abs(_center_y(rule) - height) <= _TOLERANCE_POINTS]
            for height in self.heights
        ]
        held: dict[tuple[int, int], list[PageWord]] = {}
        for word in words:
            x, y = (word.at.left + word.at.right) / 2, (word.at.bottom + word.at.top) / 2
            row = bisect_right(self.heights, -y, key=lambda height: -height) - 1
            column = bisect_right(self.edges, x) - 1
            if not (0 <= row < len(self.heights) - 1 and 0 <= column < len(self.edges) - 1):
                continue
            while column and not any(rule.bottom <= y <= rule.top for rule in adjacent[column]):
                column -= 1
            while row and not any(rule.left <= x <= rule.right for rule in above[row]):
                row -= 1
            held.setdefault((row, column), []).append(word)
        return held


def find_grids(rules: Iterable[Box]) -> list[RuleGrid]:
    """Grids of crossing rules with at least two rows and two columns."""
    rules = list(rules)
    if len(rules) > _MAX_RULES:
        return []
    across = _join_collinear(
        [rule for rule in rules if rule.right - rule.left > rule.top - rule.bottom], _center_y, _horizontal_extent
    )
    upright = _join_collinear(
        [rule for rule in rules if rule.right - rule.left <= rule.top - rule.bottom], _center_x, _vertical_extent
    )
    if len(across) + len(upright) > _MAX_JOINED_RULES:
        return []
    found: list[RuleGrid] = []
    for part_across, part_upright in _connected_rules(across, upright):
        lines = (*part_across, *part_upright)
        heights = _distinct_positions(
            [*map(_center_y, part_across), min(b.bottom for b in lines), max(b.top for b in lines)]
        )
        edges = _distinct_positions(
            [*map(_center_x, part_upright), min(b.left for b in lines), max(b.right for b in lines)]
        )
        if len(heights) > 2 and len(edges) > 2:
            found.append(RuleGrid(tuple(part_across), tuple(part_upright), tuple(heights[::-1]), tuple(edges)))
    return found


def _center_x(rule: Box) -> float:
    return (rule.left + rule.right) / 2


def _center_y(rule: Box) -> float:
    return (rule.bottom + rule.top) / 2


def _horizontal_extent(rule: Box) -> tuple[float, float]:
    return rule.left, rule.right


def _vertical_extent(rule: Box) -> tuple[float, float]:
    return rule.bottom, rule.top


def _join_collinear(
    rules: Sequence[Box], place: Callable[[Box], float], reach: Callable[[Box], tuple[float, float]]
) -> list[Box]:
    """Collinear pieces joined into rules; those too short are dropped."""
    ordered = sorted(rules, key=lambda rule: (round(place(rule) / _TOLERANCE_POINTS), reach(rule)))
    joined: list[Box] = []
    for rule in ordered:
        last = joined[-1] if joined else None
        if (
            last
            and abs(place(rule) - place(last)) <= _TOLERANCE_POINTS
            and reach(rule)[0] - reach(last)[1] <= _TOLERANCE_POINTS
        ):
            joined[-1] = last.joined(rule)
        else:
            joined.append(rule)
    return [rule for rule in joined if reach(rule)[1] - reach(rule)[0] >= _MIN_RULE_POINTS]


def _distinct_positions(places: Iterable[float]) -> list[float]:
    kept: list[float] = []
    for place in sorted(places):
        if not kept or place - kept[-1] > _TOLERANCE_POINTS:
            kept.append(place)
    return kept


def _connected_rules(across: Sequence[Box], upright: Sequence[Box]) -> Iterator[tuple[list[Box], list[Box]]]:
    """Connected sets of rules: each crosses or touches another of its set."""
    touching: list[list[int]] = [
        [
            at
            for at, line in enumerate(upright)
            if line.bottom - _TOLERANCE_POINTS <= _center_y(rule) <= line.top + _TOLERANCE_POINTS
            and rule.left - _TOLERANCE_POINTS <= _center_x(line) <= rule.right + _TOLERANCE_POINTS
        ]
        for rule in across
    ]
    meets: list[list[int]] = [[] for _ in upright]
    for number, found in enumerate(touching):
        for at in found:
            meets[at].append(number)
    seen: set[int] = set()
    for first in range(len(across)):
        if first in seen or not touching[first]:
            continue
        seen.add(first)
        todo, here, adjacent = [first], [first], set[int]()
        while todo:
            for at in touching[todo.pop()]:
                if at not in adjacent:
                    adjacent.add(at)
                    fresh = [number for number in meets[at] if number not in seen]
                    seen.update(fresh)
                    todo.extend(fresh)
                    here.extend(fresh)
        yield [across[number] for number in here], [upright[at] for at in adjacent]


def _grid_rows(grid: RuleGrid, words: Sequence[PageWord]) -> list[TableRow]:
    cells = {place: tuple(tuple(row) for row in group_into_rows(inside)) for place, inside in grid.cells(words).items()}
    lines = sorted(len(cell) for cell in cells.values())
    columns = {column for _, column in cells}
    bands = sorted({row for row, _ in cells})
    if len(columns) < 2 or len(bands) < 2 or lines[len(lines) // 2] > _MAX_CELL_LINES:
        return []
    rows: list[TableRow] = []
    for band in bands:
        places = [place for place in sorted(cells) if place[0] == band]
        starts = _row_starts([(cells[place], grid.edges[place[1] + 1]) for place in places])
        for row in _split_rows([cells[place] for place in places], starts):
            box = row[0][0][0].at
            for word in (word for cell in row for line in cell for word in line):
                box = box.joined(word.at)
            rows.append(TableRow(row, box))
    return rows


def _row_starts(cells: Sequence[tuple[CellLines, float]]) -> list[float]:
    """The heights at which rows begin between two rules, if rules surround only the table head and body.

    In that case most cells with several lines have lines at the same heights, and none of those lines is wrapped.
    """
    many = [(cell, edge) for cell, edge in cells if len(cell) > 1]
    feet = [[_line_bottom(line) for line in cell] for cell, edge in many if not _is_wrapped(cell, edge)]
    if len(many) < 2 or 2 * len(feet) <= len(many):
        return []
    half = 0.5 * many[0][0][0][0].size
    least = min(feet, key=len)
    agreed = all(any(abs(foot - other) < half for other in each) for foot in least for each in feet)
    return least if agreed and len(least) > 1 else []


def _line_bottom(line: Sequence[PageWord]) -> float:
    return line[0].at.bottom


def _is_wrapped(cell: CellLines, edge: float) -> bool:
    """Whether a cell has a wrapped line: the first word of the next line would not have fitted; digits never wrap."""
    for line, after in pairwise(cell):
        last = line[-1].text.strip(".")  # a line with dot leaders has ended
        room = edge - _TOLERANCE_POINTS - line[-1].at.right
        if last and not last[-1].isdecimal() and room < after[0].at.right - after[0].at.left:
            return True
    return False


def _split_rows(cells: Sequence[CellLines], starts: Sequence[float]) -> Iterator[tuple[CellLines, ...]]:
    """The rows that begin at these heights; a line in between continues the row above it."""
    if not starts:
        yield tuple(cells)
        return
    rows: list[list[list[tuple[PageWord, ...]]]] = [[[] for _ in cells] for _ in starts]
    for at, cell in enumerate(cells):
        for line in cell:
            height = -_line_bottom(line) + 0.5 * line[0].size
            row = max(bisect_right(starts, height, key=lambda start: -start) - 1, 0)
            # A single line in its column belongs to all rows, and is written with the first.
            rows[0 if len(cell) == 1 else row][at].append(line)
    for row in rows:
        if any(row):
            yield tuple(tuple(lines) for lines in row if lines)
