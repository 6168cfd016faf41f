"""The textbook tutor's ingest under its own names: a file, its pages, clean text, units, chunks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import BlockKind, Document, Source
from footnotary.domain.identity import Span, sha256_hex
from footnotary.errors import DocumentError, UsageError
from footnotary.ingest.chunking.chunk_builder import build_chunks
from footnotary.ingest.file_discovery import read_file
from footnotary.ingest.file_type import ZIP
from footnotary.ingest.original import Original
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.parser_selection import BINARY_ENCODING
from footnotary.ingest.prefetch import IngestJob, PrefetchedFile
from footnotary.ingest.structure.outline import Unit
from footnotary.ingest.structure.recovery import build_document
from footnotary.settings import load_settings
from footnotary.wiring import open_workers

_CLASS = re.compile(r"(?:class|std|grade|कक्षा)[ _-]?(\d{1,2})(?!\d)", re.I)
_WORDS = re.compile(r"[^\W\d_]+")
_SUBJECTS = {
    "maths": "mathematics",
    "math": "mathematics",
    **{
        name: name
        for name in (
            "mathematics|social science|political science|science|physics|chemistry|biology|history|geography|civics|"
            "economics|accountancy|business studies|psychology|sociology|english|hindi|sanskrit"
        ).split("|")
    },
}


@dataclass(frozen=True, slots=True)
class TextbookPage:
    """One page: its number from 1, its cleaned text, and the number printed on it where there is one.

    A blank page has the text "".
    """

    number: int
    text: str
    label: str | None = None


class TextbookPages(Sequence[TextbookPage]):
    """The pages of one file in order, with the parse result; a file without pages is one page."""

    def __init__(self, source: Source, name: str, parsed: ParsedFile) -> None:
        self.source = source
        self.name = name
        self.parsed = parsed

    @cached_property
    def _pages(self) -> list[TextbookPage]:
        parsed, texts = self.parsed, dict[int, list[str]]()
        for number, held in groupby(_page_segments(parsed), key=itemgetter(0)):
            spans = [span for _, span in held]
            texts.setdefault(number, []).append(parsed.text[spans[0].start : spans[-1].end])
        layout = parsed.layout
        numbers = range(1, len(layout.pages) + 1) if layout else sorted(texts)
        return [
            TextbookPage(number, "\n".join(texts.get(number, ())), layout.label(number) if layout else None)
            for number in numbers
        ]

    def __len__(self) -> int:
        return len(self._pages)

    def __getitem__(self, at: int) -> TextbookPage:  # pyright: ignore[reportIncompatibleMethodOverride] (a slice is not a file)
        return self._pages[at]


class PDFProcessor:
    """Reads textbooks: PDF files, including scans, and every other supported format."""

    def process_pdf(
        self, path: str | Path, *, class_number: int | None = None, subject: str | None = None
    ) -> TextbookPages:
        """The file's pages, parsed in a separate process with limits. Raises `DocumentError`.

        Class and subject are those passed here, or else those in the file's header, or else those in its name:
        `NCERT_Class10_Mathematics.pdf` is class 10, mathematics.
        """
        settings = load_settings()
        path = Path(path)
        data = read_file(path, settings.max_file_mb * 1_000_000)
        original = Original(str(path.resolve()), path.name, data, sha256_hex(data))
        with open_workers(settings) as workers:
            file = PrefetchedFile(IngestJob(str(path), lambda: original, True), workers, lambda _: False)
            if file.sniffed.media_type == ZIP:
                raise DocumentError(
                    "the file is an archive", reason="unsupported_type", hint="unpack it and pass one file"
                )
            parsed = file.parsed(lambda _done, _of: None)
        source = Source(
            original.origin,
            file.sniffed.media_type,
            original.sha256,
            path.stem,
            file.sniffed.encoding or BINARY_ENCODING,
        )
        given = {"CLASS": str(class_number) if class_number is not None else None, "SUBJECT": subject}
        fields = {
            "KIND": "textbook",
            **_fields_from_name(path.stem),
            **parsed.fields,
            **{k: v for k, v in given.items() if v},
        }
        return TextbookPages(source, path.name, replace(parsed, fields=fields))


@dataclass(frozen=True, slots=True)
class CleanedText:
    """A textbook's cleaned text with its structure and offsets into the pages; `str()` gives the text alone."""

    document: Document
    units: tuple[Unit, ...] = field(repr=False)

    @property
    def text(self) -> str:
        return self.document.text

    def __str__(self) -> str:
        return self.text


