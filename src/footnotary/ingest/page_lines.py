"""The lines of a page in reading order: columns one after the other, full-width lines between them in their place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from footnotary.ingest.page_words import Word, marked_raised

_BIN = 2.0  # points
_MOST_COLUMNS_DEEP = 8
_MOST_CUTS = 4
_LEAST_WORDS = 40
_LETTERS_IN_A_LINE = 14  # the cells of a table have fewer


Cell = tuple[tuple[Word, ...], ...]  # of a table: its lines, each from left to right


@dataclass(frozen=True, slots=True)
class TextLine:
    """Words on one line from left to right; `column` counts the columns of the page, each with its own margins.

    A row of a table that is known to be one has `cells`, which hold its words.
    """

    words: tuple[Word, ...]
    column: int
    cells: tuple[Cell, ...] = ()

    @property
    def left(self) -> float:
        return self.words[0].at.left

    @property
    def right(self) -> float:
        return max(word.at.right for word in self.words)

    @property
    def foot(self) -> float:
        """Where most of its letters stand; fonts differ in how far below they reach."""
        feet = sorted(word.at.bottom for word in self.words)
        return feet[len(feet) // 2]

    @property
    def size(self) -> float:
        """The height of most of its letters."""
        heights = sorted((word.size, len(word.text)) for word in self.words)
        half, seen = sum(count for _, count in heights) / 2, 0
        for size, count in heights:
            seen += count
            if seen >= half:
                return size
        return heights[-1][0]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class _Order:
    lines: list[TextLine] = field(default_factory=list[TextLine])
    columns: int = 0

    def read(self, words: Sequence[Word], depth: int = 0) -> None:
        """Puts the lines of a region in order, cutting it at a gutter as long as there is one."""
        if not words:
            return
        rows = rows_of(words)
        gutter = _gutter(words, rows) if depth < _MOST_COLUMNS_DEEP else None
        if gutter is None and depth < _MOST_COLUMNS_DEEP and (parts := _storeys(words)):
            for part in parts:
                self.read(part, depth + 1)
            return
        if gutter is None:
            self.lines.extend(TextLine(tuple(row), self.columns) for row in rows)
            self.columns += 1
            return
        waiting: list[Word] = []
        for row, crosses in _bands(words, gutter):
            if crosses:
                heading = _heading_of(row, waiting, gutter)
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

    def _columns(self, words: Sequence[Word], gutter: tuple[float, float], depth: int) -> None:
        middle = sum(gutter) / 2
        self.read([word for word in words if _centre(word) < middle], depth + 1)
        self.read([word for word in words if _centre(word) >= middle], depth + 1)


def _heading_of(row: Sequence[Word], above: Sequence[Word], gutter: tuple[float, float]) -> list[Word]:
    """The short line that heads text across both columns: it stands alone below them, nearer to that text."""
    rows = rows_of(above)[-2:]
    if len(rows) < 2:
        return []
    before, last = rows
    beside = gutter[0] - min(word.at.left for word in above)
    gap, distance = min(w.at.bottom for w in before) - last[0].at.top, last[0].at.bottom - max(w.at.top for w in row)
    width = last[-1].at.right - last[0].at.left
    is_heading = last[-1].at.right <= gutter[0] + 1 and width < 0.7 * beside and gap > max(1.5 * distance, 0.0)
    return list(last) if is_heading else []


def lines_in_order(words: Sequence[Word]) -> list[TextLine]:
    """All words of an upright page, as lines in the order they are read."""
    order = _Order()
    order.read(words)
    return order.lines


def rows_of(words: Sequence[Word]) -> list[list[Word]]:
    """Words that stand on one line, lines from the top, words from the left."""
    rows: list[list[Word]] = []
    bands: list[tuple[float, float]] = []
    heights = sorted(word.at.top - word.at.bottom for word in words)
    usual = heights[len(heights) // 2] if heights else 0.0
    placed = [(_band(word, usual), word) for word in words]
    for (bottom, top), word in sorted(placed, key=lambda each: (-sum(each[0]), each[1].at.left)):
        # A raised figure is met before the letters it stands over, so more than the last row is looked at.
        for at in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            low, high = bands[at]
            if min(top, high) - max(bottom, low) >= 0.5 * min(top - bottom, high - low):
                rows[at].append(word)
                if len(rows[at]) < 4 and top - bottom <= 1.8 * (high - low):
                    bands[at] = (min(low, bottom), max(high, top))
                break
        else:
            rows.append([word])
            bands.append((bottom, top))
    return [marked_raised(sorted(row, key=lambda word: word.at.left)) for row in rows]


def _band(word: Word, usual: float) -> tuple[float, float]:
    """From where to where a word's line reaches: an initial as high as several lines belongs to the first of them."""
    bottom, top = word.at.bottom, word.at.top
    is_initial = top - bottom > 1.8 * usual and len(word.text) == 1 and word.text.isupper()
    return (top - usual, top) if is_initial else (bottom, top)


