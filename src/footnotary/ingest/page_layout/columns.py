"""Groups the words of a page into rows, and finds the gutter between two columns."""

from collections.abc import Sequence
from itertools import pairwise

from footnotary.ingest.page_layout.words import PageWord, mark_superscripts

_BIN_POINTS = 2.0  # points
_MIN_LINES = 4
_MIN_LETTERS_PER_LINE = 14  # the cells of a table have fewer


def group_into_rows(words: Sequence[PageWord]) -> list[list[PageWord]]:
    """Words grouped by line, lines from the top, words from the left."""
    rows: list[list[PageWord]] = []
    extents: list[tuple[float, float]] = []
    heights = sorted(word.at.top - word.at.bottom for word in words)
    usual = heights[len(heights) // 2] if heights else 0.0
    placed = [(_line_extent(word, usual), word) for word in words]
    for (bottom, top), word in sorted(placed, key=lambda each: (-sum(each[0]), each[1].at.left)):
        # A superscript comes before the letters it belongs to, so more than the last row is checked.
        for at in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            low, high = extents[at]
            if min(top, high) - max(bottom, low) >= 0.5 * min(top - bottom, high - low):
                rows[at].append(word)
                if len(rows[at]) < 4 and top - bottom <= 1.8 * (high - low):
                    extents[at] = (min(low, bottom), max(high, top))
                break
        else:
            rows.append([word])
            extents.append((bottom, top))
    return [mark_superscripts(sorted(row, key=lambda word: word.at.left)) for row in rows]


def _line_extent(word: PageWord, usual: float) -> tuple[float, float]:
    """The vertical extent of a word's line: a drop cap several lines high belongs to the first of them."""
    bottom, top = word.at.bottom, word.at.top
    is_initial = top - bottom > 1.8 * usual and len(word.text) == 1 and word.text.isupper()
    return (top - usual, top) if is_initial else (bottom, top)


def center_x(word: PageWord) -> float:
    """The horizontal centre of a word."""
    return (word.at.left + word.at.right) / 2


def find_gutter(words: Sequence[PageWord], *, wrapped_only: bool = False) -> tuple[float, float] | None:
    """The gutter between two columns of running text; None if there is none.

    Of columns with few lines, and with `wrapped_only` of all, a sentence must run from one line into the next: cells of
    a table would look the same.
    """
    if len(words) < 8:
        return None
    left, right = min(word.at.left for word in words), max(word.at.right for word in words)
    bins = int((right - left) / _BIN_POINTS) + 1
    if bins < 20 or bins > 20_000:
        return None
    covered = [0.0] * (bins + 1)
    for word in words:
        start, end = int((word.at.left - left) / _BIN_POINTS), int((word.at.right - left) / _BIN_POINTS)
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
            inner, outer = _widest_empty_run(covered, start, at, 0.06 * peak)
            strip = (left + inner * _BIN_POINTS, left + outer * _BIN_POINTS)
            width = strip[1] - strip[0]
            crossed = sum(covered[inner:outer]) / max(outer - inner, 1) / max(peak, 1.0)
            least = max(0.45 * size, 4.0) if crossed < 0.02 else max(0.75 * size, 6.0)
            if width >= least and inner > 0 and outer < bins:
                score = min(width, 30.0) * (1 - crossed)
                if (best is None or score > best[0]) and _separates_running_text(
                    words, strip, wrapped_only=wrapped_only
                ):
                    best = (score, strip)
            start = None
    return best[1] if best else None


def _widest_empty_run(covered: Sequence[float], start: int, end: int, slack: float) -> tuple[int, int]:
    """The widest run within a strip that is about as empty as its emptiest point: ragged lines blur the edges."""
    least = min(covered[start:end]) + slack
    best, begun = (start, start), None
    for at in range(start, end + 1):
        if at < end and covered[at] <= least:
            begun = at if begun is None else begun
        elif begun is not None:
            best = max(best, (begun, at), key=lambda run: run[1] - run[0])
            begun = None
    return best


def _separates_running_text(words: Sequence[PageWord], strip: tuple[float, float], *, wrapped_only: bool) -> bool:
    """Whether there is running text on both sides: lines that fill their column, not table cells."""
    adjacent = [word for row, crosses in rows_across_gutter(words, strip) if not crosses for word in row]
    middle = sum(strip) / 2
    for side in ([w for w in adjacent if center_x(w) < middle], [w for w in adjacent if center_x(w) >= middle]):
        rows = group_into_rows(side)
        is_wrapped = any(below[0].text[0].islower() for below in rows[1:])
        if not is_wrapped and (wrapped_only or len(rows) < _MIN_LINES):
            return False
        # Blanks of a justified line may be as wide as the gutter, and further columns may hide on one side.
        if not any(_is_running_text(rows, gap) for gap in (0.8 * (strip[1] - strip[0]), 1.6 * rows[0][0].size)):
            return False
    return True


def _is_running_text(rows: Sequence[Sequence[PageWord]], gap: float) -> bool:
    runs = [run for row in rows for run in _split_at_gaps(row, gap)]
    widths = sorted(run[-1].at.right - run[0].at.left for run in runs)
    letters = sorted(sum(len(word.text) for word in run) for run in runs)
    full = widths[int(0.9 * (len(widths) - 1))]
    return widths[len(widths) // 2] >= 0.6 * full and letters[len(letters) // 2] >= _MIN_LETTERS_PER_LINE


def _split_at_gaps(row: Sequence[PageWord], gap: float) -> list[list[PageWord]]:
    """A row split at blanks wider than `gap`: one side of a gutter may have more columns."""
    runs = [[row[0]]]
    for before, word in pairwise(row):
        if word.at.left - before.at.right > gap:
            runs.append([word])
        else:
            runs[-1].append(word)
    return runs


def rows_across_gutter(words: Sequence[PageWord], gutter: tuple[float, float]) -> list[tuple[list[PageWord], bool]]:
    """The rows of a region from the top, each with whether it crosses the gutter."""
    middle, width = sum(gutter) / 2, gutter[1] - gutter[0]
    result: list[tuple[list[PageWord], bool]] = []
    for row in group_into_rows(words):
        crosses = any(word.at.left < middle < word.at.right for word in row)
        if not crosses:
            before = [word.at.right for word in row if center_x(word) < middle]
            after = [word.at.left for word in row if center_x(word) >= middle]
            crosses = bool(before and after) and min(after) - max(before) < 0.6 * width
        result.append((list(row), crosses))
    return result
