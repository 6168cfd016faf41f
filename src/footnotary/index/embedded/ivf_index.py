"""An ANN index (IVF) over a large matrix: rows clustered by direction and reduced to their principal axes.

It only proposes candidates. The caller scores them exactly, from the matrix itself, so the index can miss a near
passage but can never give one a wrong score. Measured in `benchmarks/results/scale/scale.md`; `docs/decisions` explains
why it is not a graph.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from footnotary.index.score_cutoff import kth_best_score
from footnotary.ports import Vector, Vectors

# The share of the permitted rows that is probed: those of the groups nearest to the question.
_PROBED_SHARE = 0.2
# The minimum number of proposed rows, and how many per requested hit.
MIN_CANDIDATES, CANDIDATES_PER_HIT = 2_500, 50
# Equal vectors are proposed together, however many there are.
_TIE = 1e-6
_DIMENSION_REDUCTION, _MIN_AXES = 4, 16
# Groups per square root of the number of rows: fewer are faster to build and probe, and lose more.
_GROUPS_PER_ROOT, _SAMPLES_PER_GROUP, _KMEANS_ROUNDS = 6, 16, 5
_BATCH_SIZE = 8_192


@dataclass(frozen=True, slots=True)
class IvfIndex:
    """The first rows of a matrix in groups: group `g` has the rows `rows[starts[g]:starts[g + 1]]`.

    `axes` projects a vector to its principal coordinates, `centres` are the groups' centroids in these, of length one,
    and `reduced` holds the rows' coordinates in the order of `rows`. `sums` are checksums of each group's coordinates:
    they are compared when a group is first probed. Safe to share between threads.
    """

    axes: Vectors
    centres: Vectors
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    reduced: Vectors
    sums: NDArray[np.uint32]
    _seen: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_seen", np.zeros(len(self.sums), np.bool_))

    @property
    def count(self) -> int:
        """How many rows it covers; later rows are not in it."""
        return len(self.rows)

    def proposed(
        self, vector: Vector, k: int, dead: NDArray[np.bool_] | None = None, permitted: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Rows likely to include the best `k`, ascending; `dead` and `permitted` have one boolean per row.

        Probes the groups nearest to the question until these have a fixed share of the permitted rows, or all groups
        with such rows if a filter leaves less than half. Raises `ValueError` for a damaged group.
        """
        # No BLAS for these products: it splits even a thousand rows between cores, and waits for busy ones.
        question = np.einsum("i,ij->j", vector, self.axes)
        groups = self._nearest(question, k, permitted)
        for group in groups[~self._seen[groups]]:
            self._check(group)
        pieces = _row_ranges(groups, self.starts)
        scores = np.empty(sum(stop - start for start, stop in pieces), np.float32)
        done = 0
        for start, stop in pieces:
            np.einsum("ij,j->i", self.reduced[start:stop], question, out=scores[done : done + stop - start])
            done += stop - start
        rows = np.concatenate([self.rows[start:stop] for start, stop in pieces])
        if permitted is not None:
            kept = permitted[rows]
            scores, rows = scores[kept], rows[kept]
        if dead is not None:
            kept = ~dead[rows]
            scores, rows = scores[kept], rows[kept]
        wanted = max(MIN_CANDIDATES, CANDIDATES_PER_HIT * k)
        if len(scores) > wanted:
            rows = rows[scores >= kth_best_score(scores, wanted) - _TIE]
        return np.sort(rows).astype(np.int64)

    def _nearest(self, question: Vector, k: int, permitted: NDArray[np.bool_] | None) -> NDArray[np.int64]:
        """The groups to probe, in storage order."""
        sizes = np.diff(self.starts)
        if permitted is not None:
            before = np.concatenate([[0], np.cumsum(permitted[self.rows], dtype=np.int64)])
            sizes = np.diff(before[self.starts])
            # All rows a filter leaves may be far from the question, where the order of groups says little.
            if 2 * int(before[-1]) < self.count:
                return np.flatnonzero(sizes) if before[-1] else np.zeros(1, np.int64)
        order = np.argsort(-np.einsum("ij,j->i", self.centres, question), kind="stable")
        enough = max(_PROBED_SHARE * int(sizes.sum()), 2 * max(MIN_CANDIDATES, CANDIDATES_PER_HIT * k))
        reached = int(np.searchsorted(np.cumsum(sizes[order]), enough)) + 1
        return np.sort(order[:reached])

    def _check(self, group: int) -> None:
        part = np.ascontiguousarray(self.reduced[self.starts[group] : self.starts[group + 1]])
        if zlib.crc32(part.data.cast("B") if part.size else b"") != self.sums[group]:
            raise ValueError(f"group {group} of an ANN index differs from what was written")
        self._seen[group] = True

    def damaged(self) -> list[int]:
        """The groups that differ from what was written."""
        found: list[int] = []
        for group in range(len(self.sums)):
            try:
                self._check(group)
            except ValueError:
                found.append(group)
        return found


