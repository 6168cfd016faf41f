"""Scans: pages without a text layer and pictures of pages, read with Tesseract."""

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from footnotary.domain.layout import Box, Page
from footnotary.errors import DocumentError
from footnotary.ingest.layer_words import corrected
from footnotary.ingest.page_words import PageWords, Word, is_indic
from footnotary.ingest.paged_text import paged_text
from footnotary.ingest.parsed import Parsed
from footnotary.ingest.picture import pictures
from footnotary.ingest.scan_rules import without_tables_lines
from footnotary.ingest.tesseract import Grey, SeenWord, installed, orientation, require, words_seen
from footnotary.ingest.under_way import ocr_languages, page_done

DPI = 300
_SURE = 0.75  # of prose on a clean scan, the mean confidence is over 0.9; upside down, below 0.5
_NOISE = 0.4
_READABLE = 0.45  # of handwriting and pictures it is 0.2 to 0.4: what is guessed there is nobody's words
_SURE_OF_TURN, _CERTAIN_OF_TURN = 1.5, 6.0
_DOUBTFUL = 0.12
_TOO_HIGH = 1.9


@dataclass(frozen=True, slots=True)
class Scan:
    """A picture of a page as it is shown, `dpi` pixels to the inch, and the page it shows.

    `left` and `bottom` say where the lower left corner of the picture stands on the stored page, in points; `layer`
    is what the page has for text, which is not sound, or not all of it.
    """

    grey: Grey
    page: Page
    dpi: float = DPI
    left: float = 0.0
    bottom: float = 0.0
    layer: PageWords | None = None


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
    def doubtful(self) -> float:
        """The share of letters in words that were rather guessed than read: there may be another script among them."""
        letters = sum(len(word.text) for word in self.words)
        return sum(len(word.text) for word in self.words if word.confidence < 0.6) / letters if letters else 0.0

    @property
    def worth(self) -> float:
        """How many letters were read with some confidence."""
        return sum(word.confidence**2 * len(word.text) for word in self.words)


def parse_image(data: bytes, encoding: str) -> Parsed:  # noqa: ARG001 (the same for all parsers)
    """The text of a PNG, JPEG or TIFF, each picture of which is a page.

    Raises `DocumentError`: `ocr_missing` without Tesseract, `broken_file`, `parse_limit`, `no_text`.
    """
    scans = [Scan(p.grey, Page(p.width, p.height), 72 * p.grey.shape[1] / p.width) for p in pictures(data)]
    pages = list(recognised(scans, len(scans)))
    silent = tuple(number for number, page in enumerate(pages, start=1) if not page.words)
    if len(silent) == len(pages):
        raise DocumentError(
            "no text was found on it that can be read",
            reason="no_text",
            hint="check that it is a page of printed text, and scanned clearly",
        )
    parsed = paged_text(pages)
    return Parsed(parsed.text, parsed.offsets, parsed.lines, layout=parsed.layout, pages_without_text=silent)


def recognised(scans: Iterable[Scan], total: int) -> Iterator[PageWords]:
    """The words of each page in order, read on all cores; only as many pictures are held as are being read."""
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
    """The words of one page, whichever way up it was scanned, in "eng", "hin", "eng+hin", or what "auto" finds.

    The page's text is its words with blanks between, one line each; `rotation` of the page says how to turn it. A
    page of which most is guessed has no words.
    """
    reading = _best_reading(scan, languages)
    words = [word for word in reading.words if word.confidence >= _NOISE or any(map(str.isalnum, word.text))]
    words = _levelled(words) if reading.confidence >= _READABLE else []
    page = Page(scan.page.width, scan.page.height, (scan.page.rotation + reading.turn) % 360, scan.page.label)
    layer = scan.layer
    if layer and layer.words and layer.page.rotation == page.rotation and not (scan.left or scan.bottom):
        height = scan.grey.shape[0 if reading.turn % 180 == 0 else 1]
        words = list(corrected(words, layer.words, height, scan.dpi))
    return replace(_placed(words, page, scan, reading.turn), rules=reading.rules)


