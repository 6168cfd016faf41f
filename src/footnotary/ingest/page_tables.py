"""Tables with drawn rules: assigns words to cells, and cells to rows."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from footnotary.domain.layout import Box
from footnotary.ingest.page_columns import rows_of
from footnotary.ingest.page_lines import Cell, TextLine, lines_in_order
from footnotary.ingest.page_words import Word

_SAME = 3.0  # points: lines this close are one line, and lines that almost meet cross
_SHORTEST = 6.0
_MOST_RULES = 30_000
_MOST_LINES = 800  # a page with more is a drawing
_MOST_TEXT = 8  # lines in most cells: more is a column of text between rules
_STAND_IN = "\0"


def tabled_lines(words: Sequence[Word], rules: Iterable[Box]) -> list[TextLine]:
    """All words of an upright page as lines in reading order, each row of a ruled table as one line."""
    rows = ruled_rows(words, rules)
    if not rows:
        return lines_in_order(words)
    # Each row is represented by one long word while columns and reading order are found.
    stand_ins = {
        -1 - at: Word(_STAND_IN * sum(len(w.text) for w in row.words), -1 - at, row.box, row.box, row.words[0].size)
        for at, row in enumerate(rows)
    }
    taken = {word.char for row in rows for word in row.words}
    free = [word for word in words if word.char not in taken]
    lines: list[TextLine] = []
    for line in lines_in_order([*free, *stand_ins.values()]):
        beside: list[Word] = []
        for word in line.words:
            if word.char >= 0:
                beside.append(word)
            else:
                if beside:
                    lines.append(TextLine(tuple(beside), line.column))
                    beside = []
                row = rows[-1 - word.char]
                lines.append(TextLine(row.words, line.column, row.cells))
        if beside:
            lines.append(TextLine(tuple(beside), line.column))
    return lines


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table: its cells from left to right, and its box on the page."""

    cells: tuple[Cell, ...]
    box: Box

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(word for cell in self.cells for line in cell for word in line)


def ruled_rows(words: Sequence[Word], rules: Iterable[Box]) -> list[TableRow]:
    """The rows of all ruled tables; none where rules frame columns of text, pictures or single boxes."""
    return [row for grid in grids(rules) for row in _rows(grid, words)]


@dataclass(frozen=True, slots=True)
class Grid:
    """Connected rules. `heights` are the y of horizontal rules, from the top, `edges` the x of vertical ones."""

    across: tuple[Box, ...]
    upright: tuple[Box, ...]
    heights: tuple[float, ...]
    edges: tuple[float, ...]

    def cells(self, words: Iterable[Word]) -> dict[tuple[int, int], list[Word]]:
        """The words by row and column of the cell that contains their centre.

        Cells without a rule between them are merged, with the row and column of the first.
        """
        beside = [[rule for rule in self.upright if abs(_x(rule) - edge) <= _SAME] for edge in self.edges]
        above = [[rule for rule in self.across if abs(_y(rule) - height) <= _SAME] for height in self.heights]
        held: dict[tuple[int, int], list[Word]] = {}
        for word in words:
            x, y = (word.at.left + word.at.right) / 2, (word.at.bottom + word.at.top) / 2
            row = bisect_right(self.heights, -y, key=lambda height: -height) - 1
            column = bisect_right(self.edges, x) - 1
            if not (0 <= row < len(self.heights) - 1 and 0 <= column < len(self.edges) - 1):
                continue
            while column and not any(rule.bottom <= y <= rule.top for rule in beside[column]):
                column -= 1
            while row and not any(rule.left <= x <= rule.right for rule in above[row]):
                row -= 1
            held.setdefault((row, column), []).append(word)
        return held


def grids(rules: Iterable[Box]) -> list[Grid]:
    """Grids of crossing rules with at least two rows and two columns."""
    rules = list(rules)
    if len(rules) > _MOST_RULES:
        return []
    across = _joined([rule for rule in rules if rule.right - rule.left > rule.top - rule.bottom], _y, _lengthwise)
    upright = _joined([rule for rule in rules if rule.right - rule.left <= rule.top - rule.bottom], _x, _upwards)
    if len(across) + len(upright) > _MOST_LINES:
        return []
    found: list[Grid] = []
    for part_across, part_upright in _hanging_together(across, upright):
        lines = (*part_across, *part_upright)
        heights = _distinct([*map(_y, part_across), min(b.bottom for b in lines), max(b.top for b in lines)])
        edges = _distinct([*map(_x, part_upright), min(b.left for b in lines), max(b.right for b in lines)])
        if len(heights) > 2 and len(edges) > 2:
            found.append(Grid(tuple(part_across), tuple(part_upright), tuple(heights[::-1]), tuple(edges)))
    return found


def _x(rule: Box) -> float:
    return (rule.left + rule.right) / 2


def _y(rule: Box) -> float:
    return (rule.bottom + rule.top) / 2


