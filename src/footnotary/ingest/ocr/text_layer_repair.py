"""Corrects OCR with a partly sound text layer: digits and English words are taken from the layer."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from footnotary.ingest.ocr.tesseract import OcrWord
from footnotary.ingest.page_layout.words import PageWord

_MIN_SIMILARITY = 0.6
_MIN_MATCHING_SHARE = 0.6  # of the comparable words
_MIN_GROUPS = 8


def correct_with_text_layer(
    seen: Sequence[OcrWord], layer: Sequence[PageWord], height: int, dpi: float
) -> tuple[OcrWord, ...]:
    """The OCR words of an upright image, ASCII words replaced by the text layer's words at the same place.

    Only if most ASCII words of the layer match the OCR: legacy fonts display Hindi for ASCII letters.
    """
    stored = [_to_ocr_word(word, height, dpi) for word in layer if word.text.isascii()]
    others = [_to_ocr_word(word, height, dpi) for word in layer if not word.text.isascii()]
    pairs = _overlapping_groups(seen, stored)
    alike = [_is_similar([seen[at].text for at in ours], [stored[at].text for at in theirs]) for ours, theirs in pairs]
    if len(pairs) < _MIN_GROUPS or sum(alike) < _MIN_MATCHING_SHARE * len(pairs):
        return tuple(seen)
    instead: dict[int, list[OcrWord]] = {}
    for ours, theirs in pairs:
        if any(_overlaps(seen[at], other) for at in ours for other in others):
            continue  # part of it is in the other script: only the OCR has it
        line = seen[ours[0]].line
        instead[ours[0]] = [replace(stored[at], line=line) for at in theirs]
        instead.update({at: [] for at in ours[1:]})
    return tuple(word for at, own in enumerate(seen) for word in instead.get(at, [own]))


def _to_ocr_word(word: PageWord, height: int, dpi: float) -> OcrWord:
    scale = dpi / 72
    left, top = round(word.at.left * scale), height - round(word.at.top * scale)
    size = round((word.at.right - word.at.left) * scale), round((word.at.top - word.at.bottom) * scale)
    return OcrWord(word.text + ("-" if word.hyphen else ""), left, top, *size, 1.0, (0, 0, 0))


def _overlapping_groups(seen: Sequence[OcrWord], stored: Sequence[OcrWord]) -> list[tuple[list[int], list[int]]]:
    """Groups of OCR words and layer words that overlap, each as small as possible."""
    order = sorted(range(len(stored)), key=lambda at: stored[at].top)
    tops = [stored[at].top for at in order]
    tallest = max((word.height for word in stored), default=0)
    group: dict[int, int] = {}
    ours: list[list[int]] = []
    theirs: list[list[int]] = []
    for number, word in enumerate(seen):
        start = bisect_left(tops, word.top - tallest)
        end = bisect_left(tops, word.top + word.height)
        met = [order[at] for at in range(start, end) if _overlaps(word, stored[order[at]])]
        if not met:
            continue
        known = next((group[at] for at in met if at in group), None)
        if known is None:
            known = len(ours)
            ours.append([])
            theirs.append([])
        ours[known].append(number)
        for at in met:
            if at not in group:
                group[at] = known
                theirs[known].append(at)
    return [(mine, sorted(other, key=lambda at: stored[at].left)) for mine, other in zip(ours, theirs, strict=True)]


def _overlaps(a: OcrWord, b: OcrWord) -> bool:
    """Whether at least half of the smaller box overlaps the other."""
    wide = min(a.left + a.width, b.left + b.width) - max(a.left, b.left)
    high = min(a.top + a.height, b.top + b.height) - max(a.top, b.top)
    if wide <= 0 or high <= 0:
        return False
    return wide * high >= 0.5 * min(a.width * a.height, b.width * b.height)


def _is_similar(seen: Sequence[str], stored: Sequence[str]) -> bool:
    return SequenceMatcher(None, "".join(seen), "".join(stored), autojunk=False).ratio() >= _MIN_SIMILARITY
