"""Corrects OCR with a partly sound text layer: digits and English words are taken from the layer."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from footnotary.ingest.page_words import Word
from footnotary.ingest.tesseract import SeenWord

_ALIKE = 0.6
_TRUSTED = 0.6  # of the comparable words
_FEWEST = 8


def corrected(seen: Sequence[SeenWord], layer: Sequence[Word], height: int, dpi: float) -> tuple[SeenWord, ...]:
    """The OCR words of an upright image, ASCII words replaced by the text layer's words at the same place.

    Only if most ASCII words of the layer match the OCR: legacy fonts display Hindi for ASCII letters.
    """
    stored = [_on_picture(word, height, dpi) for word in layer if word.text.isascii()]
    others = [_on_picture(word, height, dpi) for word in layer if not word.text.isascii()]
    pairs = _pairs(seen, stored)
    alike = [_alike([seen[at].text for at in ours], [stored[at].text for at in theirs]) for ours, theirs in pairs]
    if len(pairs) < _FEWEST or sum(alike) < _TRUSTED * len(pairs):
        return tuple(seen)
    instead: dict[int, list[SeenWord]] = {}
    for ours, theirs in pairs:
        if any(_overlap(seen[at], other) for at in ours for other in others):
            continue  # part of it is in the other script: only the OCR has it
        line = seen[ours[0]].line
        instead[ours[0]] = [replace(stored[at], line=line) for at in theirs]
        instead.update({at: [] for at in ours[1:]})
    return tuple(word for at, own in enumerate(seen) for word in instead.get(at, [own]))


def _on_picture(word: Word, height: int, dpi: float) -> SeenWord:
    scale = dpi / 72
    left, top = round(word.at.left * scale), height - round(word.at.top * scale)
    size = round((word.at.right - word.at.left) * scale), round((word.at.top - word.at.bottom) * scale)
    return SeenWord(word.text + ("-" if word.hyphen else ""), left, top, *size, 1.0, (0, 0, 0))


def _pairs(seen: Sequence[SeenWord], stored: Sequence[SeenWord]) -> list[tuple[list[int], list[int]]]:
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
        met = [order[at] for at in range(start, end) if _overlap(word, stored[order[at]])]
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


def _overlap(a: SeenWord, b: SeenWord) -> bool:
    """Whether at least half of the smaller box overlaps the other."""
    wide = min(a.left + a.width, b.left + b.width) - max(a.left, b.left)
    high = min(a.top + a.height, b.top + b.height) - max(a.top, b.top)
    if wide <= 0 or high <= 0:
        return False
    return wide * high >= 0.5 * min(a.width * a.height, b.width * b.height)


def _alike(seen: Sequence[str], stored: Sequence[str]) -> bool:
    return SequenceMatcher(None, "".join(seen), "".join(stored), autojunk=False).ratio() >= _ALIKE
