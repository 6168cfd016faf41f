"""The lines of a page in reading order: column by column, with full-width lines in between."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from footnotary.ingest.page_layout.columns import center_x, find_gutter, group_into_rows, rows_across_gutter
from footnotary.ingest.page_layout.words import PageWord

_MAX_DEPTH = 8
_MAX_SPLITS = 4
_MIN_WORDS = 40


CellLines = tuple[tuple[PageWord, ...], ...]  # of a table: its lines, each from left to right


@dataclass(frozen=True)  # without slots, so that properties can be cached
class TextLine:
    """Words on one line from left to right; `column` counts the columns of the page, each with its own margins.

    A detected table row has `cells`, which hold its words.
    """

    words: tuple[PageWord, ...]
    column: int
    cells: tuple[CellLines, ...] = ()

    @cached_property
    def left(self) -> float:
        return self.words[0].at.left

    @cached_property
    def right(self) -> float:
        return max(word.at.right for word in self.words)

    @cached_property
    def foot(self) -> float:
        """The median bottom of its words; fonts differ in how far descenders reach."""
        feet = sorted(word.at.bottom for word in self.words)
        return feet[len(feet) // 2]

    @cached_property
    def size(self) -> float:
        """The height of most of its letters."""
        heights = sorted((word.size, len(word.text)) for word in self.words)
        half, seen = sum(count for _, count in heights) / 2, 0
        for size, count in heights:
            seen += count
            if seen >= half:
                return size
        return heights[-1][0]

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class _ReadingOrder:
    lines: list[TextLine] = field(default_factory=list[TextLine])
    columns: int = 0

    def read(self, words: Sequence[PageWord], depth: int = 0) -> None:
        """Adds the lines of a region in reading order, splitting it recursively at gutters."""
        if not words:
            return
        gutter = find_gutter(words) if depth < _MAX_DEPTH else None
        if gutter is None and depth < _MAX_DEPTH and (parts := _split_horizontally(words)):
            for part in parts:
                self.read(part, depth + 1)
            return
        if gutter is None:
            self.lines.extend(TextLine(tuple(row), self.columns) for row in group_into_rows(words))
            self.columns += 1
            return
        waiting: list[PageWord] = []
        for row, crosses in rows_across_gutter(words, gutter):
            if crosses:
                heading = _full_width_heading(row, waiting, gutter)
                self._columns([word for word in waiting if word not in heading], gutter, depth)
                waiting = []
                if heading:
                    self.lines.append(TextLine(tuple(heading), self.columns))
                self.lines.append(TextLine(tuple(row), self.columns))
            else:
                if self.lines and not waiting:
                    self.columns += 1
                waiting.extend(row)
        self._columns(waiting, gutter, depth)

    def _columns(self, words: Sequence[PageWord], gutter: tuple[float, float], depth: int) -> None:
        middle = sum(gutter) / 2
        self.read([word for word in words if center_x(word) < middle], depth + 1)
        self.read([word for word in words if center_x(word) >= middle], depth + 1)


def _full_width_heading(
    row: Sequence[PageWord], above: Sequence[PageWord], gutter: tuple[float, float]
) -> list[PageWord]:
    """The short heading of a full-width text: alone below the columns, and nearer to that text."""
    rows = group_into_rows(above)[-2:]
    if len(rows) < 2:
        return []
    before, last = rows
    adjacent = gutter[0] - min(word.at.left for word in above)
    gap, distance = min(w.at.bottom for w in before) - last[0].at.top, last[0].at.bottom - max(w.at.top for w in row)
    width = last[-1].at.right - last[0].at.left
    is_heading = last[-1].at.right <= gutter[0] + 1 and width < 0.7 * adjacent and gap > max(1.5 * distance, 0.0)
    return list(last) if is_heading else []


def lines_in_reading_order(words: Sequence[PageWord]) -> list[TextLine]:
    """All words of an upright page as lines in reading order."""
    order = _ReadingOrder()
    order.read(words)
    return order.lines


def _split_horizontally(words: Sequence[PageWord]) -> tuple[list[PageWord], list[PageWord]] | None:
    """A region split horizontally in two, if that reveals columns: several articles on one page."""
    ordered = sorted(words, key=lambda word: -word.at.top)
    size = sorted(word.size for word in words)[len(words) // 2]
    gaps: list[tuple[float, int]] = []
    low = ordered[0].at.bottom
    for at, word in enumerate(ordered):
        if low - word.at.top > 0.8 * size:
            gaps.append((low - word.at.top, at))
        low = min(low, word.at.bottom)
    for _, at in sorted(gaps, reverse=True)[:_MAX_SPLITS]:
        above, below = ordered[:at], ordered[at:]
        if any(find_gutter(part, wrapped_only=len(part) <= _MIN_WORDS) for part in (above, below)):
            return above, below
    return None
