"""Table rules on a scan: detected in its pixels, and erased before OCR."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from footnotary.domain.layout import Box
from footnotary.ingest.ocr.tesseract import GreyImage
from footnotary.ingest.page_layout.ruled_tables import find_grids

_MAX_DARK_VALUE = 150
_MIN_HORIZONTAL_INCH, _MIN_VERTICAL_INCH = (
    1.4,
    0.15,
)  # longer than the headline of a Devanagari word, higher than a letter
_MIN_DARK_SHARE = 0.96
_MAX_RULES = 3000
_MAX_THICKNESS_INCH = 0.04


def erase_table_rules(grey: GreyImage, dpi: float) -> tuple[GreyImage, tuple[Box, ...]]:
    """The page image without its table rules, and the boxes of those rules, in points from the lower left.

    Only rules that form cells are removed: the headline of a long Devanagari word is as long as a short rule.
    """
    half = _downsample(grey) < _MAX_DARK_VALUE
    across, upright = (
        _long_dark_runs(half, _MIN_HORIZONTAL_INCH * dpi),
        _long_dark_runs(half.T, _MIN_VERTICAL_INCH * dpi),
    )
    found = [*_rule_boxes(across, dpi), *((a, c, b, d) for c, a, d, b in _rule_boxes(upright, dpi))]
    points, height = 144 / dpi, half.shape[0]
    rules = [Box(x0 * points, (height - y1) * points, x1 * points, (height - y0) * points) for x0, y0, x1, y1 in found]
    tables = find_grids(rules)
    if not tables:
        return grey, ()
    kept = tuple(rule for grid in tables for rule in (*grid.across, *grid.upright))
    ink = np.zeros_like(half)
    for rule in kept:
        x0, x1 = int(rule.left / points) - 1, int(rule.right / points) + 2
        y0, y1 = int(height - rule.top / points) - 1, int(height - rule.bottom / points) + 2
        place = (slice(max(y0, 0), y1), slice(max(x0, 0), x1))
        ink[place] |= (across if x1 - x0 > y1 - y0 else upright.T)[place]
    ink[1:] |= ink[:-1]
    ink[:, 1:] |= ink[:, :-1]
    ink[:-1] |= ink[1:]
    ink[:, :-1] |= ink[:, 1:]
    bare = grey.copy()
    bare[: 2 * ink.shape[0], : 2 * ink.shape[1]][np.repeat(np.repeat(ink, 2, 0), 2, 1)] = 255
    return bare, kept


def _downsample(grey: GreyImage) -> GreyImage:
    """Half the size, each pixel the darkest of four: thin lines stay."""
    even = grey[: grey.shape[0] // 2 * 2, : grey.shape[1] // 2 * 2]
    return np.minimum(np.minimum(even[::2, ::2], even[1::2, ::2]), np.minimum(even[::2, 1::2], even[1::2, 1::2]))


def _long_dark_runs(dark: NDArray[np.bool_], pixels: float) -> NDArray[np.bool_]:
    """The pixels that lie in a long dark run of their row."""
    length = max(int(pixels / 2), 8)
    if dark.shape[1] <= length:
        return np.zeros_like(dark)
    sums = np.zeros((dark.shape[0], dark.shape[1] + 1), np.int32)
    np.cumsum(dark, axis=1, out=sums[:, 1:])
    begins = sums[:, length:] - sums[:, :-length] >= _MIN_DARK_SHARE * length
    del sums
    marks = np.zeros((dark.shape[0], dark.shape[1] + 1), np.int16)  # at most `length` runs cover a pixel
    marks[:, : begins.shape[1]] += begins
    marks[:, length : length + begins.shape[1]] -= begins
    return (np.cumsum(marks, axis=1, out=marks)[:, :-1] > 0) & dark


def _rule_boxes(runs: NDArray[np.bool_], dpi: float) -> Iterator[tuple[int, int, int, int]]:
    """Left, top, right and bottom of rules: touching runs in neighbouring rows. Thick shapes are not rules."""
    open_: list[tuple[int, int, int, int]] = []
    closed: list[tuple[int, int, int, int]] = []
    for y in np.flatnonzero(runs.any(axis=1)):
        row = np.flatnonzero(np.diff(np.concatenate(([0], runs[y].astype(np.int8), [0]))))
        still: list[tuple[int, int, int, int]] = []
        for x0, x1 in zip(row[::2].tolist(), row[1::2].tolist(), strict=True):
            box = (x0, int(y), x1, int(y) + 1)
            for other in [o for o in open_ if o[3] >= y and o[0] <= x1 + 2 and x0 <= o[2] + 2]:
                open_.remove(other)
                box = (min(box[0], other[0]), other[1], max(box[2], other[2]), box[3])
            still.append(box)
        closed += [o for o in open_ if o[3] < y]
        open_ = [o for o in open_ if o[3] >= y] + still
        if len(open_) + len(closed) > _MAX_RULES:
            return
    thick = _MAX_THICKNESS_INCH * dpi / 2
    yield from (box for box in (*closed, *open_) if box[3] - box[1] <= thick + 0.02 * (box[2] - box[0]))
