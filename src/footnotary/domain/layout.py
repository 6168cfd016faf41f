"""The positions of a document's words on its pages, for highlighting citations."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from footnotary.domain.identity import Span


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page in PDF points, from the lower left corner, as the page is stored: before rotation."""

    left: float
    bottom: float
    right: float
    top: float

    def joined(self, other: "Box") -> "Box":
        """The smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.bottom, other.bottom),
            max(self.right, other.right),
            max(self.top, other.top),
        )


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its size in points, its rotation in degrees, and the number printed on it.

    `label` is the printed page number ("iv", "627"), None if there is none; pages are counted from 1.
    """

    width: float
    height: float
    rotation: int = 0
    label: str | None = None


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word of the cleaned text and its position; `confidence` (0..1) is the OCR engine's, None for digital text."""

    span: Span
    page: int
    box: Box
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """All words of a document in order of the cleaned text, in plain arrays: a thousand pages are a few megabytes.

    `numbers` holds start, length and page of each word, `corners` its box, `confidences` percent or -1.
    """

    pages: tuple[Page, ...] = ()
    numbers: "array[int]" = field(default_factory=lambda: array("I"))
    corners: "array[float]" = field(default_factory=lambda: array("f"))
    confidences: "array[int]" = field(default_factory=lambda: array("b"))

    def __len__(self) -> int:
        return len(self.confidences)

    def __getitem__(self, at: int) -> PlacedWord:
        start, length, page = self.numbers[3 * at : 3 * at + 3]
        percent = self.confidences[at]
        return PlacedWord(
            Span(start, start + length),
            page,
            Box(*self.corners[4 * at : 4 * at + 4]),
            None if percent < 0 else percent / 100,
        )

    def label(self, page: int) -> str | None:
        """The number printed on a page, counted from 1."""
        return self.pages[page - 1].label if 0 < page <= len(self.pages) else None

    def words(self, span: Span) -> Iterator[PlacedWord]:
        """The words that `span` of the cleaned text touches, in order."""
        at = max(bisect_right(range(len(self)), span.start, key=lambda i: self.numbers[3 * i]) - 1, 0)
        while at < len(self) and self.numbers[3 * at] < span.end:
            word = self[at]
            if word.span.end > span.start:
                yield word
            at += 1

    def boxes(self, span: Span) -> tuple[tuple[int, Box], ...]:
        """What to highlight for `span` of the cleaned text: pages and boxes in order, one box per printed line."""
        merged: list[tuple[int, Box]] = []
        turned = [page.rotation % 180 == 90 for page in self.pages]
        for word in self.words(span):
            if merged and merged[-1][0] == word.page and _is_same_line(merged[-1][1], word.box, turned[word.page - 1]):
                merged[-1] = (word.page, merged[-1][1].joined(word.box))
            else:
                merged.append((word.page, word.box))
        return tuple(merged)


def layout_of(words: Iterable[PlacedWord], pages: Iterable[Page]) -> Layout:
    """The layout of these words, which must be in order of the cleaned text."""
    layout = Layout(tuple(pages))
    for word in words:
        layout.numbers.extend((word.span.start, len(word.span), word.page))
        layout.corners.extend((word.box.left, word.box.bottom, word.box.right, word.box.top))
        layout.confidences.append(-1 if word.confidence is None else round(word.confidence * 100))
    return layout


def _is_same_line(line: Box, word: Box, is_turned: bool) -> bool:
    """Whether a word continues a line: at the same height, and no further away than a wide space."""
    low, high, near, far = (
        (max(line.left, word.left), min(line.right, word.right), (line.bottom, line.top), (word.bottom, word.top))
        if is_turned
        else (max(line.bottom, word.bottom), min(line.top, word.top), (line.left, line.right), (word.left, word.right))
    )
    height = (
        min(line.right - line.left, word.right - word.left)
        if is_turned
        else min(line.top - line.bottom, word.top - word.bottom)
    )
    gap = max(near[0], far[0]) - min(near[1], far[1])
    # A word below or above the line belongs to another one: on a skewed page their heights overlap.
    return high - low >= 0.4 * height and -0.5 * height <= gap <= 3 * max(height, 1.0)
