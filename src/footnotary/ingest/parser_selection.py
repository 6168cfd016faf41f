"""Selects the parser for a media type."""

from collections.abc import Callable, Mapping

from footnotary.errors import DocumentError
from footnotary.ingest.file_type import (
    CSV,
    DOCX,
    EML,
    ENCRYPTED,
    EPUB,
    HTML,
    JPEG,
    JSONL,
    MARKDOWN,
    MSG,
    OLE,
    OPEN_DOCUMENT,
    PDF,
    PNG,
    PPTX,
    RTF,
    TEXT,
    TIFF,
    TSV,
    XLSX,
    DetectedFormat,
)
from footnotary.ingest.parse.csv_table import parse_csv, parse_tsv
from footnotary.ingest.parse.docx.parser import parse_docx
from footnotary.ingest.parse.epub import parse_epub
from footnotary.ingest.parse.html.parser import parse_html
from footnotary.ingest.parse.jsonl import parse_jsonl
from footnotary.ingest.parse.mail.eml import parse_eml
from footnotary.ingest.parse.mail.oxmsg_message import parse_msg
from footnotary.ingest.parse.markdown import parse_markdown
from footnotary.ingest.parse.text import parse_text
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.tables.row_labels import label_table_rows

_Parser = Callable[[bytes, str], ParsedFile]

BINARY_ENCODING = "binary"  # the encoding of files that are not text


def _parse_pdf(data: bytes, encoding: str) -> ParsedFile:
    from footnotary.ingest.pdf.scanned import parse_pdf_or_scan  # numpy and pdfium, only where there is a PDF

    return parse_pdf_or_scan(data, encoding)


def _parse_image(data: bytes, encoding: str) -> ParsedFile:
    from footnotary.ingest.ocr.parser import parse_image

    return parse_image(data, encoding)


def _parse_xlsx(data: bytes, encoding: str) -> ParsedFile:
    from footnotary.ingest.parse.office.openpyxl_workbook import parse_xlsx

    return parse_xlsx(data, encoding)


def _parse_pptx(data: bytes, encoding: str) -> ParsedFile:
    from footnotary.ingest.parse.office.pptx_presentation import parse_pptx

    return parse_pptx(data, encoding)


_UNLABELLED: Mapping[str, _Parser] = {
    TEXT: parse_text,
    MARKDOWN: parse_markdown,
    HTML: parse_html,
    JSONL: parse_jsonl,
    DOCX: parse_docx,
    PDF: _parse_pdf,
    PNG: _parse_image,
    JPEG: _parse_image,
    TIFF: _parse_image,
    XLSX: _parse_xlsx,
    PPTX: _parse_pptx,
    EML: parse_eml,
    EPUB: parse_epub,
    MSG: parse_msg,
    CSV: parse_csv,
    TSV: parse_tsv,
}


def _with_labelled_rows(parser: _Parser) -> _Parser:
    return lambda data, encoding: label_table_rows(parser(data, encoding))


PARSERS: Mapping[str, _Parser] = {kind: _with_labelled_rows(parser) for kind, parser in _UNLABELLED.items()}
_HINTS = {
    "application/json": "write it as JSONL, one object per line",
    "application/gzip": "unpack it first",
    OLE: "save it as DOCX, XLSX or PPTX",
    OPEN_DOCUMENT: "save it as DOCX, XLSX, PPTX or PDF",
    RTF: "save it as DOCX or PDF",
}
_NAMES = {
    OLE: "files of Office 97 to 2003 (.doc, .xls, .ppt)",
    OPEN_DOCUMENT: "OpenDocument files (.odt, .ods, .odp)",
    RTF: "RTF files",
    "application/octet-stream": "files of an unknown type",
}


def has_parser(sniffed: DetectedFormat) -> bool:
    return sniffed.media_type in PARSERS


def parse(data: bytes, sniffed: DetectedFormat) -> ParsedFile:
    """The file, parsed by the parser for its type. Raises `DocumentError` if there is none, or parsing fails."""
    if sniffed.media_type == ENCRYPTED:
        raise DocumentError(
            "it is encrypted and needs a password",
            reason="encrypted",
            hint="save a copy without a password",
        )
    parser = PARSERS.get(sniffed.media_type)
    if parser is None:
        raise DocumentError(
            f"{_NAMES.get(sniffed.media_type, f'files of type {sniffed.media_type}')} are not supported",
            reason="unsupported_type",
            hint=_HINTS.get(
                sniffed.media_type,
                "convert it to PDF, DOCX, XLSX, PPTX, HTML, Markdown or plain text",
            ),
        )
    return parser(data, sniffed.encoding or BINARY_ENCODING)
