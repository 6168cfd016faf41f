"""Builds an ANN index: principal axes of a sample, groups by spherical k-means, coordinates in 8 bits."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from footnotary.index.embedded.ivf_index import FINE_ZERO, IvfIndex, checksum
from footnotary.ports import Vectors

# One in this many axes is used for the groups, and one in this many has 8 bits; the others have 4.
_GROUP_AXES_SHARE, _COARSE_AXES_SHARE, _MIN_AXES = 4, 6, 16
# Groups per square root of the number of rows: fewer are faster to build and probe, and lose more.
_GROUPS_PER_ROOT, _SAMPLES_PER_GROUP, _KMEANS_ROUNDS = 6, 16, 5
_BATCH_SIZE, _ROWS_COMPARED = 65_536, 8_192
# With many centres a row of the sample is compared only with this share of them: those nearest to its region.
_MANY_CENTRES, _COMPARED_SHARE = 1_000, 0.15
_MAX_CODE, _MAX_FINE_CODE = 127, 7
# Few coordinates are further from zero than this many standard deviations; those are cut to it in 4 bits.
_FINE_RANGE = 2.7


def build_ivf_index(vectors: Vectors, should_continue: Callable[[], bool] = lambda: True) -> IvfIndex | None:
    """The ANN index of all rows, always the same for the same rows; None if `should_continue` returned false."""
    count, dimensions = vectors.shape
    dice = np.random.default_rng(count)
    groups = max(1, round(_GROUPS_PER_ROOT * count**0.5))
    taught_by = vectors[np.sort(dice.permutation(count)[: _SAMPLES_PER_GROUP * groups])]
    axes = _principal_axes(taught_by)
    grouped_by, coarse = (
        min(dimensions, max(_MIN_AXES, dimensions // share)) for share in (_GROUP_AXES_SHARE, _COARSE_AXES_SHARE)
    )
    turned = taught_by @ axes
    steps = np.concatenate(
        [
            np.abs(turned[:, :coarse]).max(axis=0) / _MAX_CODE,
            _FINE_RANGE * turned[:, coarse:].std(axis=0) / _MAX_FINE_CODE,
        ]
    )
    steps = np.maximum(steps, 1e-12).astype(np.float32)
    sample = np.ascontiguousarray(turned[:, :grouped_by])
    del taught_by, turned
    centres = _normalize_rows(sample[dice.permutation(len(sample))[:groups]])
    for _ in range(_KMEANS_ROUNDS):
        if not should_continue():
            return None
        centres = _kmeans_step(centres, sample)
    centres = _order_by_proximity(centres)
    codes = np.empty((count, coarse), np.int8)
    fine = np.empty((count, (dimensions - coarse + 1) // 2), np.uint8)
    groups_of = np.empty(count, np.int32)
    for start in range(0, count, _BATCH_SIZE):
        if not should_continue():
            return None
        part = slice(start, start + _BATCH_SIZE)
        turned = vectors[part] @ axes
        groups_of[part] = _nearest_of_all(centres, turned[:, :grouped_by])
        turned /= steps
        codes[part] = np.clip(np.rint(turned[:, :coarse]), -_MAX_CODE, _MAX_CODE)
        fine[part] = _pack_codes(turned[:, coarse:])
    rows = np.argsort(groups_of, kind="stable").astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(groups_of, minlength=len(centres)))]).astype(np.int64)
    codes, fine = codes[rows], fine[rows]
    sums, fine_sums = (
        np.array([checksum(part[a:b]) for a, b in pairwise(starts.tolist())], np.uint32) for part in (codes, fine)
    )
    return IvfIndex(axes, centres, steps, starts, rows, codes, fine, sums, fine_sums)


def _pack_codes(coordinates: Vectors) -> NDArray[np.uint8]:
    """Coordinates in steps, as 4-bit codes, two in a byte."""
    codes = (np.clip(np.rint(coordinates), -_MAX_FINE_CODE, _MAX_FINE_CODE) + FINE_ZERO).astype(np.uint8)
    if codes.shape[1] % 2:
        codes = np.pad(codes, ((0, 0), (0, 1)), constant_values=FINE_ZERO)
    return np.bitwise_or(codes[:, 0::2], np.left_shift(codes[:, 1::2], 4, dtype=np.uint8), dtype=np.uint8)


def _principal_axes(vectors: Vectors) -> Vectors:
    """The principal axes of the rows (uncentred), the most telling first: these preserve most of the dot products."""
    return np.ascontiguousarray(np.linalg.eigh(vectors.T @ vectors)[1][:, ::-1], np.float32)


def _kmeans_step(centres: Vectors, sample: Vectors) -> Vectors:
    """One k-means step: each centre moves to the mean of the directions nearest to it; one without any stays."""
    assigned = _nearest_centre(centres)
    nearest = np.concatenate([assigned(sample[i : i + _BATCH_SIZE]) for i in range(0, len(sample), _BATCH_SIZE)])
    order = np.argsort(nearest, kind="stable")
    having, starts = np.unique(nearest[order], return_index=True)
    moved = centres.copy()
    moved[having] = np.add.reduceat(sample[order], starts, axis=0)
    return _normalize_rows(moved)


def _nearest_centre(centres: Vectors) -> Callable[[Vectors], NDArray[np.intp]]:
    """A function that gives each row its nearest centre, or with many centres one of the nearest.

    With many centres, these are in regions; a row is compared with the centres nearest to the middle of its region.
    That is enough to place the centres. Giving every row of the matrix its group this way would cost recall.
    """
    if len(centres) < _MANY_CENTRES:
        return lambda rows: _nearest_of_all(centres, rows)
    middles = _regions(centres)
    compared = round(_COMPARED_SHARE * len(centres))
    near = [np.sort(np.argpartition(-(centres @ middle), compared)[:compared]) for middle in middles]

    def assigned(rows: Vectors) -> NDArray[np.intp]:
        region_of = np.argmax(rows @ middles.T, axis=1)
        found = np.empty(len(rows), np.intp)
        for region in np.unique(region_of):
            here = np.flatnonzero(region_of == region)
            found[here] = near[region][np.argmax(rows[here] @ centres[near[region]].T, axis=1)]
        return found

    return assigned


def _nearest_of_all(centres: Vectors, rows: Vectors) -> NDArray[np.intp]:
    parts = (rows[start : start + _ROWS_COMPARED] for start in range(0, len(rows), _ROWS_COMPARED))
    return np.concatenate([np.argmax(part @ centres.T, axis=1) for part in parts])


def _order_by_proximity(centres: Vectors) -> Vectors:
    """The same centres, ordered so that near ones are adjacent: the probed rows are then in fewer pieces."""
    return centres[np.argsort(np.argmax(centres @ _regions(centres).T, axis=1), kind="stable")]


def _regions(centres: Vectors) -> Vectors:
    """The middles of as many regions as the square root of the number of centres."""
    middles = centres[:: max(1, round(len(centres) ** 0.5))]
    for _ in range(_KMEANS_ROUNDS):
        middles = _kmeans_step(middles, centres)
    return middles


def _normalize_rows(vectors: Vectors) -> Vectors:
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)).astype(np.float32)