class TextCleaner:
    """Removes running headers, page numbers and line-end hyphens, and maps each character to its source."""

    def clean(self, pages: TextbookPages) -> CleanedText:
        """Raises `DocumentError` where the pages contain no text at all."""
        if not isinstance(pages, TextbookPages):  # pyright: ignore[reportUnnecessaryIsInstance] (callers are not all typed)
            raise UsageError(f"{type(pages).__name__} is not the result of process_pdf", hint="pass all of its pages")
        return CleanedText(*build_document(pages.name, pages.source, pages.parsed))


@dataclass(frozen=True, slots=True)
class StructuredUnit:
    """A part of a textbook that no chunk crosses: a definition, an example, a theorem, an exercise, a section's text.

    `path` names the headings above it, outermost first.
    """

    kind: BlockKind
    text: str
    path: tuple[str, ...]
    chapter: str | None
    section: str | None
    page: int | None


class StructureRecovery:
    """Recovers the structure of the book."""

    def recover(self, cleaned: CleanedText) -> list[StructuredUnit]:
        """The units in reading order."""
        blocks = [unit.block for unit in cleaned.units]
        return [
            StructuredUnit(b.kind, b.span.of(cleaned.text), b.path, b.labels.chapter, b.labels.section, b.page)
            for b in blocks
        ]


@dataclass(frozen=True, slots=True)
class TextbookPassage:
    """A citable passage under the tutor's names; `passage` is the engine's chunk."""

    passage: Chunk

    @property
    def content(self) -> str:
        return self.passage.text

    @property
    def chunk_id(self) -> str:
        return self.passage.id

    @property
    def source_id(self) -> str:
        return self.passage.id

    @property
    def metadata(self) -> dict[str, object]:
        """Known metadata: book, class_number, subject, chapter, section, page, language, document, kind."""
        labels, passage = self.passage.labels, self.passage
        known: dict[str, object] = {
            "book": labels.act,
            "class_number": labels.class_number,
            "subject": labels.subject,
            "chapter": labels.chapter,
            "chapter_title": labels.chapter_title,
            "section": labels.section,
            "section_title": labels.title,
            "page": passage.page,
            "language": labels.language,
            "document": passage.document_id,
            "kind": passage.kind,
        }
        return {name: value for name, value in known.items() if value is not None}


@dataclass(frozen=True, slots=True)
class TextbookChunk(TextbookPassage):
    """A chunk to be stored, with the text it comes from."""

    cleaned: CleanedText = field(repr=False)


class SemanticChunker:
    """Chunks along the book's structure: no chunk crosses a section, and definitions and examples stay whole."""

    def chunk(self, cleaned: CleanedText) -> list[TextbookChunk]:
        """The chunks in reading order; together they cover every unit."""
        return [TextbookChunk(chunk, cleaned) for chunk in build_chunks(cleaned.document, cleaned.units)]


def _page_segments(parsed: ParsedFile) -> Iterator[tuple[int, Span]]:
    """The segments of the cleaned text, each with its page; a paragraph across a page break is two."""
    if parsed.layout is None:
        yield from ((line.page or 1, line.span) for line in parsed.lines)
    else:
        yield from ((s.page or 1, Span(s.start, s.start + s.length)) for s in parsed.offsets.segments)


def _fields_from_name(stem: str) -> dict[str, str]:
    """The class and subject in a file's name, as header fields; an unknown word is not a subject."""
    fields: dict[str, str] = {}
    if found := _CLASS.search(stem):
        fields["CLASS"] = found[1]
    words = f" {' '.join(_WORDS.findall(stem)).lower()} "
    subject = next((subject for name, subject in _SUBJECTS.items() if f" {name} " in words), None)
    return fields | ({"SUBJECT": subject} if subject else {})
