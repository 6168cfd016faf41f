"""The words of a page, from a text layer or OCR: the input of layout analysis."""

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from footnotary.domain.layout import Box, Page

PDFIUM_HYPHEN = "\ufffe"  # pdfium's code for a hyphen at the end of a line

_RUN = re.compile(r"\S+")
_INDIC_RUN = re.compile(r"[^\W\d_\u0900-\u0dff]*[\u0900-\u0dff]\S*")
_NOT_INDIC = re.compile(r"[\u00a1-\u036f\u1e00-\u1eff]")
_REMEMBERED_OCCURRENCES = 4  # occurrences of one word that are remembered
_NON_LETTERS = frozenset("\0\u0002" + PDFIUM_HYPHEN)

Corners: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PageWord:
    """A run of characters without a blank. `char` is its offset in the page's text, `box` its box on the stored page.

    `at` is the box on the upright page: x from the left, y from the bottom. `raised` words are smaller and higher than
    their neighbours (superscripts). `text` has no end-of-line hyphen; `hyphen` says that one follows.
    """

    text: str
    char: int
    box: Box
    at: Box
    size: float
    raised: bool = False
    hyphen: bool = False
    confidence: float | None = None

    @property
    def end(self) -> int:
        return self.char + len(self.text)


@dataclass(frozen=True, slots=True)
class ExtractedPage:
    """One page as extracted: its text, in which every word is at its offset `char`, and its words.

    `sideways` are words in another direction than the rest of the page: a stamp on the margin. `rules` are straight
    lines drawn on the upright page, such as those of tables.
    """

    page: Page
    text: str
    words: Sequence[PageWord]
    sideways: Sequence[PageWord] = ()
    rules: tuple[Box, ...] = ()


class GlyphMetrics(Protocol):
    """The characters of a page, by their offset in its text."""

    def box(self, at: int) -> Corners | None:
        """Left, bottom, right and top on the stored page; None for a character without extent."""
        ...

    def size(self, at: int) -> float:
        """The height of its font in points."""
        ...

    def turn(self, box: Corners) -> Corners:
        """The box on the upright page."""
        ...


def extract_words(text: str, glyphs: GlyphMetrics) -> list[PageWord]:
    """The words of a page's text by the boxes of its characters."""
    words: list[PageWord] = []
    for run in _RUN.finditer(text):
        _split_run(text, run.start(), run.end(), glyphs, words)
    return _drop_shadow_copies(words)


def _drop_shadow_copies(words: Sequence[PageWord]) -> list[PageWord]:
    """Drops words drawn again a little apart, to look bold or cast a shadow."""
    drawn: dict[str, deque[Box]] = {}
    kept: list[PageWord] = []
    for word in words:
        before = drawn.setdefault(word.text, deque(maxlen=_REMEMBERED_OCCURRENCES))
        near = 0.3 * word.size
        shadow = any(abs(b.left - word.at.left) < near and abs(b.bottom - word.at.bottom) < near for b in before)
        if not (shadow and len(word.text) > 1):
            before.append(word.at)
            kept.append(word)
    return kept


def _split_run(text: str, start: int, end: int, glyphs: GlyphMetrics, words: list[PageWord]) -> None:
    """Splits a run where it changes line, height or baseline: "any⁷[Indian" is three words."""
    first, held = start, list[Corners]()
    before: Corners | None = None
    for at in range(start, end):
        char = text[at]
        if char in _NON_LETTERS:
            if held:
                words.append(_build_word(text, first, held, glyphs))
                if char == PDFIUM_HYPHEN:
                    words[-1] = replace(words[-1], hyphen=True)
            held, before = [], None
            continue
        box = glyphs.box(at)
        if box is None:  # a mark without extent belongs to the letter before it
            if not held:
                continue
            box = held[-1]
        upright = glyphs.turn(box)
        if before is not None and not _is_adjacent(before, upright):
            words.append(_build_word(text, first, held, glyphs))
            held = []
        if not held:
            first = at
        held.append(box)
        before = upright
    if held:
        words.append(_build_word(text, first, held, glyphs))