def _storeys(words: Sequence[Word]) -> tuple[list[Word], list[Word]] | None:
    """A region cut in two across its whole width, where that brings columns to light: articles on one page."""
    ordered = sorted(words, key=lambda word: -word.at.top)
    size = sorted(word.size for word in words)[len(words) // 2]
    gaps: list[tuple[float, int]] = []
    low = ordered[0].at.bottom
    for at, word in enumerate(ordered):
        if low - word.at.top > 0.8 * size:
            gaps.append((low - word.at.top, at))
        low = min(low, word.at.bottom)
    for _, at in sorted(gaps, reverse=True)[:_MOST_CUTS]:
        above, below = ordered[:at], ordered[at:]
        if any(_gutter(part, rows_of(part)) for part in (above, below) if len(part) > _LEAST_WORDS):
            return above, below
    return None


def _centre(word: Word) -> float:
    return (word.at.left + word.at.right) / 2


def _gutter(words: Sequence[Word], rows: Sequence[Sequence[Word]]) -> tuple[float, float] | None:
    """The white strip between two columns of running text; None where there is none."""
    if len(rows) < 4:
        return None
    left, right = min(word.at.left for word in words), max(word.at.right for word in words)
    bins = int((right - left) / _BIN) + 1
    if bins < 20 or bins > 20_000:
        return None
    covered = [0.0] * (bins + 1)
    for word in words:
        start, end = int((word.at.left - left) / _BIN), int((word.at.right - left) / _BIN)
        height = word.at.top - word.at.bottom
        covered[start] += height
        covered[min(end + 1, bins)] -= height
    for at in range(1, bins + 1):
        covered[at] += covered[at - 1]
    peak = sorted(covered)[int(0.9 * bins)]
    size = sorted(word.size for word in words)[len(words) // 2]
    best: tuple[float, tuple[float, float]] | None = None
    start = None
    for at in range(bins + 1):
        if at < bins and covered[at] <= 0.4 * peak:
            start = at if start is None else start
            continue
        if start is not None:
            inner, outer = _emptiest(covered, start, at, 0.06 * peak)
            strip = (left + inner * _BIN, left + outer * _BIN)
            width = strip[1] - strip[0]
            crossed = sum(covered[inner:outer]) / max(outer - inner, 1) / max(peak, 1.0)
            least = max(0.45 * size, 4.0) if crossed < 0.02 else max(0.75 * size, 6.0)
            if width >= least and inner > 0 and outer < bins:
                score = min(width, 30.0) * (1 - crossed)
                if (best is None or score > best[0]) and _divides(words, strip):
                    best = (score, strip)
            start = None
    return best[1] if best else None


def _emptiest(covered: Sequence[float], start: int, end: int, slack: float) -> tuple[int, int]:
    """The widest run within a strip that is as good as its emptiest place: ragged lines blur its edge."""
    least = min(covered[start:end]) + slack
    best, begun = (start, start), None
    for at in range(start, end + 1):
        if at < end and covered[at] <= least:
            begun = at if begun is None else begun
        elif begun is not None:
            best = max(best, (begun, at), key=lambda run: run[1] - run[0])
            begun = None
    return best


def _divides(words: Sequence[Word], strip: tuple[float, float]) -> bool:
    """Whether running text stands on both sides: lines that fill their column, not the cells of a table."""
    beside = [word for row, crosses in _bands(words, strip) if not crosses for word in row]
    middle = sum(strip) / 2
    for side in ([w for w in beside if _centre(w) < middle], [w for w in beside if _centre(w) >= middle]):
        rows = rows_of(side)
        if len(rows) < 4:
            return False
        # Blanks of a justified line may be as wide as the gutter, and further columns may hide on one side.
        if not any(_is_running(rows, gap) for gap in (0.8 * (strip[1] - strip[0]), 1.6 * rows[0][0].size)):
            return False
    return True


def _is_running(rows: Sequence[Sequence[Word]], gap: float) -> bool:
    runs = [run for row in rows for run in _runs(row, gap)]
    widths = sorted(run[-1].at.right - run[0].at.left for run in runs)
    letters = sorted(sum(len(word.text) for word in run) for run in runs)
    full = widths[int(0.9 * (len(widths) - 1))]
    return widths[len(widths) // 2] >= 0.6 * full and letters[len(letters) // 2] >= _LETTERS_IN_A_LINE


def _runs(row: Sequence[Word], gap: float) -> list[list[Word]]:
    """A row cut at blanks wider than `gap`: on one side of a gutter there may be more columns."""
    runs = [[row[0]]]
    for before, word in pairwise(row):
        if word.at.left - before.at.right > gap:
            runs.append([word])
        else:
            runs[-1].append(word)
    return runs


def _bands(words: Sequence[Word], gutter: tuple[float, float]) -> list[tuple[list[Word], bool]]:
    """The rows of a region from the top, each with whether it runs across the gutter."""
    middle, width = sum(gutter) / 2, gutter[1] - gutter[0]
    result: list[tuple[list[Word], bool]] = []
    for row in rows_of(words):
        crosses = any(word.at.left < middle < word.at.right for word in row)
        if not crosses:
            before = [word.at.right for word in row if _centre(word) < middle]
            after = [word.at.left for word in row if _centre(word) >= middle]
            crosses = bool(before and after) and min(after) - max(before) < 0.6 * width
        result.append((list(row), crosses))
    return result
