"""OCR of scans: pages without a text layer and images of pages, read with Tesseract."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from footnotary.domain.layout import Box, Page
from footnotary.errors import DocumentError
from footnotary.ingest.ocr.images import read_page_images
from footnotary.ingest.ocr.table_line_removal import erase_table_rules
from footnotary.ingest.ocr.tesseract import (
    OcrWord,
    detect_orientation,
    installed_languages,
    recognize_words,
    require_languages,
)
from footnotary.ingest.ocr.text_layer_repair import correct_with_text_layer
from footnotary.ingest.ocr.word_placement import OCR_DPI, ScannedPage, normalize_word_heights, place_ocr_words
from footnotary.ingest.page_layout.paged_text import compose_paged_text
from footnotary.ingest.page_layout.words import ExtractedPage, has_indic_letters
from footnotary.ingest.parse_context import ocr_languages, report_page_done
from footnotary.ingest.parsed_document import ParsedFile

_CONFIDENT = 0.75  # mean confidence: over 0.9 for prose on a clean scan, below 0.5 upside down
_MIN_WORD_CONFIDENCE = 0.4
_MIN_PAGE_CONFIDENCE = 0.45  # handwriting and pictures have 0.2 to 0.4: such guesses are not text
_LIKELY_ORIENTATION, _CERTAIN_ORIENTATION = 1.5, 6.0
_MAX_LOW_CONFIDENCE_SHARE = 0.12


@dataclass(frozen=True, slots=True)
class _OcrResult:
    words: tuple[OcrWord, ...]
    turn: int
    rules: tuple[Box, ...] = ()

    @property
    def confidence(self) -> float:
        letters = sum(len(word.text) for word in self.words)
        return sum(word.confidence * len(word.text) for word in self.words) / letters if letters else 0.0

    @property
    def low_confidence_share(self) -> float:
        """The share of letters in low-confidence words, which may be in another script."""
        letters = sum(len(word.text) for word in self.words)
        return sum(len(word.text) for word in self.words if word.confidence < 0.6) / letters if letters else 0.0

    @property
    def weighted_letters(self) -> float:
        """The number of letters, weighted by squared confidence."""
        return sum(word.confidence**2 * len(word.text) for word in self.words)


def parse_image(data: bytes, encoding: str) -> ParsedFile:  # noqa: ARG001 (the same for all parsers)
    """The text of a PNG, JPEG or TIFF; each image in the file is a page.

    Raises `DocumentError`: `ocr_missing` without Tesseract, `broken_file`, `parse_limit`, `no_text`.
    """
    scans = [
        ScannedPage(p.grey, Page(p.width, p.height), 72 * p.grey.shape[1] / p.width) for p in read_page_images(data)
    ]
    pages = list(recognize_pages(scans, len(scans)))
    silent = tuple(number for number, page in enumerate(pages, start=1) if not page.words)
    if len(silent) == len(pages):
        raise DocumentError(
            "no readable text was found in the image",
            reason="no_text",
            hint="check that it is a clear scan of printed text",
        )
    parsed = compose_paged_text(pages)
    return ParsedFile(parsed.text, parsed.offsets, parsed.lines, layout=parsed.layout, pages_without_text=silent)


def recognize_pages(scans: Iterable[ScannedPage], total: int) -> Iterator[ExtractedPage]:
    """The words of each page in order, read on all cores; only the images being read are held in memory."""
    languages = ocr_languages()
    require_languages("eng" if languages == "auto" else languages)
    cores = os.cpu_count() or 1
    waiting: deque[Future[ExtractedPage]] = deque()
    done = 0
    with ThreadPoolExecutor(cores) as threads:
        for scan in scans:
            waiting.append(threads.submit(recognize_page, scan, languages))
            if len(waiting) > cores:
                yield waiting.popleft().result()
                report_page_done(done := done + 1, total)
        while waiting:
            yield waiting.popleft().result()
            report_page_done(done := done + 1, total)


def recognize_page(scan: ScannedPage, languages: str) -> ExtractedPage:
    """The words of one page in any orientation, in "eng", "hin", "eng+hin", or the languages "auto" detects.

    The page's text is its words separated by blanks, line by line; the page's `rotation` makes it upright. A page read
    with low confidence has no words.
    """
    reading = _best_ocr_result(scan, languages)
    words: Sequence[OcrWord] = ()
    if reading.confidence >= _MIN_PAGE_CONFIDENCE:
        words = [
            word
            for word in reading.words
            if word.confidence >= _MIN_WORD_CONFIDENCE or any(map(str.isalnum, word.text))
        ]
    page = Page(scan.page.width, scan.page.height, (scan.page.rotation + reading.turn) % 360, scan.page.label)
    layer = scan.layer
    if layer and layer.words and layer.page.rotation == page.rotation and not (scan.left or scan.bottom):
        height = scan.grey.shape[0 if reading.turn % 180 == 0 else 1]
        words = correct_with_text_layer(words, layer.words, height, scan.dpi)
    return replace(place_ocr_words(normalize_word_heights(words), page, scan, reading.turn), rules=reading.rules)


def _best_ocr_result(scan: ScannedPage, languages: str) -> _OcrResult:
    half = np.ascontiguousarray(scan.grey[::2, ::2])  # half the resolution is enough to detect the orientation
    found = detect_orientation(half, OCR_DPI // 2)
    turn = found.turn if found and found.confidence >= _LIKELY_ORIENTATION else 0
    script = found.script if found else None
    if scan.layer and has_indic_letters(scan.layer.text):
        script = "Devanagari"  # wrong letters, but the right script
    wanted = _languages_for_script(script) if languages == "auto" else languages

    def read(turn: int, languages: str) -> _OcrResult:
        bare, rules = erase_table_rules(np.ascontiguousarray(np.rot90(scan.grey, -turn // 90)), scan.dpi)
        return _OcrResult(recognize_words(bare, languages, OCR_DPI, is_table=bool(rules)), turn, rules)

    best = read(turn, wanted)
    if (
        languages == "auto"
        and best.low_confidence_share > _MAX_LOW_CONFIDENCE_SHARE
        and (every := _languages_for_script(None)) != wanted
    ):
        wanted, best = max(((wanted, best), (every, read(turn, every))), key=lambda each: each[1].weighted_letters)
    if best.confidence >= _CONFIDENT or (found and found.confidence >= _CERTAIN_ORIENTATION and best.words):
        return best
    ways = (0, 180, 90, 270) if best.words or found else (0, 180)  # an empty page is only tried upside down
    tried = [
        _OcrResult(recognize_words(np.ascontiguousarray(np.rot90(half, -way // 90)), wanted, OCR_DPI // 2), way)
        for way in ways
    ]
    likeliest = max(tried, key=lambda reading: reading.weighted_letters).turn
    return (
        best if likeliest == turn else max(best, read(likeliest, wanted), key=lambda reading: reading.weighted_letters)
    )


def _languages_for_script(script: str | None) -> str:
    """The OCR languages for a script: English and Hindi if it is Devanagari or unknown."""
    if script == "Devanagari":
        require_languages("hin")
        return "eng+hin"
    return "eng+hin" if script is None and "hin" in installed_languages() else "eng"