def _best_reading(scan: Scan, languages: str) -> _Reading:
    half = np.ascontiguousarray(scan.grey[::2, ::2])  # letters this large are enough to tell which way is up
    found = orientation(half, DPI // 2)
    turn = found.turn if found and found.confidence >= _SURE_OF_TURN else 0
    script = found.script if found else None
    if scan.layer and is_indic(scan.layer.text):
        script = "Devanagari"  # wrong letters, but it says which kind they are
    wanted = _languages(script) if languages == "auto" else languages

    def read(turn: int, languages: str) -> _Reading:
        bare, rules = without_tables_lines(np.ascontiguousarray(np.rot90(scan.grey, -turn // 90)), scan.dpi)
        return _Reading(words_seen(bare, languages, DPI, in_rows=bool(rules)), turn, rules)

    best = read(turn, wanted)
    if languages == "auto" and best.doubtful > _DOUBTFUL and (every := _languages(None)) != wanted:
        wanted, best = max(((wanted, best), (every, read(turn, every))), key=lambda each: each[1].worth)
    if best.confidence >= _SURE or (found and found.confidence >= _CERTAIN_OF_TURN and best.words):
        return best
    ways = (0, 180, 90, 270) if best.words or found else (0, 180)  # an empty page is turned once, to be sure
    tried = [
        _Reading(words_seen(np.ascontiguousarray(np.rot90(half, -way // 90)), wanted, DPI // 2), way) for way in ways
    ]
    likeliest = max(tried, key=lambda reading: reading.worth).turn
    return best if likeliest == turn else max(best, read(likeliest, wanted), key=lambda reading: reading.worth)


def _languages(script: str | None) -> str:
    """What to read a page with: both languages where its script is Devanagari, or cannot be told."""
    if script == "Devanagari":
        require("hin")
        return "eng+hin"
    return "eng+hin" if script is None and "hin" in installed() else "eng"


def _placed(words: list[SeenWord], page: Page, scan: Scan, turn: int) -> PageWords:
    points = 72 / scan.dpi
    height, width = scan.grey.shape if turn % 180 == 0 else scan.grey.shape[::-1]
    slope = _slope(words)
    stored = _stored(page, scan, width * points, height * points)
    sizes: dict[tuple[int, int, int], list[int]] = {}
    for word in words:
        sizes.setdefault(word.line, []).append(word.height)
    usual = {line: median(heights) for line, heights in sizes.items()}
    text: list[str] = []
    placed: list[Word] = []
    char, line = 0, None
    for at, word in enumerate(words):
        if line is not None:
            text.append(" " if line == word.line else "\n")
            char += 1
        line = word.line
        upright = Box(
            word.left * points,
            (height - word.top - word.height) * points,
            (word.left + word.width) * points,
            (height - word.top) * points,
        )
        # A page that lies a little askew is read as if it lay straight; a citation is shown where it is.
        drop = slope * (word.left + word.width / 2 - width / 2) * points
        straight = Box(upright.left, upright.bottom + drop, upright.right, upright.top + drop)
        # Letters without ascenders are no smaller print; a figure half as high as the line is.
        size = (word.height if word.height < 0.6 * usual[word.line] else usual[word.line]) * points
        is_last = at + 1 == len(words) or words[at + 1].line != word.line
        hyphen = is_last and len(word.text) > 1 and word.text[-1] in "-\u2010" and word.text[-2].isalpha()
        letters = word.text[:-1] if hyphen else word.text
        placed.append(Word(letters, char, stored(upright), straight, size, False, hyphen, word.confidence))
        text.append(word.text)
        char += len(word.text)
    return PageWords(page, "".join(text), tuple(placed))


def _levelled(words: list[SeenWord]) -> list[SeenWord]:
    """Words whose box is far higher than those of their line are given that of their neighbour.

    Tesseract puts the box of a word it is not sure of around its line, and what stands above and below it.
    """
    lines: dict[tuple[int, int, int], list[int]] = {}
    for at, word in enumerate(words):
        lines.setdefault(word.line, []).append(at)
    level = list(words)
    for line in lines.values():
        usual = median(words[at].height for at in line)
        fitting = [at for at in line if words[at].height <= _TOO_HIGH * usual]
        for at in line:
            if fitting and words[at].height > _TOO_HIGH * usual:
                near = words[min(fitting, key=lambda other: abs(other - at))]
                level[at] = replace(words[at], top=near.top, height=near.height)
    return level


def _slope(words: list[SeenWord]) -> float:
    """By how much lines fall per pixel to the right, told from the feet of the long ones."""
    lines: dict[tuple[int, int, int], list[SeenWord]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word)
    slopes = [
        ((last.top + last.height) - (first.top + first.height)) / (last.left - first.left)
        for first, *_, last in (line for line in lines.values() if len(line) >= 5)
        if last.left - first.left > 300
    ]
    slope = median(slopes) if len(slopes) >= 3 else 0.0
    return slope if abs(slope) < math.tan(math.radians(10)) else 0.0


def _stored(page: Page, scan: Scan, width: float, height: float) -> Callable[[Box], Box]:
    """From a place on the page as it is read to the place on the page as it is stored."""
    left, bottom = scan.left, scan.bottom
    if page.rotation == 90:
        return lambda b: Box(left + height - b.top, bottom + b.left, left + height - b.bottom, bottom + b.right)
    if page.rotation == 180:
        right, top = left + width, bottom + height
        return lambda b: Box(right - b.right, top - b.top, right - b.left, top - b.bottom)
    if page.rotation == 270:
        return lambda b: Box(left + b.bottom, bottom + width - b.right, left + b.top, bottom + width - b.left)
    return lambda b: Box(left + b.left, bottom + b.bottom, left + b.right, bottom + b.top)