def _is_adjacent(before: Corners, box: Corners) -> bool:
    """Whether a letter is next to the one before it, on the same line and baseline."""
    if before[0] - box[0] > 2 * (box[3] - box[1]):  # back to the start: the same words drawn again, to look bold
        return False
    if box[1] == before[1] and box[3] == before[3]:
        return box[0] - before[2] <= 1.5 * (box[3] - box[1])
    height, last = box[3] - box[1], before[3] - before[1]
    low, high = (height, last) if height < last else (last, height)
    if min(before[3], box[3]) - max(before[1], box[1]) < 0.5 * low or box[0] - before[2] > 1.5 * high:
        return False
    # Superscripts and subscripts differ in height and baseline; a dash from another font only in height.
    return low >= 0.82 * high or abs(box[1] - before[1]) <= 0.15 * high


def _build_word(text: str, first: int, held: Sequence[Corners], glyphs: GlyphMetrics) -> PageWord:
    stored = (
        min(box[0] for box in held),
        min(box[1] for box in held),
        max(box[2] for box in held),
        max(box[3] for box in held),
    )
    box, upright = Box(*stored), glyphs.turn(stored)
    at = box if upright is stored else Box(*upright)
    return PageWord(text[first : first + len(held)], first, box, at, glyphs.size(first))


def mark_superscripts(row: Sequence[PageWord]) -> list[PageWord]:
    """The words of one line, with superscripts marked as `raised`."""
    if len(row) < 2:
        return list(row)
    letters = sum(len(word.text) for word in row)
    sizes = sorted((word.size, len(word.text)) for word in row)
    seen, size = 0, sizes[-1][0]
    for each, count in sizes:
        seen += count
        if 2 * seen >= letters:
            size = each
            break
    feet = sorted(word.at.bottom for word in row if word.size > 0.9 * size)
    foot = feet[len(feet) // 2]
    return [
        replace(word, raised=True)
        if word.size < 0.82 * size and word.at.bottom > foot + 0.15 * size and len(word.text) <= 4
        else word
        for word in row
    ]


def has_indic_letters(text: str) -> bool:
    """Whether a text has letters of an Indian script."""
    return _INDIC_RUN.search(text) is not None


def text_layer_is_sound(text: str) -> bool:
    """Whether a page's text layer matches what is displayed: false for no letters, and for wrong letters.

    Fonts without a proper Unicode map give private-use characters, replacement characters, or, for Indian scripts, a
    mix of accented Latin letters and phonetic signs, often within otherwise correct words. Legacy pre-Unicode fonts
    display Hindi for ASCII letters: they store its most frequent words as "dk", "ds" and "gS".
    """
    letters = odd = 0
    for char, times in Counter(text).items():
        category = unicodedata.category(char)
        if char in "\ufffd\0" or (category in ("Co", "Cn", "Cs") and char != PDFIUM_HYPHEN):
            odd += times
            letters += times
        elif category[0] == "L":
            letters += times
            # IPA, spacing modifiers and rare accented Latin: fine in a name, but not in one of six letters.
            odd += times * (0x180 <= ord(char) < 0x370 or char in _RARE_LATIN)
    if not letters or odd * 6 > letters:
        return False
    if _is_legacy_font_hindi(text.split()):
        return False
    indic = [run[0] for run in _INDIC_RUN.finditer(text)]
    mixed = sum(1 for run in indic if _NOT_INDIC.search(run))
    return mixed * 30 <= len(indic)


_HINDI_IN_LEGACY_FONTS = frozenset("dk dh ds dks ls esa gS gSa ij fd vkSj rFkk ugha fdlh bl fy, djus Hkh ;g".split())


def _is_legacy_font_hindi(words: Sequence[str]) -> bool:
    found = [word for word in words if word in _HINDI_IN_LEGACY_FONTS]
    english = sum(word in ("the", "of", "and", "to", "in") for word in words)
    return len(set(found)) >= 3 and len(found) > english and 25 * len(found) > len(words)


_RARE_LATIN = frozenset("ªºµ¹²³ÐÞþðÿŒœŠšŸŽžƒ")
