"""DOCX: headings, paragraphs, lists and table rows of the main text, and its footnotes and endnotes.

A DOCX is a zip of XML. It is read with the standard library's `zipfile` under our own limits and with the HTML
scanner, not with an XML library: the scanner resolves only the five entities of XML and opens no files, so XML attacks
do not apply, and it gives the offset of each character, which no XML library does. Offsets run through the members
`word/document.xml`, `word/footnotes.xml` and `word/endnotes.xml`, or the parts the package names instead, as if they
were concatenated: characters of their decoded text, bytes of their unpacked content.

A note or a text box has lines of its own below the paragraph or table that refers to it: it can be cited, and is not
part of the sentence it is attached to. Tracked changes are read as if accepted: insertions are kept, deletions and
moved-away text are not. Struck-through text no longer holds and is left out, and so are headers, footers, comments and
hidden text.
"""

import html
import re
from collections import Counter
from collections.abc import Mapping

from footnotary.domain.document import OffsetMap
from footnotary.domain.identity import Span
from footnotary.ingest.archive import broken, opened
from footnotary.ingest.clean import Weaver
from footnotary.ingest.docx_formulas import Formulas
from footnotary.ingest.docx_numbers import Numbering, read_numbering
from footnotary.ingest.docx_parts import EMBEDDING, MAIN, PARTS, left_out, parts_of
from footnotary.ingest.docx_shown import Shown
from footnotary.ingest.docx_signs import SIGNS, sign
from footnotary.ingest.docx_styles import NOTES, Style, read_notes, read_styles
from footnotary.ingest.docx_xml import attribute, columns_passed, decoded, part_of
from footnotary.ingest.html_scan import Token
from footnotary.ingest.parsed import Line, LineKind, Parsed
from footnotary.ingest.raised_figures import figures_set

_CALLS = {"footnotereference": "footnote", "endnotereference": "endnote"}
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});")
_LIST_NAME = re.compile(r"\blist\b", re.I)


def parse_docx(data: bytes, encoding: str) -> Parsed:  # noqa: ARG001 - the parts declare their own encoding
    """The main text; the title is the first paragraph in the style "Title", or the first heading.

    Raises `DocumentError`: `broken_file`, `parse_limit`, or `unsafe_xml` if the XML defines entities.
    """
    archive = opened(data)
    named = parts_of(archive)
    content = part_of(archive, main := named[MAIN])
    if content is None:
        raise broken(f"{main} is missing")
    original, codec = decoded(content, main)
    end, notes = len(original), dict[tuple[str, str], Span]()
    for name in (named[part] for part in PARTS[1:]):
        held = part_of(archive, name)
        text, own_codec = decoded(held, name) if held else ("", codec)
        if own_codec != codec:  # no program writes parts of one document in different encodings
            raise broken(f"{name} is {own_codec}, and {main} is {codec}")
        notes |= read_notes(text, len(original))
        original += text
    styles = part_of(archive, named["word/styles.xml"])
    numbers = part_of(archive, named["word/numbering.xml"])
    reader = _Reader(
        original,
        end,
        notes,
        codec,
        read_styles(decoded(styles, "word/styles.xml")[0]) if styles else {},
        read_numbering(decoded(numbers, "word/numbering.xml")[0]) if numbers else Numbering({}, {}),
    )
    text, offsets, lines = reader.read()
    title = reader.title or next((line.span.of(text) for line in lines if line.level == 1), None)
    return Parsed(text, offsets, lines, {}, title, left_out=left_out(reader.embedded))


