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
from footnotary.ingest.offset_builder import OffsetTrackingBuilder
from footnotary.ingest.parse.docx.formulas import WordFormulas
from footnotary.ingest.parse.docx.list_numbers import ListNumbering, read_numbering
from footnotary.ingest.parse.docx.package_parts import (
    EMBEDDING_TAGS,
    MAIN_PART,
    TEXT_PARTS,
    embedded_files_notice,
    find_parts,
)
from footnotary.ingest.parse.docx.paragraph_properties import ParagraphProperties
from footnotary.ingest.parse.docx.styles import NOTE_LABELS, ParagraphStyle, read_notes, read_styles
from footnotary.ingest.parse.docx.symbols import SYMBOL_TAGS, decode_symbol
from footnotary.ingest.parse.docx.visible_text import VisibleTokens
from footnotary.ingest.parse.docx.xml import (
    FALSE_VALUES,
    attribute_value,
    count_skipped_columns,
    decode_part,
    has_styled_first_row,
    read_part,
)
from footnotary.ingest.parse.html.scanner import HtmlToken
from footnotary.ingest.parse.superscripts import raised_or_lowered_digits
from footnotary.ingest.parse.zip_archive import corrupt_file_error, open_archive
from footnotary.ingest.parsed_document import LineKind, ParsedFile, ParsedLine

_NOTE_REFERENCE_TAGS = {"footnotereference": "footnote", "endnotereference": "endnote"}
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});")


def parse_docx(data: bytes, encoding: str) -> ParsedFile:  # noqa: ARG001 - the parts declare their own encoding
    """The main text; the title is the first paragraph in the style "Title", or the first heading.

    Raises `DocumentError`: `broken_file`, `parse_limit`, or `unsafe_xml` if the XML defines entities.
    """
    archive = open_archive(data)
    named = find_parts(archive)
    content = read_part(archive, main := named[MAIN_PART])
    if content is None:
        raise corrupt_file_error(f"{main} is missing")
    original, codec = decode_part(content, main)
    end, notes = len(original), dict[tuple[str, str], Span]()
    for name in (named[part] for part in TEXT_PARTS[1:]):
        held = read_part(archive, name)
        text, own_codec = decode_part(held, name) if held else ("", codec)
        if own_codec != codec:  # no program writes parts of one document in different encodings
            raise corrupt_file_error(f"{name} is {own_codec}, and {main} is {codec}")
        notes |= read_notes(text, len(original))
        original += text
    styles = read_part(archive, named["word/styles.xml"])
    numbers = read_part(archive, named["word/numbering.xml"])
    reader = _DocxReader(
        original,
        end,
        notes,
        codec,
        read_styles(decode_part(styles, "word/styles.xml")[0]) if styles else {},
        read_numbering(decode_part(numbers, "word/numbering.xml")[0]) if numbers else ListNumbering({}, {}),
    )
    text, offsets, lines = reader.read()
    title = reader.title or next((line.span.of(text) for line in lines if line.level == 1), None)
    return ParsedFile(text, offsets, lines, {}, title, left_out=embedded_files_notice(reader.embedded))


