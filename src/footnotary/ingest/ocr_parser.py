"""OCR of scans: pages without a text layer and images of pages, read with Tesseract."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from footnotary.domain.layout import Box, Page
from footnotary.errors import DocumentError
from footnotary.ingest.layer_words import corrected
from footnotary.ingest.page_words import PageWords, is_indic
from footnotary.ingest.paged_text import paged_text
from footnotary.ingest.parsed import Parsed
from footnotary.ingest.picture import pictures
from footnotary.ingest.scan_rules import without_tables_lines
from footnotary.ingest.scan_words import DPI, Scan, levelled, placed
from footnotary.ingest.tesseract import SeenWord, installed, orientation, require, words_seen
from footnotary.ingest.under_way import ocr_languages, page_done

_SURE = 0.75  # mean confidence: over 0.9 for prose on a clean scan, below 0.5 upside down
_NOISE = 0.4
_READABLE = 0.45  # handwriting and pictures have 0.2 to 0.4: such guesses are not text
_SURE_OF_TURN, _CERTAIN_OF_TURN = 1.5, 6.0
_DOUBTFUL = 0.12


@dataclass(frozen=True, slots=True)
class _Reading:
    words: tuple[SeenWord, ...]
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


def parse_image(data: bytes, encoding: str) -> Parsed:  # noqa: ARG001 (the same for all parsers)
    """The text of a PNG, JPEG or TIFF; each image in the file is a page.

    Raises `DocumentError`: `ocr_missing` without Tesseract, `broken_file`, `parse_limit`, `no_text`.
    """
    scans = [Scan(p.grey, Page(p.width, p.height), 72 * p.grey.shape[1] / p.width) for p in pictures(data)]
    pages = list(recognised(scans, len(scans)))
    silent = tuple(number for number, page in enumerate(pages, start=1) if not page.words)
    if len(silent) == len(pages):
        raise DocumentError(
            "no readable text was found in the image",
            reason="no_text",
            hint="check that it is a clear scan of printed text",
        )
    parsed = paged_text(pages)
    return Parsed(parsed.text, parsed.offsets, parsed.lines, layout=parsed.layout, pages_without_text=silent)


def recognised(scans: Iterable[Scan], total: int) -> Iterator[PageWords]:
    """The words of each page in order, read on all cores; only the images being read are held in memory."""
    languages = ocr_languages()
    require("eng" if languages == "auto" else languages)
    cores = os.cpu_count() or 1
    waiting: deque[Future[PageWords]] = deque()
    done = 0
    with ThreadPoolExecutor(cores) as threads:
        for scan in scans:
            waiting.append(threads.submit(read_scan, scan, languages))
            if len(waiting) > cores:
                yield waiting.popleft().result()
                page_done(done := done + 1, total)
        while waiting:
            yield waiting.popleft().result()
            page_done(done := done + 1, total)


def read_scan(scan: Scan, languages: str) -> PageWords:
    """The words of one page in any orientation, in "eng", "hin", "eng+hin", or the languages "auto" detects.

    The page's text is its words separated by blanks, line by line; the page's `rotation` makes it upright. A page read
    with low confidence has no words.
    """
    reading = _best_reading(scan, languages)
    words: Sequence[SeenWord] = ()
    if reading.confidence >= _READABLE:
        words = [word for word in reading.words if word.confidence >= _NOISE or any(map(str.isalnum, word.text))]
    page = Page(scan.page.width, scan.page.height, (scan.page.rotation + reading.turn) % 360, scan.page.label)
    layer = scan.layer
    if layer and layer.words and layer.page.rotation == page.rotation and not (scan.left or scan.bottom):
        height = scan.grey.shape[0 if reading.turn % 180 == 0 else 1]
        words = corrected(words, layer.words, height, scan.dpi)
    return replace(placed(levelled(words), page, scan, reading.turn), rules=reading.rules)


def _best_reading(scan: Scan, languages: str) -> _Reading:
    half = np.ascontiguousarray(scan.grey[::2, ::2])  # half the resolution is enough to detect the orientation
    found = orientation(half, DPI // 2)
    turn = found.turn if found and found.confidence >= _SURE_OF_TURN else 0
    script = found.script if found else None
    if scan.layer and is_indic(scan.layer.text):
        script = "Devanagari"  # wrong letters, but the right script
    wanted = _languages(script) if languages == "auto" else languages

    def read(turn: int, languages: str) -> _Reading:
        bare, rules = without_tables_lines(np.ascontiguousarray(np.rot90(scan.grey, -turn // 90)), scan.dpi)
        return _Reading(words_seen(bare, languages, DPI, in_rows=bool(rules)), turn, rules)

    best = read(turn, wanted)
    if languages == "auto" and best.low_confidence_share > _DOUBTFUL and (every := _languages(None)) != wanted:
        wanted, best = max(((wanted, best), (every, read(turn, every))), key=lambda each: each[1].weighted_letters)
    if best.confidence >= _SURE or (found and found.confidence >= _CERTAIN_OF_TURN and best.words):
        return best
    ways = (0, 180, 90, 270) if best.words or found else (0, 180)  # an empty page is only tried upside down
    tried = [
        _Reading(words_seen(np.ascontiguousarray(np.rot90(half, -way // 90)), wanted, DPI // 2), way) for way in ways
    ]
    likeliest = max(tried, key=lambda reading: reading.weighted_letters).turn
    return (
        best if likeliest == turn else max(best, read(likeliest, wanted), key=lambda reading: reading.weighted_letters)
    )


def _languages(script: str | None) -> str:
    """The OCR languages for a script: English and Hindi if it is Devanagari or unknown."""
    if script == "Devanagari":
        require("hin")
        return "eng+hin"
    return "eng+hin" if script is None and "hin" in installed() else "eng"
