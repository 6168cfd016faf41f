"""All PDF files: pages with a sound text layer are used as they are, the others are rendered and read with OCR."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from footnotary.errors import DocumentError
from footnotary.ingest.ocr.parser import recognize_pages
from footnotary.ingest.ocr.tesseract import GreyImage
from footnotary.ingest.ocr.word_placement import OCR_DPI, ScannedPage
from footnotary.ingest.page_layout.packed_words import PackedWords
from footnotary.ingest.page_layout.paged_text import compose_paged_text
from footnotary.ingest.page_layout.words import ExtractedPage
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.pdf.parser import read_pdf

_MAX_PIXELS = 25_000_000  # A3 at 300 dots per inch has 17


def parse_pdf_or_scan(data: bytes, encoding: str) -> ParsedFile:  # noqa: ARG001 (the same for all parsers)
    """The text of a PDF; `pages_without_text` are the pages that are not blank but have no readable text.

    Raises `DocumentError`: what reading a PDF raises, `ocr_missing` if all pages are scans and Tesseract is not
    installed, `no_text` if no page has any text. If only some pages are scans that cannot be read, the others are
    ingested and those are listed.
    """
    pages, unread = read_pdf(data)
    missing: DocumentError | None = None
    if unread:
        try:
            for number, page in zip(
                unread, recognize_pages(_render_scans(data, pages, unread), len(unread)), strict=True
            ):
                pages[number - 1] = replace(page, words=PackedWords(page.text, page.words))
        except DocumentError as error:
            if error.reason != "ocr_missing":
                raise
            missing = error
    silent = tuple(number for number in unread if not pages[number - 1].words)
    if not any(page.words for page in pages):
        if missing:
            raise missing
        raise DocumentError(
            f"none of its {len(pages)} pages has readable text",
            reason="no_text",
            hint="check that it is the right file, printed rather than handwritten, and a clear scan",
        )
    return replace(compose_paged_text(pages), pages_without_text=silent)


def _render_scans(
    data: bytes, pages: Sequence[ExtractedPage], unread: Mapping[int, ExtractedPage]
) -> Iterator[ScannedPage]:
    pdfium: Any = import_module("pypdfium2")  # read_pdf has already raised if it is missing
    document = pdfium.PdfDocument(data)
    try:
        for number, layer in unread.items():
            try:
                page = document[number - 1]
            except pdfium.PdfiumError:  # a page that does not load has no text
                yield ScannedPage(np.full((10, 10), 255, np.uint8), pages[number - 1].page)
                continue
            left, bottom, _, _ = page.get_cropbox()
            grey, dpi = _render_page(page)
            shown = replace(pages[number - 1].page, rotation=page.get_rotation())
            page.close()
            yield ScannedPage(grey, shown, dpi, left, bottom, layer)
    finally:
        document.close()


def _render_page(page: Any) -> tuple[GreyImage, float]:
    """The page as displayed, in greyscale, and its pixels per inch, which are reduced for a very large page."""
    width, height = page.get_size()
    scale = min(OCR_DPI / 72, math.sqrt(_MAX_PIXELS / max(width * height, 1.0)))
    bitmap = page.render(scale=scale, grayscale=True)
    grey = np.array(bitmap.to_numpy(), dtype=np.uint8)
    bitmap.close()
    return grey.reshape(grey.shape[0], grey.shape[1]), 72 * scale
