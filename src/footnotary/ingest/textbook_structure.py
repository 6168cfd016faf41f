"""The structure of textbooks: chapters, numbered sections, and definitions, examples, theorems and exercises."""

import re
from dataclasses import replace

from footnotary.domain.document import Block, BlockKind, Labels
from footnotary.ingest.names import name_part
from footnotary.ingest.outline import Outline, Unit, block_of, text_of, word_count
from footnotary.ingest.parsed import Line, Parsed

_CHAPTER = re.compile(r"(?:Chapter|CHAPTER|अध्याय|पाठ)\s+(\d{1,3}|[IVXL]{1,6})(?=$|[\s:.—–-])[\s:.—–-]*(.*)")
_SECTION = re.compile(r"(\d{1,3}(?:\.\d{1,3}){1,3})[.:]?\s+(\S.*)")
_TYPED = re.compile(
    r"(?P<definition>Definition|DEFINITION|परिभाषा)"
    r"|(?P<example>Example|EXAMPLE|Illustration|उदाहरण)"
    r"|(?P<theorem>Theorem|THEOREM|Lemma|Corollary|Proposition|प्रमेय|उपप्रमेय)"
    r"|(?P<exercise>Exercise|EXERCISE|Activity|प्रश्नावली|अभ्यास)"
)
_TYPED_END = re.compile(r"\s*[0-9\u0966-\u096f.]*\s*(?:$|[:.—–(-])")
_KINDS: tuple[BlockKind, ...] = ("definition", "example", "theorem", "exercise")


def block_kind(text: str, marked: bool) -> BlockKind | None:
    """The kind that a line announces: "Example 3", "Definition: Common difference", "प्रमेय 6.1 :"."""
    found = _TYPED.match(text)
    if found is None or not (_TYPED_END.match(text, found.end()) or (marked and text[found.end() :][:1].isspace())):
        return None
    return next(kind for kind in _KINDS if found[kind])


def textbook_outline(parsed: Parsed, labels: Labels, code: str) -> Outline:
    """One unit per heading with text below it; the units of one numbered section share its place."""
    return _Reader(parsed, labels, code).outline()


class _Reader:
    def __init__(self, parsed: Parsed, labels: Labels, code: str) -> None:
        self._parsed, self._code = parsed, code
        self._chapter = replace(labels, section=None, title=None)
        self._labels = self._chapter
        self._chapter_path: tuple[str, ...] = ()
        self._section_path: tuple[str, ...] = ()
        self._path: tuple[str, ...] = ()
        self._place = labels.chapter or "text"
        self._section_level = 2
        self._kind: BlockKind = "paragraph"
        self._held: list[Line] = []
        self._has_body = False
        self._units: list[Unit] = []
        self._headings: list[Block] = []

    def outline(self) -> Outline:
        for line in self._parsed.lines:
            text = text_of(self._parsed, line)
            marked = line.level is not None
            may_head = marked or (line.after_blank and word_count(text) <= 12)
            if may_head and (found := _CHAPTER.match(text)):
                self._begin_chapter(line, text, found[1], found[2].strip())
            elif may_head and (found := _SECTION.match(text)) and (marked or not text.endswith((".", "?", "।"))):
                self._begin_section(line, text, found[1], found[2].strip())
            elif kind := block_kind(text, marked):
                self._begin_block(line, text, kind, marked)
            elif line.level is not None and line.level <= self._section_level:
                self._begin_section(line, text, name_part(text), text)
            elif marked:
                self._begin_block(line, text, "paragraph", True)
            else:
                self._held.append(line)
                self._has_body = True
        self._close()
        return Outline(tuple(self._units), tuple(self._headings))

    def _close(self) -> None:
        if self._held and (self._has_body or self._kind != "paragraph"):
            block = block_of(self._kind, self._held, self._labels, self._path)
            self._units.append(Unit(block, self._code, self._place))
        else:
            self._headings += [Block("heading", at.span, self._labels, self._path, at.page) for at in self._held]
        self._held, self._has_body, self._kind = [], False, "paragraph"

    def _begin_chapter(self, line: Line, text: str, number: str, title: str) -> None:
        self._close()
        self._chapter = replace(self._chapter, chapter=number, chapter_title=title or self._chapter.chapter_title)
        self._labels, self._place = self._chapter, number
        self._chapter_path = self._section_path = self._path = (text,)
        self._held = [line]

    def _begin_section(self, line: Line, text: str, place: str, title: str) -> None:
        self._close()
        if line.level is not None and place[:1].isdigit():
            self._section_level = line.level
        self._place = place
        self._labels = replace(self._chapter, section=place if place[:1].isdigit() else None, title=title)
        self._section_path = self._path = (*self._chapter_path, text)
        self._held = [line]

    def _begin_block(self, line: Line, text: str, kind: BlockKind, marked: bool) -> None:
        self._close()
        self._kind = kind
        self._path = (*self._section_path, text) if marked else self._section_path
        self._labels = replace(self._labels, title=text) if marked else self._labels
        self._held, self._has_body = [line], not marked