class _DocxReader:
    def __init__(
        self,
        original: str,
        end: int,
        notes: Mapping[tuple[str, str], Span],
        codec: str,
        styles: Mapping[str, ParagraphStyle],
        numbering: ListNumbering,
    ) -> None:
        self._original = original
        self._end = end
        self._notes = notes
        self._called: list[tuple[str, Span]] = []
        self._count = Counter[str]()
        self._shown = VisibleTokens(original, styles)
        self._formulas = WordFormulas(original)
        self._builder = OffsetTrackingBuilder(original, codec)
        self._styles = styles
        self._numbering = numbering
        self._tables = self._cells = self._spanned = self.embedded = 0
        self._pending_separators = ""
        self._is_heading_row = self._is_first_row_styled = self._is_row_bold = False
        self._row = 0
        self._properties = ParagraphProperties()
        self._has_begun = False
        self.title: str | None = None

    def read(self) -> tuple[str, OffsetMap, tuple[ParsedLine, ...]]:
        self._read(Span(0, self._end))
        self._end_line()
        self._read_boxes()
        self._write_notes()
        return self._builder.finish()

    def _read(self, part: Span) -> None:
        for token, tag in self._shown.tokens(part):
            if token.kind == "text" or tag in SYMBOL_TAGS or tag.startswith("m:"):
                self._take(token, tag)
            else:
                self._tag(token, tag)

    def _read_boxes(self) -> None:
        """Writes the text boxes of the paragraph or table just read as lines of their own."""
        boxes, self._shown.boxes = self._shown.boxes, []
        for box in boxes:
            self._builder.blank()
            self._read(box)
            self._end_line()
            self._builder.blank()

    def _write_notes(self) -> None:
        """Writes the notes referred to since the last call, one line each, numbered in order of reference."""
        called, self._called = self._called, []
        for kind, place in called:
            self._count[kind] += 1
            self._builder.put(f"{NOTE_LABELS[kind]} {self._count[kind]}: ")
            for token, tag in self._shown.tokens(place):
                if token.kind == "text" or tag in SYMBOL_TAGS or tag.startswith("m:"):
                    self._copy(token, tag)
                elif token.kind == "open" and tag in ("p", "tab", "ptab", "br", "cr"):
                    self._builder.put(" ")
            self._builder.end_line()

    def _tag(self, token: HtmlToken, tag: str) -> None:
        opens = token.kind == "open"
        if tag == "p":
            self._paragraph(opens and not self._shown.is_empty(token))
        elif tag == "tbl":
            self._end_line()
            self._builder.blank()
            self._tables = max(0, self._tables + (1 if opens else -1))
            self._cells, self._pending_separators, self._spanned = 0, "", 0
            if not self._tables:
                self._row, self._is_first_row_styled = 0, False
                self._read_boxes()
                self._write_notes()
        elif tag == "tr" and self._tables == 1:
            if self._builder.line_has_text:
                self._builder.put(self._pending_separators)
            self._end_line()
            self._is_heading_row, self._is_row_bold, self._row = False, True, self._row + opens
            self._cells, self._pending_separators, self._spanned = 0, "", 0
        elif tag == "tc" and opens and self._tables:
            # The first words after empty cells, or after a cell that spans several columns, keep their column.
            self._pending_separators += " | " * (bool(self._cells) + self._spanned)
            self._cells, self._spanned = self._cells + 1, 0
        elif opens and tag == "tblheader" and self._tables == 1:
            self._is_heading_row = attribute_value(self._original, token, "val") not in FALSE_VALUES
        elif opens and tag == "tbllook" and self._tables == 1:
            self._is_first_row_styled = has_styled_first_row(self._original, token)
        elif opens and tag in ("gridspan", "gridbefore") and self._tables == 1:
            self._spanned = count_skipped_columns(self._original, token, tag)
        elif opens and tag in EMBEDDING_TAGS:
            self.embedded += 1
        elif opens and tag in _NOTE_REFERENCE_TAGS:
            place = self._notes.get((_NOTE_REFERENCE_TAGS[tag], attribute_value(self._original, token, "id")))
            if place is not None:
                self._called.append((_NOTE_REFERENCE_TAGS[tag], place))
        elif opens and tag in ("br", "cr"):
            if self._tables or self._properties.level is not None:
                self._builder.put(" ")
            else:
                self._end_line()
        elif opens and tag in ("tab", "ptab"):
            self._builder.put(" ")
        elif opens and not self._has_begun:
            self._properties.read(tag, attribute_value(self._original, token, "val"), self._styles)

    def _paragraph(self, opens: bool) -> None:
        own = self._properties
        if own.number and not self._has_begun and not own.is_hidden:
            self._numbering.next(own.number, own.depth)  # Word counts paragraphs without words as well
            own.number = None
        if self._tables:
            self._builder.put(" ")  # the paragraphs of a cell go on one line
        else:
            if not opens and own.is_title and self.title is None and self._builder.line_has_text:
                self.title = self._builder.current_line
            self._end_line()
            is_list = self._kind() == "list"
            self._read_boxes()
            self._write_notes()
            if not is_list:
                self._builder.blank()
        if opens:
            self._properties, self._has_begun = ParagraphProperties(), False

    def _kind(self) -> LineKind:
        if self._tables:
            is_likely = self._row == 1 and (self._is_row_bold or self._is_first_row_styled)
            return "heading_row" if self._is_heading_row else "likely_heading_row" if is_likely else "table"
        return "paragraph" if self._properties.list_depth is None else "list"

    def _end_line(self) -> None:
        kind, depth = self._kind(), self._properties.list_depth
        self._builder.end_line(
            None if self._tables else self._properties.level, kind, depth if kind == "list" else None
        )

    def _take(self, token: HtmlToken, tag: str) -> None:
        if self._pending_separators and not self._original[token.start : token.end].isspace():
            self._builder.put(self._pending_separators)
            self._pending_separators = ""
        if not self._shown.is_bold and not self._original[token.start : token.end].isspace():
            self._is_row_bold = False
        if not self._has_begun:
            self._has_begun = True
            if number := self._properties.number:  # Word numbers paragraphs when rendering; the file has no numbers
                self._builder.put(self._numbering.next(number, self._properties.depth))
        self._copy(token, tag)

    def _copy(self, token: HtmlToken, tag: str) -> None:
        if tag.startswith("m:"):
            self._builder.put(self._formulas.sign(token, self._shown.is_empty(token)))
            return
        if tag in SYMBOL_TAGS:
            self._builder.put(decode_symbol(self._original, token, tag) if token.kind == "open" else "")
            return
        text = self._original[token.start : token.end] if self._shown.align else ""
        if (figures := raised_or_lowered_digits(text, self._shown.align, self._builder.last_char)) is not None:
            self._builder.put(figures)
            return
        at = token.start
        for found in _ENTITY.finditer(self._original, token.start, token.end):
            self._builder.copy(at, found.start())
            self._builder.put(html.unescape(found.group()))
            at = found.end()
        self._builder.copy(at, token.end)
