"""DOCX: headings, paragraphs, lists and table rows of the main text.

A DOCX is a zip of XML. It is read with the standard library's `zipfile` under our own caps and with the scanner that
reads HTML, not with an XML library: the scanner knows no entities but the five of XML and opens no files, so there
is nothing to attack, and it says where each character stands, which no XML library does. Positions are those in the
archive's member `word/document.xml`: characters of its decoded text, bytes of its unpacked content.

Headers, footers, footnotes, comments and deleted text are not part of the main text and are left out.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from zipfile import ZipFile

from footnotary.domain.document import OffsetMap
from footnotary.errors import DocumentError
from footnotary.ingest.archive import broken, opened, read_member
from footnotary.ingest.clean import Weaver
from footnotary.ingest.docx_numbers import Numbering, read_numbering
from footnotary.ingest.docx_xml import attribute, decoded, prefix_of
from footnotary.ingest.html_scan import Token, scan
from footnotary.ingest.parsed import Line, LineKind, Parsed

MAIN = "word/document.xml"
_MAX_PART_BYTES = 100_000_000
_NOT_TEXT = frozenset({"del", "movefrom", "fallback", "instrtext", "deltext"})
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});")
_HEADING_NAME = re.compile(r"(?:heading|überschrift|titre|शीर्षक) ?([1-9])", re.I)
_LIST_NAME = re.compile(r"\blist\b", re.I)


@dataclass(frozen=True, slots=True)
class _Style:
    name: str = ""
    level: int | None = None
    based_on: str = ""
    number: tuple[str, int] | None = None


def parse_docx(data: bytes, encoding: str) -> Parsed:  # noqa: ARG001 - the parts say their encoding themselves
    """The main text; the title is that of the first paragraph in the style "Title", or of the first heading.

    Raises `DocumentError`: `broken_file`, `parse_limit`, or `unsafe_xml` where the XML defines entities.
    """
    archive = opened(data)
    content = _part(archive, MAIN)
    if content is None:
        raise broken(f"there is no {MAIN} in it")
    original, codec = decoded(content, MAIN)
    styles = _part(archive, "word/styles.xml")
    numbers = _part(archive, "word/numbering.xml")
    reader = _Reader(
        original,
        codec,
        _styles(decoded(styles, "word/styles.xml")[0]) if styles else {},
        read_numbering(decoded(numbers, "word/numbering.xml")[0]) if numbers else Numbering({}, {}),
    )
    text, offsets, lines = reader.read()
    title = reader.title or next((line.span.of(text) for line in lines if line.level == 1), None)
    return Parsed(text, offsets, lines, {}, title)


def _part(archive: ZipFile, name: str) -> bytes | None:
    try:
        info = archive.getinfo(name)
    except KeyError:
        return None
    if info.flag_bits & 1:
        raise DocumentError("it is locked with a password", reason="encrypted", hint="save it without one")
    return read_member(archive, info, _MAX_PART_BYTES)


def _styles(xml: str) -> Mapping[str, _Style]:
    """What paragraphs in each style are: headings by name or outline level, their own or that of the style below."""
    prefix = prefix_of(xml)
    styles: dict[str, _Style] = {}
    name = level = based_on = own_id = numbered = None
    depth = 0
    for token in scan(xml):
        tag = token.name.removeprefix(prefix)
        if tag == "style":
            if token.kind == "open":
                own_id, name, level, based_on, numbered, depth = attribute(xml, token, "styleId"), "", None, "", None, 0
            elif own_id is not None:
                found = _HEADING_NAME.fullmatch(name or "")
                number = (numbered, depth) if numbered else None
                styles[own_id] = _Style(name or "", int(found[1]) if found else level, based_on or "", number)
        elif token.kind == "open":
            value = attribute(xml, token, "val")
            if tag == "name":
                name = value
            elif tag == "basedon":
                based_on = value
            elif tag == "outlinelvl" and value in tuple("012345678"):
                level = int(value) + 1
            elif tag == "numid":
                numbered = value
            elif tag == "ilvl" and value.isdecimal():
                depth = int(value[:2])
    return styles


class _Reader:
    def __init__(self, original: str, codec: str, styles: Mapping[str, _Style], numbering: Numbering) -> None:
        self._original = original
        self._weaver = Weaver(original, codec)
        self._styles = styles
        self._numbering = numbering
        self._prefix = prefix_of(original)
        self._tables = self._cells = 0
        self._style = _Style()
        self._level: int | None = None
        self._number: str | None = None
        self._depth = 0
        self._is_title = self._has_begun = False
        self.title: str | None = None

    def read(self) -> tuple[str, OffsetMap, tuple[Line, ...]]:
        skipping, depth, in_text = "", 0, False
        for token in scan(self._original):
            tag = token.name.rpartition(":")[2] if token.name else ""
            is_ours = token.name == self._prefix + tag
            if skipping:
                if tag == skipping and not self._is_empty(token):
                    depth += 1 if token.kind == "open" else -1
                    skipping = skipping if depth else ""
            elif tag in _NOT_TEXT and token.kind == "open":
                if not self._is_empty(token):
                    skipping, depth = tag, 1
            elif token.kind == "text":
                if in_text:
                    self._take(token)
            elif is_ours and tag == "t":
                in_text = token.kind == "open" and not self._is_empty(token)
            elif is_ours:
                self._tag(token, tag)
        self._end_line()
        return self._weaver.finish()

    def _tag(self, token: Token, tag: str) -> None:
        opens = token.kind == "open"
        if tag == "p":
            self._paragraph(opens and not self._is_empty(token))
        elif tag == "tbl":
            self._end_line()
            self._weaver.blank()
            self._tables = max(0, self._tables + (1 if opens else -1))
        elif tag == "tr" and self._tables == 1:
            self._end_line()
            self._cells = 0
        elif tag == "tc" and opens and self._tables:
            if self._cells and self._weaver.in_line:
                self._weaver.put(" | ")
            self._cells += 1
        elif opens and tag in ("br", "cr"):
            if self._tables or self._level is not None:
                self._weaver.put(" ")
            else:
                self._end_line()
        elif opens and tag == "tab":
            self._weaver.put(" ")
        elif opens and tag == "nobreakhyphen":
            self._weaver.put("-")
        elif opens and not self._has_begun:
            self._property(token, tag)

    def _paragraph(self, opens: bool) -> None:
        if self._tables:
            self._weaver.put(" ")  # the paragraphs of a cell stand in one row
        else:
            if not opens and self._is_title and self.title is None and self._weaver.in_line:
                self.title = self._weaver.line_so_far
            self._end_line()
            if self._kind() != "list":
                self._weaver.blank()
        if opens:
            self._style, self._level, self._number, self._depth = _Style(), None, None, 0
            self._is_title = self._has_begun = False

    def _property(self, token: Token, tag: str) -> None:
        """What a paragraph says of itself before its first run."""
        value = attribute(self._original, token, "val")
        if tag == "pstyle":
            self._style = self._styles.get(value, _Style(value))
            self._is_title = self._style.name.casefold() == "title"
            self._level = self._inherited_level(self._style)
            if self._style.number:
                self._number, self._depth = self._style.number
        elif tag == "outlinelvl":
            self._level = int(value) + 1 if value in tuple("012345678") else None
        elif tag == "numid":
            self._number = value
        elif tag == "ilvl" and value.isdecimal():
            self._depth = int(value[:2])

    def _inherited_level(self, style: _Style) -> int | None:
        for _ in range(10):  # a style may stand on itself
            if style.level is not None or not style.based_on:
                return style.level
            style = self._styles.get(style.based_on, _Style())
        return None

    def _kind(self) -> LineKind:
        if self._tables:
            return "table"
        is_list = self._number not in (None, "0") or _LIST_NAME.search(self._style.name)
        return "list" if is_list and self._level is None else "paragraph"

    def _end_line(self) -> None:
        self._weaver.end_line(None if self._tables else self._level, self._kind())

    def _take(self, token: Token) -> None:
        if not self._has_begun:
            self._has_begun = True
            if self._number:  # Word counts when it shows the page; the number stands nowhere in the file
                self._weaver.put(self._numbering.next(self._number, self._depth))
        at = token.start
        for found in _ENTITY.finditer(self._original, token.start, token.end):
            self._weaver.copy(at, found.start())
            self._weaver.put(html.unescape(found.group()))
            at = found.end()
        self._weaver.copy(at, token.end)

    def _is_empty(self, token: Token) -> bool:
        return token.kind == "open" and self._original[token.end - 2] == "/"