def build_ivf_index(vectors: Vectors, should_continue: Callable[[], bool] = lambda: True) -> IvfIndex | None:
    """The ANN index of all rows, always the same for the same rows; None if `go_on` returned false meanwhile."""
    count, dimensions = vectors.shape
    dice = np.random.default_rng(count)
    groups = max(1, round(_GROUPS_PER_ROOT * count**0.5))
    taught_by = vectors[np.sort(dice.permutation(count)[: _SAMPLES_PER_GROUP * groups])]
    axes = _principal_axes(taught_by, min(dimensions, max(_MIN_AXES, dimensions // _DIMENSION_REDUCTION)))
    sample = taught_by @ axes
    centres = _normalize_rows(sample[dice.permutation(len(sample))[:groups]])
    for _ in range(_KMEANS_ROUNDS):
        if not should_continue():
            return None
        centres = _kmeans_step(centres, sample)
    centres = _order_by_proximity(centres)
    reduced = np.empty((count, axes.shape[1]), np.float32)
    groups_of = np.empty(count, np.int32)
    for start in range(0, count, _BATCH_SIZE):
        if not should_continue():
            return None
        part = slice(start, start + _BATCH_SIZE)
        reduced[part] = vectors[part] @ axes
        groups_of[part] = np.argmax(reduced[part] @ centres.T, axis=1)
    rows = np.argsort(groups_of, kind="stable").astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(np.bincount(groups_of, minlength=len(centres)))]).astype(np.int64)
    reduced = reduced[rows]
    sums = [zlib.crc32(reduced[a:b].tobytes()) for a, b in pairwise(starts.tolist())]
    return IvfIndex(axes, centres, starts, rows, reduced, np.array(sums, np.uint32))


def _principal_axes(vectors: Vectors, axes: int) -> Vectors:
    """The principal axes of the rows (uncentred): projections on these preserve most of the dot products."""
    found = np.linalg.eigh(vectors.T @ vectors)[1]
    return np.ascontiguousarray(found[:, ::-1][:, :axes], np.float32)


def _kmeans_step(centres: Vectors, sample: Vectors) -> Vectors:
    """One k-means step: each centre moves to the mean of the directions nearest to it; one without any stays."""
    parts = range(0, len(sample), _BATCH_SIZE)
    nearest = np.concatenate([np.argmax(sample[i : i + _BATCH_SIZE] @ centres.T, axis=1) for i in parts])
    order = np.argsort(nearest, kind="stable")
    having, starts = np.unique(nearest[order], return_index=True)
    moved = centres.copy()
    moved[having] = np.add.reduceat(sample[order], starts, axis=0)
    return _normalize_rows(moved)


def _order_by_proximity(centres: Vectors) -> Vectors:
    """The same centres, ordered so that near ones are adjacent: the probed rows are then in fewer pieces."""
    around = centres[:: max(1, round(len(centres) ** 0.5))]
    for _ in range(_KMEANS_ROUNDS):
        around = _kmeans_step(around, centres)
    return centres[np.argsort(np.argmax(centres @ around.T, axis=1), kind="stable")]


def _row_ranges(groups: NDArray[np.int64], starts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The ranges of the rows of these groups: adjacent groups make one range."""
    breaks = np.flatnonzero(np.diff(groups) > 1)
    firsts = groups[np.concatenate([[0], breaks + 1])]
    lasts = groups[np.concatenate([breaks, [len(groups) - 1]])]
    return list(zip(starts[firsts].tolist(), starts[lasts + 1].tolist(), strict=True))


def _normalize_rows(vectors: Vectors) -> Vectors:
    return (vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)).astype(np.float32)
