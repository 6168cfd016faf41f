"""PDF files, read with pdfium: text with the box of every word, page by page."""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from footnotary.domain.layout import Box, Page
from footnotary.errors import DocumentError, UsageError
from footnotary.ingest.page_layout.packed_words import PackedWords
from footnotary.ingest.page_layout.ruled_tables import find_grids
from footnotary.ingest.page_layout.words import Corners, ExtractedPage, PageWord, extract_words, text_layer_is_sound
from footnotary.ingest.parse_context import report_page_done
from footnotary.ingest.pdf.ruled_lines import find_drawn_rules

if TYPE_CHECKING:
    from types import ModuleType

_NEEDS_PASSWORD = 4  # FPDF_ERR_PASSWORD


def read_pdf(data: bytes) -> tuple[list[ExtractedPage], Mapping[int, ExtractedPage]]:
    """The words of every page, and the pages (from 1) that are not blank but have no sound text, with their text layer.

    In the first list, those pages have no words.
    """
    pdfium = _import_pdfium()
    document = _open_pdf(pdfium, data)
    try:
        if len(document) == 0:
            raise DocumentError("it has no pages", reason="broken_file", hint="check that the download is complete")
        pages: list[ExtractedPage] = []
        unread: dict[int, ExtractedPage] = {}
        for number in range(len(document)):
            words, is_not_blank = _page(pdfium, document, number)
            if is_not_blank and not text_layer_is_sound(words.text):
                unread[number + 1] = words
                words = ExtractedPage(words.page, "", ())
            pages.append(replace(words, words=PackedWords(words.text, words.words)))
            report_page_done(number + 1, len(document))
        return pages, unread
    finally:
        document.close()


def _import_pdfium() -> "ModuleType":
    try:
        import pypdfium2  # pyright: ignore[reportMissingTypeStubs]
    except ImportError as error:
        raise UsageError(
            "reading PDF files needs pypdfium2, which is not installed", hint="pip install 'footnotary[pdf]'"
        ) from error
    return pypdfium2


def _open_pdf(pdfium: Any, data: bytes) -> Any:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == _NEEDS_PASSWORD or "password" in str(error).lower():
            raise DocumentError(
                "it is encrypted and needs a password",
                reason="encrypted",
                hint="save a copy without a password",
            ) from error
        raise DocumentError(
            f"it cannot be opened as a PDF: {error}", reason="broken_file", hint="check that the download is complete"
        ) from error


def _page(pdfium: Any, document: Any, number: int) -> tuple[ExtractedPage, bool]:
    """One page's words, and whether it is not blank."""
    raw: Any = pdfium.raw
    try:
        page = document[number]
    except pdfium.PdfiumError:  # a page that does not load is a page without text
        return ExtractedPage(Page(0.0, 0.0), "", ()), True
    try:
        box = page.get_mediabox()
        is_not_blank = raw.FPDFPage_CountObjects(page) > 0
        layer = page.get_textpage()
        try:
            text = _page_text(raw, layer, layer.count_chars())
            glyphs = _PdfiumGlyphs(raw, layer.raw, box, page.get_rotation())
            directions = _count_directions(text, glyphs)
            main = max(directions, key=lambda each: directions[each], default=0)
            glyphs.rotation = main  # turns the page so that most of its lines run from left to right
            words, sideways = extract_words(text, glyphs), list[PageWord]()
            if len(directions) > 1:
                sideways = [word for word in words if glyphs.direction(word.char) != main]
                words = [word for word in words if glyphs.direction(word.char) == main]
            rules = tuple(
                rule
                for grid in find_grids(Box(*glyphs.turn(rule)) for rule in find_drawn_rules(raw, page))
                for rule in (*grid.across, *grid.upright)
            )
        finally:
            layer.close()
    finally:
        page.close()
    width, height = box[2] - box[0], box[3] - box[1]
    shown = Page(width, height, main, document.get_page_label(number) or None)
    return ExtractedPage(shown, text, tuple(words), tuple(sideways), rules), is_not_blank


def _count_directions(text: str, glyphs: "_PdfiumGlyphs") -> Counter[int]:
    """The number of words by direction, by the first letter of each."""
    return Counter(glyphs.direction(run.start()) for run in re.finditer(r"\w+", text))


def _page_text(raw: Any, layer: Any, count: int) -> str:
    """One character for each that pdfium counts, NUL for those its text omits or expands to several."""
    text: str = layer.get_text_range(0, count) if count else ""
    if len(text) == count:
        return text
    chars: list[str] = []
    for at in range(count):
        code = raw.FPDFText_GetUnicode(layer, at)
        char = chr(code) if 0 < code <= 0xFFFF and not 0xD800 <= code < 0xE000 else "\0"
        if raw.FPDFText_GetTextIndexFromCharIndex(layer, at) < 0:
            char = "\0"
        chars.append(char)
    return "".join(chars)


class _PdfiumGlyphs:
    """The characters of one page from pdfium; the boxes are as high as the font and as wide as the glyph."""

    def __init__(self, raw: Any, layer: Any, box: Corners, rotation: int) -> None:
        self._layer = layer
        self._rect, self._matrix = raw.FS_RECTF(), raw.FS_MATRIX()
        self._rect_at, self._matrix_at = ctypes.byref(self._rect), ctypes.byref(self._matrix)
        self._get_box, self._get_size = raw.FPDFText_GetLooseCharBox, raw.FPDFText_GetFontSize
        self._get_matrix = raw.FPDFText_GetMatrix
        self._page = box
        self.rotation = rotation

    def box(self, at: int) -> Corners | None:
        rect = self._rect
        if not self._get_box(self._layer, at, self._rect_at):
            return None
        box = (rect.left, rect.bottom, rect.right, rect.top)
        return box if box[0] < box[2] and box[1] < box[3] else None

    def size(self, at: int) -> float:
        matrix = self._matrix
        if not self._get_matrix(self._layer, at, self._matrix_at):
            return self._get_size(self._layer, at)
        return self._get_size(self._layer, at) * math.hypot(matrix.c, matrix.d)

    def direction(self, at: int) -> int:
        """The direction of text at a character on the stored page, in degrees counter-clockwise."""
        matrix = self._matrix
        if not self._get_matrix(self._layer, at, self._matrix_at):
            return 0
        return round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) * 90 % 360

    def turn(self, box: Corners) -> Corners:
        left, bottom, right, top = self._page
        if self.rotation == 0:
            return box
        if self.rotation == 90:
            return box[1] - bottom, right - box[2], box[3] - bottom, right - box[0]
        if self.rotation == 180:
            return right - box[2], top - box[3], right - box[0], top - box[1]
        return top - box[3], box[0] - left, top - box[1], box[2] - left
