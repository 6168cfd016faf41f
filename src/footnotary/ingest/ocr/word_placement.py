"""Converts OCR words of a scan to words of its page: boxes, font sizes and lines."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeAlias

from footnotary.domain.layout import Box, Page
from footnotary.ingest.ocr.tesseract import GreyImage, OcrWord
from footnotary.ingest.page_layout.words import ExtractedPage, PageWord

OCR_DPI = 300
_MAX_RELATIVE_HEIGHT = 1.9
_DESCENDERS, _HEIGHT_WITHOUT_DESCENDERS = frozenset("gjpqyQ,;()[]{}|/"), 0.84  # descenders; height without

_LineId: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """An image of a page as displayed, at `dpi` pixels per inch, and its page.

    `left` and `bottom` are the position of the image's lower left corner on the stored page, in points; `layer` is the
    page's text layer, which is not sound, or only in part.
    """

    grey: GreyImage
    page: Page
    dpi: float = OCR_DPI
    left: float = 0.0
    bottom: float = 0.0
    layer: ExtractedPage | None = None


def place_ocr_words(words: Sequence[OcrWord], page: Page, scan: ScannedPage, turn: int) -> ExtractedPage:
    """OCR words of a scan that was rotated clockwise by `turn` degrees, as words of the page."""
    points = 72 / scan.dpi
    height, width = scan.grey.shape if turn % 180 == 0 else scan.grey.shape[::-1]
    slope = _skew(words)
    stored = _to_stored_box(page, scan, width * points, height * points)
    usual, sizes = _font_sizes(words, slope)
    text: list[str] = []
    page_words: list[PageWord] = []
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
        # A skewed page is deskewed for layout analysis; `box`, shown for citations, keeps the true position.
        drop = slope * (word.left + word.width / 2 - width / 2) * points
        straight = Box(upright.left, upright.bottom + drop, upright.right, upright.top + drop)
        # Letters without ascenders are not smaller print; a digit half as high as the line is.
        size = (word.height if word.height < 0.6 * usual[word.line] else sizes[word.line]) * points
        is_last = at + 1 == len(words) or words[at + 1].line != word.line
        hyphen = is_last and len(word.text) > 1 and word.text[-1] in "-\u2010" and word.text[-2].isalpha()
        letters = word.text[:-1] if hyphen else word.text
        page_words.append(PageWord(letters, char, stored(upright), straight, size, False, hyphen, word.confidence))
        text.append(word.text)
        char += len(word.text)
    return ExtractedPage(page, "".join(text), tuple(page_words))


def _font_sizes(words: Sequence[OcrWord], slope: float) -> tuple[dict[_LineId, float], dict[_LineId, float]]:
    """The median word height of each line, and its font size.

    The font size of a line is the distance from its highest to its lowest letter, which few words span alone. Lines of
    nearly the usual size within a Tesseract block are given exactly that size.
    """
    lines: dict[_LineId, list[OcrWord]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word)
    usual = {line: median(word.height for word in each) for line, each in lines.items()}
    sizes: dict[_LineId, float] = {}
    for line, each in lines.items():
        tops = [word.top - slope * (word.left + word.width / 2) for word in each]
        feet = [top + word.height for top, word in zip(tops, each, strict=True)]
        size = min(max(feet) - min(tops), 2.0 * usual[line])
        letters = "".join(word.text for word in each)
        sizes[line] = (
            size / _HEIGHT_WITHOUT_DESCENDERS if letters.isascii() and not _DESCENDERS & set(letters) else size
        )
    blocks: dict[int, list[float]] = {}
    for word in words:
        blocks.setdefault(word.line[0], []).append(sizes[word.line])
    most = {block: median(each) for block, each in blocks.items()}
    return usual, {
        line: most[line[0]] if abs(size - most[line[0]]) < 0.15 * most[line[0]] else size
        for line, size in sizes.items()
    }


def normalize_word_heights(words: Sequence[OcrWord]) -> list[OcrWord]:
    """Gives words with a box far higher than the others of their line the height of their neighbour.

    Tesseract draws the box of an uncertain word around its whole line and what is above and below it.
    """
    lines: dict[_LineId, list[int]] = {}
    for at, word in enumerate(words):
        lines.setdefault(word.line, []).append(at)
    level = list(words)
    for line in lines.values():
        usual = median(words[at].height for at in line)
        fitting = [at for at in line if words[at].height <= _MAX_RELATIVE_HEIGHT * usual]
        for at in line:
            if fitting and words[at].height > _MAX_RELATIVE_HEIGHT * usual:
                near = words[min(fitting, key=lambda other: abs(other - at))]
                level[at] = replace(words[at], top=near.top, height=near.height)
    return level


def _skew(words: Sequence[OcrWord]) -> float:
    """The skew: by how much lines fall per pixel to the right, from the bottoms of long lines."""
    lines: dict[_LineId, list[OcrWord]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word)
    slopes = [
        ((last.top + last.height) - (first.top + first.height)) / (last.left - first.left)
        for first, *_, last in (line for line in lines.values() if len(line) >= 5)
        if last.left - first.left > 300
    ]
    slope = median(slopes) if len(slopes) >= 3 else 0.0
    return slope if abs(slope) < math.tan(math.radians(10)) else 0.0


def _to_stored_box(page: Page, scan: ScannedPage, width: float, height: float) -> Callable[[Box], Box]:
    """Maps a box on the upright page to the box on the stored page."""
    left, bottom = scan.left, scan.bottom
    if page.rotation == 90:
        return lambda b: Box(left + height - b.top, bottom + b.left, left + height - b.bottom, bottom + b.right)
    if page.rotation == 180:
        right, top = left + width, bottom + height
        return lambda b: Box(right - b.right, top - b.top, right - b.left, top - b.bottom)
    if page.rotation == 270:
        return lambda b: Box(left + b.bottom, bottom + width - b.right, left + b.top, bottom + width - b.left)
    return lambda b: Box(left + b.left, bottom + b.bottom, left + b.right, bottom + b.top)
