"""Text whose parts have names in the original: cells of a workbook, slides, chapters, the body of a message."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from footnotary.domain.document import OffsetMap, Segment
from footnotary.ingest.offset_builder import OffsetTrackingBuilder
from footnotary.ingest.parsed_document import ParsedFile, ParsedLine

ENCODING = "utf-8"  # positions in named parts have no bytes; an offset map needs the name of an encoding all the same
_BREAK = re.compile(r"[\n\r\x0b\x0c\x85\u2028\u2029]")


class PlacedTextBuilder(OffsetTrackingBuilder):
    """Builds text from parts that a library has read; every run of it leads to the name of its part."""

    def __init__(self) -> None:
        super().__init__("", ENCODING)
        self._starts: list[int] = []
        self._parts: list[tuple[str, int]] = []
        self._size = 0

    def write(self, text: str, place: str, char: int = 0) -> None:
        """Adds characters of the part `place`, from its character `char` on; line breaks become blanks."""
        if text:
            self._starts.append(self._size)
            self._parts.append((place, char))
            self._pieces.append((_BREAK.sub(" ", text), self._size))
            self._size += len(text)

    def write_lines(self, text: str, place: str) -> None:
        """Adds a whole part, one line for each of its lines."""
        at = 0
        for line in _BREAK.split(text):
            self.write(line, place, at)
            self.end_line()
            at += len(line) + 1

    def finish(self) -> tuple[str, OffsetMap, tuple[ParsedLine, ...]]:
        text, offsets, lines = super().finish()
        return text, OffsetMap(tuple(map(self._placed, offsets.segments)), ENCODING), lines

    def _locate(self, text: str, at: int) -> None:
        self._segments.append(Segment(self._length, len(text), at, 0))

    def _placed(self, segment: Segment) -> Segment:
        part = bisect_right(self._starts, segment.char) - 1
        place, char = self._parts[part]
        return replace(segment, char=segment.char - self._starts[part] + char, place=place)


def join_parts(parts: Iterable[tuple[str, ParsedFile]], title: str | None = None) -> ParsedFile:
    """Several parsed parts as one file; a position counts the characters of the part that it names.

    Segments that already name a place keep it.
    """
    text, segments, lines = "", list[Segment](), list[ParsedLine]()
    texts: list[str] = []
    language, left_out = None, list[str]()
    length = 0
    for place, part in parts:
        if not part.lines:
            continue
        if texts:
            texts.append("\n\n")
            length += 2
        segments += [replace(s, start=s.start + length, byte=0, place=s.place or place) for s in part.offsets.segments]
        lines += [
            replace(line, span=line.span.shifted(length), after_blank=line.after_blank or at == 0)
            for at, line in enumerate(part.lines)
        ]
        texts.append(part.text)
        length += len(part.text)
        language = language or part.language
        left_out += part.left_out
    text = "".join(texts)
    return ParsedFile(
        text,
        OffsetMap(tuple(segments), ENCODING),
        tuple(lines),
        title=title,
        language=language,
        left_out=tuple(left_out),
    )
