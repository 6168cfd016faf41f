"""Words and lines of pages in compact arrays: a thousand pages take some tens of megabytes."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import overload

from footnotary.domain.layout import Box
from footnotary.ingest.page_layout.reading_order import TextLine
from footnotary.ingest.page_layout.words import PageWord

_HYPHEN_FLAG, _RAISED_FLAG = 1, 2


class PackedWords(Sequence[PageWord]):
    """Words at their offsets `char` in `text`, rebuilt on each access."""

    __slots__ = ("_corners", "_numbers", "_sizes", "_text")

    def __init__(self, text: str, words: Sequence[PageWord]) -> None:
        self._text = text
        self._numbers = array("i")  # char, length, flags, percent of confidence or -1
        self._sizes = array("f")
        self._corners = array("f")  # on the stored page, then on the upright page
        for word in words:
            percent = -1 if word.confidence is None else round(100 * word.confidence)
            flags = (_HYPHEN_FLAG if word.hyphen else 0) | (_RAISED_FLAG if word.raised else 0)
            self._numbers.extend((word.char, len(word.text), flags, percent))
            self._sizes.append(word.size)
            for box in (word.box, word.at):
                self._corners.extend((box.left, box.bottom, box.right, box.top))

    def __len__(self) -> int:
        return len(self._sizes)

    def __iter__(self) -> Iterator[PageWord]:
        numbers, corners = iter(self._numbers), iter(self._corners)
        return map(self._word, zip(*[numbers] * 4, strict=True), zip(*[corners] * 8, strict=True), self._sizes)

    @overload
    def __getitem__(self, index: int) -> PageWord: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[PageWord]: ...
    def __getitem__(self, index: int | slice) -> PageWord | Sequence[PageWord]:
        return list(self)[index]

    def _word(self, numbers: tuple[int, ...], corners: tuple[float, ...], size: float) -> PageWord:
        char, length, flags, percent = numbers
        box = Box(*corners[:4])
        return PageWord(
            self._text[char : char + length],
            char,
            box,
            box if corners[:4] == corners[4:] else Box(*corners[4:]),
            size,
            bool(flags & _RAISED_FLAG),
            bool(flags & _HYPHEN_FLAG),
            None if percent < 0 else percent / 100,
        )


class PackedLines:
    """Lines of a page, rebuilt on each iteration."""

    __slots__ = ("_shapes", "_words")

    def __init__(self, text: str, lines: Sequence[TextLine]) -> None:
        self._words = PackedWords(text, [word for line in lines for word in line.words])
        # For each line its column, and its number of words, or that of each line of each cell.
        self._shapes = [
            (line.column, tuple(tuple(map(len, cell)) for cell in line.cells) or len(line.words)) for line in lines
        ]

    def __len__(self) -> int:
        return len(self._shapes)

    def __iter__(self) -> Iterator[TextLine]:
        words = iter(self._words)
        for column, shape in self._shapes:
            if isinstance(shape, int):
                yield TextLine(tuple(islice(words, shape)), column)
            else:
                cells = tuple(tuple(tuple(islice(words, length)) for length in cell) for cell in shape)
                yield TextLine(tuple(word for cell in cells for line in cell for word in line), column, cells)
