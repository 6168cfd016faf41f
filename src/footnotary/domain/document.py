"""An ingested document: its source file, cleaned text, and offset map to the original."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal

from footnotary.domain.identity import Span
from footnotary.domain.later import LATER
from footnotary.domain.layout import Layout
from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity

BlockKind = Literal[
    "heading", "paragraph", "list", "table", "definition", "example", "theorem", "exercise", "explanation", "page"
]
DocumentKind = Literal["act", "regulation", "judgment", "textbook", "text"]

_start = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Source:
    """The original file: its path and the hash that proves it unchanged."""

    path: str
    media_type: str
    sha256: str
    title: str
    encoding: str = "utf-8"
    licence: str | None = None


@dataclass(frozen=True, slots=True)
class Labels:
    """The metadata of a passage that filters and citations use; unknown fields are None.

    `code` is the short name that ids start with ("IPC"), `act` the name people use for the
    act, regulation or book ("Indian Penal Code, 1860"). `document_title` is what people call a plain document: its
    title, or its file name without extension.
    """

    kind: DocumentKind = "text"
    code: str | None = None
    act: str | None = None
    year: str | None = None
    chapter: str | None = None
    chapter_title: str | None = None
    section: str | None = None
    title: str | None = None
    court: str | None = None
    class_number: int | None = None
    subject: str | None = None
    language: str = "en"
    document_title: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of cleaned text that is in the original letter for letter.

    `start` is its position in the cleaned text, `char` and `byte` its position in the original. If the original has
    pages, `page` (from 1) is the page it is on, `char` counts the characters of that page's text as its parser numbers
    them, and `byte` is 0. If the original has named parts, such as the cells of a workbook or the slides of a
    presentation, `place` is the name of the part, `char` counts the characters of its text, and `byte` is 0.
    """

    start: int
    length: int
    char: int
    byte: int
    page: int | None = None
    place: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A position in the original file, in characters of the decoded file and in bytes of the stored one.

    On a page, `chars` counts within the page's text and there are no bytes; a continuation on later pages is in
    `onward`, one position for each further page. The same holds for named parts: `place` is "Sales!B4" or "slide 3".
    """

    chars: Span
    bytes: Span | None
    page: int | None = None
    onward: tuple["SourceLocation", ...] = ()
    place: str | None = field(default=None, metadata=LATER)


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Maps cleaned text to the original: segments in order, without overlap.

    Characters between segments were inserted by cleaning (a joining space, a paragraph break) and have no position in
    the original.
    """

    segments: tuple[Segment, ...]
    encoding: str = "utf-8"

    def cut(self, text: str, span: Span) -> "OffsetMap":
        """The offset map of `text[span]`, where `text` is the whole cleaned text this map describes."""
        segments: list[Segment] = []
        for s in self._touching(span):
            start, end = max(s.start, span.start), min(s.start + s.length, span.end)
            skipped = text[s.start : start]
            byte = 0 if s.page is not None or s.place is not None else s.byte + self._width(skipped)
            segments.append(Segment(start - span.start, end - start, s.char + len(skipped), byte, s.page, s.place))
        return OffsetMap(tuple(segments), self.encoding)

    def locate(self, text: str, span: Span) -> SourceLocation | None:
        """The position of `text[span]` in the original: from its first to its last located character."""
        cut = self.cut(text, span).segments
        if not cut:
            return None
        if cut[0].page is not None or cut[0].place is not None:
            return _locate_in_parts(cut)
        # A footnote may be elsewhere in the file than the paragraph it was placed after.
        first, last = min(cut, key=lambda s: s.char), max(cut, key=lambda s: s.char)
        tail = text[span.start + last.start : span.start + last.start + last.length]
        return SourceLocation(
            Span(first.char, last.char + last.length),
            Span(first.byte, last.byte + self._width(tail)),
        )

    def _touching(self, span: Span) -> list[Segment]:
        first = max(bisect_right(self.segments, span.start, key=_start) - 1, 0)
        after = bisect_left(self.segments, span.end, key=_start)
        return [s for s in self.segments[first:after] if s.start + s.length > span.start]

    def _width(self, text: str) -> int:
        return len(text.encode(self.encoding))


def _locate_in_parts(segments: tuple[Segment, ...]) -> SourceLocation:
    """From the first to the last character on each page or in each part: columns may be in any order in a page."""
    parts: dict[tuple[int | None, str | None], list[Segment]] = {}
    for segment in segments:
        parts.setdefault((segment.page, segment.place), []).append(segment)
    first, *onward = [
        SourceLocation(Span(min(s.char for s in held), max(s.char + s.length for s in held)), None, page, (), place)
        for (page, place), held in parts.items()
    ]
    return SourceLocation(first.chars, None, first.page, tuple(onward), first.place)


@dataclass(frozen=True, slots=True)
class Block:
    """A structural unit of a document, in document order; `span` points into the cleaned text.

    `labels` are those that apply at the block (the act's, narrowed by its chapter and section); `path` lists the
    headings above it, outermost first. A heading block includes its own title.
    """

    kind: BlockKind
    span: Span
    labels: Labels
    path: tuple[str, ...] = ()
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One source in cleaned form; `offsets` maps any span of `text` to the original file.

    `layout` has the positions of its words on the page, for originals with pages; `validity` says when it is in force
    and what it supersedes.
    """

    id: str
    source: Source
    text: str
    blocks: tuple[Block, ...]
    offsets: OffsetMap
    labels: Labels
    layout: Layout | None = None
    validity: Validity = UNKNOWN_VALIDITY
