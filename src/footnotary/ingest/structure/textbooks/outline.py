"""The structure of textbooks: chapters, numbered sections, and definitions, examples, theorems and exercises."""

from collections.abc import Iterator
from dataclasses import replace

from footnotary.domain.document import Block, BlockKind, Labels
from footnotary.domain.identity import Span
from footnotary.ingest.parsed_document import ParsedFile, ParsedLine
from footnotary.ingest.structure.id_names import camel_case_id_part
from footnotary.ingest.structure.outline import NOTES_HEADING, Outline, Unit, block_from_lines, line_text, word_count
from footnotary.ingest.structure.textbooks.headings import (
    find_chapter_number,
    find_starts_within_line,
    parse_chapter_heading,
    parse_chapter_title,
    parse_section_heading,
    parse_typed_heading,
)

_FRONT_LINES = 12  # lines
_CLOSING_HEADINGS = ("what you have learnt", "summary", "points to remember", "आपने क्या सीखा", "सारांश")


def build_textbook_outline(parsed: ParsedFile, labels: Labels, code: str) -> Outline:
    """One unit per heading with text below it; the units of one numbered section share its place."""
    return _TextbookOutlineBuilder(parsed, labels, code).outline()


def count_typed_blocks(parsed: ParsedFile) -> int:
    """How many lines start a definition, example, theorem or exercise."""
    return sum(1 for line in parsed.lines if parse_typed_heading(line_text(parsed, line), line.level is not None))


def _lines(parsed: ParsedFile) -> Iterator[ParsedLine]:
    """The lines, split where a further block begins within one."""
    for line in parsed.lines:
        starts = (
            [line.span.start + at for at in find_starts_within_line(line_text(parsed, line))]
            if line.level is None
            else []
        )
        edges = [line.span.start, *starts, line.span.end]
        for at, start in enumerate(edges[:-1]):
            end = edges[at + 1]
            end -= len(parsed.text[start:end]) - len(parsed.text[start:end].rstrip())
            yield replace(line, span=Span(start, end), after_blank=line.after_blank and not at)