def _lengthwise(rule: Box) -> tuple[float, float]:
    return rule.left, rule.right


def _upwards(rule: Box) -> tuple[float, float]:
    return rule.bottom, rule.top


def _joined(
    rules: Sequence[Box], place: Callable[[Box], float], reach: Callable[[Box], tuple[float, float]]
) -> list[Box]:
    """Collinear pieces joined into rules; those too short are dropped."""
    ordered = sorted(rules, key=lambda rule: (round(place(rule) / _SAME), reach(rule)))
    joined: list[Box] = []
    for rule in ordered:
        last = joined[-1] if joined else None
        if last and abs(place(rule) - place(last)) <= _SAME and reach(rule)[0] - reach(last)[1] <= _SAME:
            joined[-1] = last.joined(rule)
        else:
            joined.append(rule)
    return [rule for rule in joined if reach(rule)[1] - reach(rule)[0] >= _SHORTEST]


def _distinct(places: Iterable[float]) -> list[float]:
    kept: list[float] = []
    for place in sorted(places):
        if not kept or place - kept[-1] > _SAME:
            kept.append(place)
    return kept


def _hanging_together(across: Sequence[Box], upright: Sequence[Box]) -> Iterator[tuple[list[Box], list[Box]]]:
    """Connected sets of rules: each crosses or touches another of its set."""
    touching: list[list[int]] = [
        [
            at
            for at, line in enumerate(upright)
            if line.bottom - _SAME <= _y(rule) <= line.top + _SAME
            and rule.left - _SAME <= _x(line) <= rule.right + _SAME
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
        todo, here, beside = [first], [first], set[int]()
        while todo:
            for at in touching[todo.pop()]:
                if at not in beside:
                    beside.add(at)
                    fresh = [number for number in meets[at] if number not in seen]
                    seen.update(fresh)
                    todo.extend(fresh)
                    here.extend(fresh)
        yield [across[number] for number in here], [upright[at] for at in beside]


def _rows(grid: Grid, words: Sequence[Word]) -> list[TableRow]:
    cells = {place: tuple(tuple(row) for row in rows_of(inside)) for place, inside in grid.cells(words).items()}
    lines = sorted(len(cell) for cell in cells.values())
    columns = {column for _, column in cells}
    bands = sorted({row for row, _ in cells})
    if len(columns) < 2 or len(bands) < 2 or lines[len(lines) // 2] > _MOST_TEXT:
        return []
    rows: list[TableRow] = []
    for band in bands:
        places = [place for place in sorted(cells) if place[0] == band]
        starts = _starts([(cells[place], grid.edges[place[1] + 1]) for place in places])
        for row in _divided([cells[place] for place in places], starts):
            box = row[0][0][0].at
            for word in (word for cell in row for line in cell for word in line):
                box = box.joined(word.at)
            rows.append(TableRow(row, box))
    return rows


def _starts(cells: Sequence[tuple[Cell, float]]) -> list[float]:
    """The heights at which rows begin between two rules, if rules surround only the table head and body.

    In that case most cells with several lines have lines at the same heights, and none of those lines is wrapped.
    """
    many = [(cell, edge) for cell, edge in cells if len(cell) > 1]
    feet = [[_foot(line) for line in cell] for cell, edge in many if not _is_broken(cell, edge)]
    if len(many) < 2 or 2 * len(feet) <= len(many):
        return []
    half = 0.5 * many[0][0][0][0].size
    least = min(feet, key=len)
    agreed = all(any(abs(foot - other) < half for other in each) for foot in least for each in feet)
    return least if agreed and len(least) > 1 else []


def _foot(line: Sequence[Word]) -> float:
    return line[0].at.bottom


def _is_broken(cell: Cell, edge: float) -> bool:
    """Whether a cell has a wrapped line: the first word of the next line would not have fitted; digits never wrap."""
    for line, after in pairwise(cell):
        last = line[-1].text.strip(".")  # a line with dot leaders has ended
        room = edge - _SAME - line[-1].at.right
        if last and not last[-1].isdecimal() and room < after[0].at.right - after[0].at.left:
            return True
    return False


def _divided(cells: Sequence[Cell], starts: Sequence[float]) -> Iterator[tuple[Cell, ...]]:
    """The rows that begin at these heights; a line in between continues the row above it."""
    if not starts:
        yield tuple(cells)
        return
    rows: list[list[list[tuple[Word, ...]]]] = [[[] for _ in cells] for _ in starts]
    for at, cell in enumerate(cells):
        for line in cell:
            height = -_foot(line) + 0.5 * line[0].size
            row = max(bisect_right(starts, height, key=lambda start: -start) - 1, 0)
            # A single line in its column belongs to all rows, and is written with the first.
            rows[0 if len(cell) == 1 else row][at].append(line)
    for row in rows:
        if any(row):
            yield tuple(tuple(lines) for lines in row if lines)
