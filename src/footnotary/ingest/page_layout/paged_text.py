"""Builds one cleaned text from the words of pages, with provenance: page, character and box."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from footnotary.domain.document import OffsetMap, Segment
from footnotary.domain.identity import Span
from footnotary.domain.layout import Layout, Page, PlacedWord, layout_of
from footnotary.ingest.offset_builder import OffsetTrackingBuilder
from footnotary.ingest.page_layout.margin_notes import insert_marginal_notes, split_off_marginal_notes
from footnotary.ingest.page_layout.packed_words import PackedLines
from footnotary.ingest.page_layout.paragraphs import TextFlow, join_into_flows, split_off_footnotes
from footnotary.ingest.page_layout.reading_order import TextLine
from footnotary.ingest.page_layout.ruled_tables import lines_with_tables
from footnotary.ingest.page_layout.running_headers import find_headers_footers, repeated_sideways_words
from footnotary.ingest.page_layout.words import ExtractedPage, PageWord
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.outline import NOTES_HEADING

_HEADER_PAGES = 10  # pages
_MAX_CACHED_PAGES = 8

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_ITEM = re.compile(r"(?:[-•*–‣◦▪●]|[0-9]{1,2}[.)])\s")
_INDENT_POINTS = 6.0  # points; items of one list differ by less
_LETTERS_AT_END = re.compile(r"[^\W\d_]+$")
_LETTERS_AT_START = re.compile(r"[^\W\d_]+")


def compose_paged_text(pages: Sequence[ExtractedPage]) -> ParsedFile:
    """The text of all pages in reading order, paragraph by paragraph; footnotes come last.

    Running headers, footers and page numbers are left out; the number printed on a page is kept as its label.
    """
    return _PagedTextComposer(pages).parsed()


class _PagedTextComposer:
    def __init__(self, pages: Sequence[ExtractedPage]) -> None:
        self._pages = pages
        self._starts = list(accumulate((len(page.text) + 1 for page in pages), initial=0))
        self._text = "\n".join(page.text for page in pages) + "\n"
        self._builder = OffsetTrackingBuilder(self._text, "latin-1")
        self._dropped: list[frozenset[str]] = []
        self._list: tuple[tuple[int, int], float] | None = None  # page and column of a list, and where it begins
        self._joined = {word.lower() for word in _WORD.findall(self._text)}

    def parsed(self) -> ParsedFile:
        headers_footers = find_headers_footers(self._pages)
        bodies: list[PackedLines] = []
        notes: list[PackedLines] = []
        stamps = repeated_sideways_words(self._pages)
        for page, removed_lines in zip(self._pages, headers_footers, strict=True):
            words, adjacent = split_off_marginal_notes(
                [word for word in page.words if word.char not in removed_lines.removed]
            )
            text, below, numbers = split_off_footnotes(lines_with_tables(words, page.rules))
            text = insert_marginal_notes(text, adjacent)
            sideways = [word for word in page.sideways if word.text not in stamps]
            bodies.append(PackedLines(page.text, [*text, *([TextLine(tuple(sideways), -1)] if sideways else [])]))
            notes.append(PackedLines(page.text, below))
            self._dropped.append(numbers)
        for flow in join_into_flows(bodies):
            self._write(flow)
        if any(map(len, notes)):
            self._dropped = [frozenset[str]() for _ in self._pages]  # footnotes keep their numbers
            self._builder.blank()
            self._builder.put(NOTES_HEADING)
            self._builder.end_line(level=1)
            for flow in join_into_flows(notes):
                self._write(flow)
        text, offsets, lines = self._builder.finish()
        labelled = [
            Page(page.page.width, page.page.height, page.page.rotation, removed_lines.label or page.page.label)
            for page, removed_lines in zip(self._pages, headers_footers, strict=True)
        ]
        segments = tuple(self._on_page(segment) for segment in offsets.segments)
        running_headers = dict.fromkeys(
            line for removed_lines in headers_footers[:_HEADER_PAGES] for line in removed_lines.left_out
        )
        return ParsedFile(
            text,
            OffsetMap(segments, ""),
            lines,
            layout=self._layout(segments, labelled),
            running_headers=tuple(line for line in running_headers if any(char.isalpha() for char in line)),
        )

    def _write(self, flow: TextFlow) -> None:
        if flow.starts_after_gap:
            self._builder.blank()
        self._builder.page = flow.lines[0][0]
        if flow.cells:
            for at, cell in enumerate(flow.cells):
                if at:
                    self._builder.put(" | ")
                for above, line in enumerate(cell):
                    if above:
                        self._break(cell[above - 1][-1], line[0])
                    self._line(flow.lines[0][0], line)
            self._builder.end_line(kind="table")
            return
        for at, (page, line) in enumerate(flow.lines):
            if at:
                self._break(flow.lines[at - 1][1].words[-1], line.words[0])
            self._line(page, line.words)
        self._builder.end_line(indent=self._indent(*flow.lines[0]))

    def _indent(self, page: int, line: TextLine) -> int | None:
        """How far a list item is indented, against the first item of its list in its column; None for other lines.

        Only bullets and numbers with a full stop: the clauses of an act are told by their marks, wherever they stand.
        """
        if not _ITEM.match(line.text):
            self._list = None
            return None
        if self._list is None or self._list[0] != (page, line.column):
            self._list = (page, line.column), line.left
        return round((line.left - self._list[1]) / _INDENT_POINTS)

    def _break(self, last: PageWord, first: PageWord) -> None:
        """Joins two lines of one paragraph: with a blank, with nothing, or with a genuine hyphen."""
        dashed = last.text[-1:] in "-‐" and len(last.text) > 1 and last.text[-2].isalnum()
        if not (last.hyphen or dashed):
            if not (last.text[-1:] == "–" and last.text[-2:-1].isalnum() and first.text[:1].isalnum()):
                self._builder.put(" ")
            return
        if last.hyphen and not self._joins(last, first):
            self._builder.put("-")

    def _joins(self, last: PageWord, first: PageWord) -> bool:
        """Whether a word was hyphenated at the line end: the hyphen goes unless the document uses it elsewhere."""
        before, after = _LETTERS_AT_END.search(last.text.rstrip("-‐")), _LETTERS_AT_START.match(first.text)
        if before is None or after is None or not after[0][0].islower():
            return False
        head, tail = before[0].lower(), after[0].lower()
        return head + tail in self._joined or f"{head}-{tail}" not in self._joined

    def _line(self, page: int, words: Sequence[PageWord]) -> None:
        """Writes the words of one line, copied in runs that are contiguous in the page's text."""
        start = end = -1
        base = self._starts[page - 1]
        before: PageWord | None = None
        for word in words:
            note = word.raised and word.text in self._dropped[page - 1]
            after_figure = before is not None and before.text[-1:].isdigit()
            if note and not after_figure:
                continue
            glued = before is None or self._has_no_blank_between(page, before, word)
            if word.raised and word.text.isdigit() and glued and before is not None:
                if start >= 0:
                    self._builder.copy(base + start, base + end)
                    start = -1
                if not note:
                    self._builder.put(word.text.translate(_SUPERSCRIPT))
                before = word
                continue
            if start >= 0 and not glued and word.char == end + 1 and self._text[base + end] == " ":
                end = word.end
            else:
                if start >= 0:
                    self._builder.copy(base + start, base + end)
                if before is not None and not glued:
                    self._builder.put(" ")
                start, end = word.char, word.end
            before = word
        if start >= 0:
            self._builder.copy(base + start, base + end)

    def _has_no_blank_between(self, page: int, before: PageWord, word: PageWord) -> bool:
        """Whether two neighbouring words have no blank between them."""
        gap = word.at.left - before.at.right
        between = self._pages[page - 1].text[before.end : word.char] if before.end <= word.char else "\n"
        if between == "":
            return True
        if "\n" not in between and len(between) <= 3:
            return False
        return gap < 0.12 * max(before.size, word.size)

    def _on_page(self, segment: Segment) -> Segment:
        page = bisect_right(self._starts, segment.char)
        return Segment(segment.start, segment.length, segment.char - self._starts[page - 1], 0, page)

    def _layout(self, segments: Sequence[Segment], pages: Sequence[Page]) -> Layout:
        return layout_of(self._placed(segments), pages)

    def _placed(self, segments: Sequence[Segment]) -> Iterator[PlacedWord]:
        held: dict[int, tuple[list[int], list[PageWord]]] = {}
        for segment in segments:
            page = segment.page or 0
            if page not in held:
                held = {} if len(held) > _MAX_CACHED_PAGES else held
                words = sorted(
                    (*self._pages[page - 1].words, *self._pages[page - 1].sideways), key=lambda word: word.char
                )
                held[page] = ([word.char for word in words], words)
            starts, words = held[page]
            at = max(bisect_right(starts, segment.char) - 1, 0)
            while at < len(words) and words[at].char < segment.char + segment.length:
                word = words[at]
                begin, end = max(word.char, segment.char), min(word.end, segment.char + segment.length)
                if begin < end:
                    offset = segment.start - segment.char
                    yield PlacedWord(Span(begin + offset, end + offset), page, word.box, word.confidence)
                at += 1