class _Reader:
    def __init__(
        self,
        original: str,
        end: int,
        notes: Mapping[tuple[str, str], Span],
        codec: str,
        styles: Mapping[str, Style],
        numbering: Numbering,
    ) -> None:
        self._original = original
        self._end = end
        self._notes = notes
        self._called: list[tuple[str, Span]] = []
        self._count = Counter[str]()
        self._shown = Shown(original, styles)
        self._formulas = Formulas(original)
        self._weaver = Weaver(original, codec)
        self._styles = styles
        self._numbering = numbering
        self._tables = self._cells = self._spanned = self.embedded = 0
        self._apart = ""
        self._style = Style()
        self._level: int | None = None
        self._number: str | None = None
        self._depth = 0
        self._is_title = self._has_begun = self._is_gone = False
        self.title: str | None = None

    def read(self) -> tuple[str, OffsetMap, tuple[Line, ...]]:
        self._read(Span(0, self._end))
        self._end_line()
        self._read_boxes()
        self._write_notes()
        return self._weaver.finish()

    def _read(self, part: Span) -> None:
        for token, tag in self._shown.tokens(part):
            if token.kind == "text" or tag in SIGNS or tag.startswith("m:"):
                self._take(token, tag)
            else:
                self._tag(token, tag)

    def _read_boxes(self) -> None:
        """Writes the text boxes of the paragraph or table just read as lines of their own."""
        boxes, self._shown.boxes = self._shown.boxes, []
        for box in boxes:
            self._weaver.blank()
            self._read(box)
            self._end_line()
            self._weaver.blank()

    def _write_notes(self) -> None:
        """Writes the notes referred to since the last call, one line each, numbered in order of reference."""
        called, self._called = self._called, []
        for kind, place in called:
            self._count[kind] += 1
            self._weaver.put(f"{NOTES[kind]} {self._count[kind]}: ")
            for token, tag in self._shown.tokens(place):
                if token.kind == "text" or tag in SIGNS or tag.startswith("m:"):
                    self._copy(token, tag)
                elif token.kind == "open" and tag in ("p", "tab", "ptab", "br", "cr"):
                    self._weaver.put(" ")
            self._weaver.end_line()

    def _tag(self, token: Token, tag: str) -> None:
        opens = token.kind == "open"
        if tag == "p":
            self._paragraph(opens and not self._shown.is_empty(token))
        elif tag == "tbl":
            self._end_line()
            self._weaver.blank()
            self._tables = max(0, self._tables + (1 if opens else -1))
            self._cells, self._apart, self._spanned = 0, "", 0
            if not self._tables:
                self._read_boxes()
                self._write_notes()
        elif tag == "tr" and self._tables == 1:
            if self._weaver.in_line:
                self._weaver.put(self._apart)
            self._end_line()
            self._cells, self._apart, self._spanned = 0, "", 0
        elif tag == "tc" and opens and self._tables:
            # The first words after empty cells, or after a cell that spans several columns, keep their column.
            self._apart += " | " * (bool(self._cells) + self._spanned)
            self._cells, self._spanned = self._cells + 1, 0
        elif opens and tag in ("gridspan", "gridbefore") and self._tables == 1:
            self._spanned = columns_passed(self._original, token, tag)
        elif opens and tag in EMBEDDING:
            self.embedded += 1
        elif opens and tag in _CALLS:
            place = self._notes.get((_CALLS[tag], attribute(self._original, token, "id")))
            if place is not None:
                self._called.append((_CALLS[tag], place))
        elif opens and tag in ("br", "cr"):
            if self._tables or self._level is not None:
                self._weaver.put(" ")
            else:
                self._end_line()
        elif opens and tag in ("tab", "ptab"):
            self._weaver.put(" ")
        elif opens and not self._has_begun:
            self._property(token, tag)

    def _paragraph(self, opens: bool) -> None:
        if self._number and not self._has_begun and not self._is_gone:
            self._numbering.next(self._number, self._depth)  # Word counts paragraphs without words as well
            self._number = None
        if self._tables:
            self._weaver.put(" ")  # the paragraphs of a cell go on one line
        else:
            if not opens and self._is_title and self.title is None and self._weaver.in_line:
                self.title = self._weaver.line_so_far
            self._end_line()
            is_list = self._kind() == "list"
            self._read_boxes()
            self._write_notes()
            if not is_list:
                self._weaver.blank()
        if opens:
            self._style, self._level, self._number, self._depth = Style(), None, None, 0
            self._is_title = self._has_begun = self._is_gone = False

    def _property(self, token: Token, tag: str) -> None:
        """Reads the properties of a paragraph before its first run."""
        value = attribute(self._original, token, "val")
        if tag == "pstyle":
            self._style = self._styles.get(value, Style(value))
            self._is_title = self._style.name.casefold() == "title"
            self._level = self._style.level_among(self._styles)
            self._is_gone = self._style.hides_among(self._styles)
            if number := self._style.number_among(self._styles):
                self._number, self._depth = number
        elif tag == "outlinelvl":
            self._level = int(value) + 1 if value in tuple("012345678") else None
        elif tag in ("del", "movefrom", "vanish"):  # the paragraph mark is deleted: it joins the next paragraph
            self._is_gone = True
        elif tag == "numid":
            self._number = value
        elif tag == "ilvl" and value.isdecimal():
            self._depth = int(value[:2])

    def _kind(self) -> LineKind:
        if self._tables:
            return "table"
        is_list = self._number not in (None, "0") or _LIST_NAME.search(self._style.name)
        return "list" if is_list and self._level is None else "paragraph"

    def _end_line(self) -> None:
        self._weaver.end_line(None if self._tables else self._level, self._kind())

    def _take(self, token: Token, tag: str) -> None:
        if self._apart and not self._original[token.start : token.end].isspace():
            self._weaver.put(self._apart)
            self._apart = ""
        if not self._has_begun:
            self._has_begun = True
            if self._number:  # Word numbers paragraphs when rendering; the file does not contain the number
                self._weaver.put(self._numbering.next(self._number, self._depth))
        self._copy(token, tag)

    def _copy(self, token: Token, tag: str) -> None:
        if tag.startswith("m:"):
            self._weaver.put(self._formulas.sign(token, self._shown.is_empty(token)))
            return
        if tag in SIGNS:
            self._weaver.put(sign(self._original, token, tag) if token.kind == "open" else "")
            return
        text = self._original[token.start : token.end] if self._shown.align else ""
        if (figures := figures_set(text, self._shown.align, self._weaver.last_letter)) is not None:
            self._weaver.put(figures)
            return
        at = token.start
        for found in _ENTITY.finditer(self._original, token.start, token.end):
            self._weaver.copy(at, found.start())
            self._weaver.put(html.unescape(found.group()))
            at = found.end()
        self._weaver.copy(at, token.end)
