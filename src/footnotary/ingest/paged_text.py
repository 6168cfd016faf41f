"""Builds one cleaned text from the words of pages, with provenance: page, character and box."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from footnotary.domain.document import OffsetMap, Segment
from footnotary.domain.identity import Span
from footnotary.domain.layout import Layout, Page, PlacedWord, layout_of
from footnotary.ingest.clean import Weaver
from footnotary.ingest.outline import NOTES
from footnotary.ingest.packed_words import PackedLines
from footnotary.ingest.page_furniture import repeated_aside, without_furniture
from footnotary.ingest.page_lines import TextLine
from footnotary.ingest.page_margin import with_margin, without_margin
from footnotary.ingest.page_paragraphs import Flow, flows, notes_of
from footnotary.ingest.page_tables import tabled_lines
from footnotary.ingest.page_words import PageWords, Word
from footnotary.ingest.parsed import Parsed

_HEADS_OF = 10  # pages
_PAGES_HELD = 8

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LETTERS_AT_END = re.compile(r"[^\W\d_]+$")
_LETTERS_AT_START = re.compile(r"[^\W\d_]+")


def paged_text(pages: Sequence[PageWords]) -> Parsed:
    """The text of all pages in reading order, paragraph by paragraph; footnotes come last.

    Running headers, footers and page numbers are left out; the number printed on a page is kept as its label.
    """
    return _Composer(pages).parsed()


class _Composer:
    def __init__(self, pages: Sequence[PageWords]) -> None:
        self._pages = pages
        self._starts = list(accumulate((len(page.text) + 1 for page in pages), initial=0))
        self._text = "\n".join(page.text for page in pages) + "\n"
        self._weaver = Weaver(self._text, "latin-1")
        self._dropped: list[frozenset[str]] = []
        self._joined = {word.lower() for word in _WORD.findall(self._text)}

    def parsed(self) -> Parsed:
        furnished = without_furniture(self._pages)
        bodies: list[PackedLines] = []
        notes: list[PackedLines] = []
        stamps = repeated_aside(self._pages)
        for page, removed_lines in zip(self._pages, furnished, strict=True):
            words, beside = without_margin([word for word in page.words if word.char not in removed_lines.removed])
            text, below, numbers = notes_of(tabled_lines(words, page.rules))
            text = with_margin(text, beside)
            sideways = [word for word in page.sideways if word.text not in stamps]
            bodies.append(PackedLines(page.text, [*text, *([TextLine(tuple(sideways), -1)] if sideways else [])]))
            notes.append(PackedLines(page.text, below))
            self._dropped.append(numbers)
        for flow in flows(bodies):
            self._write(flow)
        if any(map(len, notes)):
            self._dropped = [frozenset[str]() for _ in self._pages]  # footnotes keep their numbers
            self._weaver.blank()
            self._weaver.put(NOTES)
            self._weaver.end_line(level=1)
            for flow in flows(notes):
                self._write(flow)
        text, offsets, lines = self._weaver.finish()
        labelled = [
            Page(page.page.width, page.page.height, page.page.rotation, removed_lines.label or page.page.label)
            for page, removed_lines in zip(self._pages, furnished, strict=True)
        ]
        segments = tuple(self._on_page(segment) for segment in offsets.segments)
        running_headers = dict.fromkeys(
            line for removed_lines in furnished[:_HEADS_OF] for line in removed_lines.left_out
        )
        return Parsed(
            text,
            OffsetMap(segments, ""),
            lines,
            layout=self._layout(segments, labelled),
            running_headers=tuple(line for line in running_headers if any(char.isalpha() for char in line)),
        )

    def _write(self, flow: Flow) -> None:
        if flow.after_gap:
            self._weaver.blank()
        self._weaver.page = flow.lines[0][0]
        if flow.cells:
            for at, cell in enumerate(flow.cells):
                if at:
                    self._weaver.put(" | ")
                for above, line in enumerate(cell):
                    if above:
                        self._break(cell[above - 1][-1], line[0])
                    self._line(flow.lines[0][0], line)
            self._weaver.end_line(kind="table")
            return
        for at, (page, line) in enumerate(flow.lines):
            if at:
                self._break(flow.lines[at - 1][1].words[-1], line.words[0])
            self._line(page, line.words)
        self._weaver.end_line()

    def _break(self, last: Word, first: Word) -> None:
        """Joins two lines of one paragraph: with a blank, with nothing, or with a genuine hyphen."""
        dashed = last.text[-1:] in "-‐" and len(last.text) > 1 and last.text[-2].isalnum()
        if not (last.hyphen or dashed):
            if not (last.text[-1:] == "–" and last.text[-2:-1].isalnum() and first.text[:1].isalnum()):
                self._weaver.put(" ")
            return
        if last.hyphen and not self._joins(last, first):
            self._weaver.put("-")

    def _joins(self, last: Word, first: Word) -> bool:
        """Whether a word was hyphenated at the line end: the hyphen goes unless the document uses it elsewhere."""
        before, after = _LETTERS_AT_END.search(last.text.rstrip("-‐")), _LETTERS_AT_START.match(first.text)
        if before is None or after is None or not after[0][0].islower():
            return False
        head, tail = before[0].lower(), after[0].lower()
        return head + tail in self._joined or f"{head}-{tail}" not in self._joined

    def _line(self, page: int, words: Sequence[Word]) -> None:
        """Writes the words of one line, copied in runs that are contiguous in the page's text."""
        start = end = -1
        base = self._starts[page - 1]
        before: Word | None = None
        for word in words:
            note = word.raised and word.text in self._dropped[page - 1]
            after_figure = before is not None and before.text[-1:].isdigit()
            if note and not after_figure:
                continue
            glued = before is None or self._glued(page, before, word)
            if word.raised and word.text.isdigit() and glued and before is not None:
                if start >= 0:
                    self._weaver.copy(base + start, base + end)
                    start = -1
                if not note:
                    self._weaver.put(word.text.translate(_SUPERSCRIPT))
                before = word
                continue
            if start >= 0 and not glued and word.char == end + 1 and self._text[base + end] == " ":
                end = word.end
            else:
                if start >= 0:
                    self._weaver.copy(base + start, base + end)
                if before is not None and not glued:
                    self._weaver.put(" ")
                start, end = word.char, word.end
            before = word
        if start >= 0:
            self._weaver.copy(base + start, base + end)

    def _glued(self, page: int, before: Word, word: Word) -> bool:
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
        held: dict[int, tuple[list[int], list[Word]]] = {}
        for segment in segments:
            page = segment.page or 0
            if page not in held:
                held = {} if len(held) > _PAGES_HELD else held
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
