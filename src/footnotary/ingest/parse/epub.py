"""EPUB books: the chapters in reading order, each read like a web page.

The package is read with the HTML scanner, not with an XML library, so that XML attacks do not apply. A quote leads to
the file of its chapter and the characters in it: `OEBPS/chapter-3.xhtml`.
"""

import html
import posixpath
import re
from dataclasses import replace
from urllib.parse import unquote
from zipfile import ZipFile

from footnotary.errors import DocumentError
from footnotary.ingest.parse.docx.xml import attribute_value
from footnotary.ingest.parse.html.parser import parse_html
from footnotary.ingest.parse.html.scanner import HtmlToken, tokenize_html
from footnotary.ingest.parse.placed_text import join_parts
from footnotary.ingest.parse.zip_archive import (
    MAX_TOTAL_BYTES,
    corrupt_file_error,
    limit_error,
    open_archive,
    read_member,
)
from footnotary.ingest.parse_context import report_page_done
from footnotary.ingest.parsed_document import ParsedFile

CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_MAX_CHAPTER_BYTES = 30_000_000
_PAGE_TYPES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_ENCODING = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9._-]{2,30})")


def parse_epub(data: bytes, encoding: str) -> ParsedFile:  # noqa: ARG001 - every chapter declares its own encoding
    """The title of the book and the text of its chapters; tables of contents for navigation are left out.

    Raises `DocumentError` if the book is corrupt, encrypted or over a limit.
    """
    book = _Book(open_archive(data))
    chapters: list[tuple[str, ParsedFile]] = []
    names = book.chapters()
    for number, name in enumerate(names, start=1):
        page = book.text(name)
        chapters.append((name, replace(parse_html(page.encode(), "utf-8"), left_out=())))
        report_page_done(number, len(names))
    if not chapters:
        raise corrupt_file_error("the book lists no chapters")
    joined = join_parts(chapters, book.title)
    return replace(joined, language=book.language or joined.language)


class _Book:
    """The package of a book: what it lists, and in which order."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._read_bytes = 0
        self._names = set(archive.namelist())
        root = self._required(CONTAINER, "rootfile", "full-path")
        self._folder = posixpath.dirname(root)
        self._package = self.text(root)
        self._tokens = tuple(tokenize_html(self._package))
        self._encrypted = self._encrypted_files()
        self.title = self._metadata("title")
        language = self._metadata("language")
        self.language = language[:2].lower() if language and language[:2].isalpha() else None

    def chapters(self) -> list[str]:
        """The files of the chapters in reading order. Raises `DocumentError` if one of them is encrypted."""
        items: dict[str, str] = {}
        order: list[str] = []
        for token in self._tokens:
            if token.kind != "open":
                continue
            name = _local_name(token)
            if name == "item":
                is_page = attribute_value(self._package, token, "media-type") in _PAGE_TYPES
                is_contents = "nav" in attribute_value(self._package, token, "properties").split()
                if is_page and not is_contents:
                    items[attribute_value(self._package, token, "id")] = self._resolved(token, "href")
            elif name == "itemref":
                order.append(attribute_value(self._package, token, "idref"))
        found = list(dict.fromkeys(items[one] for one in order if one in items))
        if locked := [name for name in found if name in self._encrypted]:
            raise DocumentError(
                f"{locked[0]} is encrypted (digital rights management)",
                reason="encrypted",
                hint="ingest a copy without protection",
            )
        return [name for name in found if name in self._names]

    def text(self, name: str) -> str:
        """The decoded text of a file. Raises `DocumentError` if it is missing, too large or not text."""
        if name not in self._names:
            raise corrupt_file_error(f"{name} is missing")
        content = read_member(self._archive, self._archive.getinfo(name), _MAX_CHAPTER_BYTES)
        self._read_bytes += len(content)
        if self._read_bytes > MAX_TOTAL_BYTES:
            raise limit_error(f"the book unpacks to over {MAX_TOTAL_BYTES:,} bytes")
        declared = _ENCODING.match(content)
        encoding = declared[1].decode("ascii") if declared else "utf-8"
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            encoding = "utf-16"
        try:
            return content.decode(encoding).removeprefix("\ufeff")
        except (UnicodeDecodeError, LookupError) as error:
            raise corrupt_file_error(f"{name} is not {encoding}") from error

    def _required(self, name: str, tag: str, attribute: str) -> str:
        xml = self.text(name)
        for token in tokenize_html(xml):
            if token.kind == "open" and _local_name(token) == tag and (value := attribute_value(xml, token, attribute)):
                return html.unescape(value)
        raise corrupt_file_error(f"{name} names no package")

    def _resolved(self, token: HtmlToken, attribute: str) -> str:
        href = unquote(html.unescape(attribute_value(self._package, token, attribute)).split("#")[0])
        return posixpath.normpath(posixpath.join("/", self._folder, href))[1:]

    def _metadata(self, name: str) -> str | None:
        inside = False
        for token in self._tokens:
            if _local_name(token) == name:
                inside = token.kind == "open"
            elif inside and token.kind == "text":
                text = " ".join(html.unescape(self._package[token.start : token.end]).split())
                return text or None
        return None

    def _encrypted_files(self) -> set[str]:
        if _ENCRYPTION not in self._names:
            return set()
        xml = self.text(_ENCRYPTION)
        return {
            unquote(attribute_value(xml, token, "URI"))
            for token in tokenize_html(xml)
            if token.kind == "open" and _local_name(token) == "cipherreference"
        }


def _local_name(token: HtmlToken) -> str:
    return token.name.rpartition(":")[2]