class _TextbookOutlineBuilder:
    def __init__(self, parsed: ParsedFile, labels: Labels, code: str) -> None:
        self._parsed, self._code = parsed, code
        self._lines = tuple(_lines(parsed)) if parsed.layout else parsed.lines
        # In paged files, headings are recognised by their numbers alone; sections belong to one chapter, in order.
        self._single_chapter = (
            find_chapter_number([line_text(parsed, line) for line in self._lines]) if parsed.layout else None
        )
        self._last: tuple[int, ...] = ()
        self._chapter = replace(labels, section=None, title=None)
        self._labels = self._chapter
        self._chapter_path: tuple[str, ...] = ()
        self._section_path: tuple[str, ...] = ()
        self._path: tuple[str, ...] = ()
        self._place = labels.chapter or "text"
        self._section_level = 2
        self._kind: BlockKind = "paragraph"
        self._held: list[ParsedLine] = []
        self._has_body = False
        self._units: list[Unit] = []
        self._headings: list[Block] = []

    def outline(self) -> Outline:
        for place, line in enumerate(self._lines):
            text = line_text(self._parsed, line)
            marked = line.level is not None
            may_head = marked or (line.after_blank and word_count(text) <= 12)
            if may_head and (chapter := parse_chapter_heading(text)) and not self._mentions_other_chapter(chapter[0]):
                self._begin_chapter(line, text, *chapter)
            elif self._single_chapter and not self._chapter_path and (title := self._front_title(place, text)):
                self._begin_chapter(line, f"Chapter {self._single_chapter}: {title}", self._single_chapter, title)
            elif self._titles_chapter(line, text):
                self._set_chapter_title(line, text)
            elif (section := parse_section_heading(text)) and self._opens(*section, text, may_head, marked):
                self._begin_section(line, " ".join(section) if self._parsed.layout else text, *section)
            elif typed := parse_typed_heading(text, marked):
                self._begin_block(line, text, *typed, marked)
            elif self._stands_alone(line, text):
                self._begin_section(line, text, camel_case_id_part(text), text)
            elif marked:
                self._begin_block(line, text, "paragraph", text, True)
            else:
                self._held.append(line)
                self._has_body = True
        self._close()
        return Outline(tuple(self._units), tuple(self._headings))

    def _stands_alone(self, line: ParsedLine, text: str) -> bool:
        """Whether a heading without a number opens a section of its own."""
        if line.level is not None:
            return line.level <= self._section_level
        return self._parsed.layout is not None and text.lower() in _CLOSING_HEADINGS

    def _mentions_other_chapter(self, number: str) -> bool:
        """Whether a line only mentions another chapter: "Chapter 3." at its start."""
        return self._single_chapter is not None and (number != self._single_chapter or bool(self._chapter_path))

    def _front_title(self, place: int, text: str) -> str | None:
        return (
            parse_chapter_title(text, self._single_chapter) if self._single_chapter and place < _FRONT_LINES else None
        )

    def _titles_chapter(self, line: ParsedLine, text: str) -> bool:
        """Whether a line is the title of the chapter whose number is alone on the line above."""
        return (
            self._parsed.layout is not None
            and self._held[-1:] != []
            and not self._has_body
            and bool(self._chapter_path)
            and self._section_path == self._chapter_path
            and word_count(text) <= 8
            and text[-1:] not in ".:;,?!"
            and (self._chapter.chapter_title is None or not line.after_blank)
            and parse_section_heading(text) is None
        )

    def _opens(self, number: str, title: str, text: str, may_head: bool, marked: bool) -> bool:
        if self._single_chapter is None:
            return may_head and (marked or not text.endswith((".", "?", "।")))
        parts = tuple(int(part) for part in number.split("."))
        if parts[0] != int(self._single_chapter) or parts <= self._last or title.endswith((".", ",", ";")):
            return False
        # Section numbers are consecutive; other numbers that look like one seldom are.
        if self._last and parts[1] - self._last[1] > 2:
            return False
        self._last = parts
        return True

    def _close(self) -> None:
        if self._held and (self._has_body or self._kind != "paragraph"):
            block = block_from_lines(self._kind, self._held, self._labels, self._path)
            self._units.append(Unit(block, self._code, self._place))
        else:
            self._headings += [Block("heading", at.span, self._labels, self._path, at.page) for at in self._held]
        self._held, self._has_body, self._kind = [], False, "paragraph"

    def _begin_chapter(self, line: ParsedLine, text: str, number: str, title: str) -> None:
        self._close()
        self._chapter = replace(self._chapter, chapter=number, chapter_title=title or self._chapter.chapter_title)
        self._labels, self._place = self._chapter, number
        self._chapter_path = self._section_path = self._path = (text,)
        self._held = [line]

    def _set_chapter_title(self, line: ParsedLine, text: str) -> None:
        title = " ".join(part for part in (self._chapter.chapter_title, text) if part)
        self._labels = self._chapter = replace(self._chapter, chapter_title=title)
        self._chapter_path = self._section_path = self._path = (f"Chapter {self._chapter.chapter}: {title}",)
        self._held.append(line)

    def _begin_section(self, line: ParsedLine, text: str, place: str, title: str) -> None:
        self._close()
        if line.level is not None and place[:1].isdigit():
            self._section_level = line.level
        self._place = "notes" if text == NOTES_HEADING and self._parsed.layout else place
        self._labels = replace(self._chapter, section=place if place[:1].isdigit() else None, title=title)
        self._section_path = self._path = (*self._chapter_path, text)
        self._held = [line]
        self._has_body = len(line.span) > len(text) + 20  # its text begins on the same line

    def _begin_block(self, line: ParsedLine, text: str, kind: BlockKind, named: str, marked: bool) -> None:
        self._close()
        self._kind = kind
        self._path = (*self._section_path, text if marked else named)
        self._labels = replace(self._labels, title=text) if marked else self._labels
        self._held, self._has_body = [line], not marked
