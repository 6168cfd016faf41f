"""An ANN index (IVF) over a large matrix: rows clustered by direction, and their principal coordinates in few bits.

It only proposes candidates. The caller scores them exactly, from the matrix itself, so the index can miss a near
passage but can never give one a wrong score. Measured in `benchmarks/results/scale/scale.md`; `docs/decisions` explains
why it is not a graph.
"""

import zlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from footnotary.index.score_cutoff import kth_best_score
from footnotary.ports import Vector, Vectors

# The share of the permitted rows that is probed: those of the groups nearest to the question.
_PROBED_SHARE = 0.2
# Of the rows probed, at least the first number, and the second per requested hit, are scored with all coordinates.
MIN_CANDIDATES, CANDIDATES_PER_HIT = 5_000, 100
# Of these, at least the first number, and the second per requested hit, are proposed.
MIN_PROPOSED, PROPOSED_PER_HIT = 400, 8
# Equal vectors are proposed together, however many there are: products of equal codes differ by less than this.
_TIE = 1e-6
# How many rows are widened from 8 bits to floats at a time: what fits into a processor's own cache.
_SCAN_ROWS = 1_024
# The 4-bit code of a coordinate that is zero.
FINE_ZERO = 8


@dataclass(frozen=True, slots=True)
class IvfIndex:
    """The first rows of a matrix in groups: group `g` has the rows `rows[starts[g]:starts[g + 1]]`.

    `axes` turns a vector to its principal coordinates, and `centres` are the groups' centroids in the first of these,
    of length one. Each coordinate of a row is divided by its axis's entry in `steps` and rounded: `codes` holds the
    first ones in the order of `rows`, 8 bits each, and `fine_codes` the others, 4 bits each, two in a byte, the lower
    half first. `sums` and `fine_sums` are checksums of each group's codes, compared when these are first read. Safe to
    share between threads.
    """

    axes: Vectors
    centres: Vectors
    steps: Vector
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    codes: NDArray[np.int8]
    fine_codes: NDArray[np.uint8]
    sums: NDArray[np.uint32]
    fine_sums: NDArray[np.uint32]
    _seen: NDArray[np.bool_] = field(init=False)
    _seen_fine: NDArray[np.bool_] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_seen", np.zeros(len(self.sums), np.bool_))
        object.__setattr__(self, "_seen_fine", np.zeros(len(self.sums), np.bool_))

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
        weights = question * self.steps
        coarse = self.codes.shape[1]
        groups = self._nearest(question[: self.centres.shape[1]], k, permitted)
        self._check(groups[~self._seen[groups]], fine=False)
        pieces = _row_ranges(groups, self.starts)
        scores = self._scored(pieces, weights[:coarse])
        places = np.concatenate([np.arange(start, stop, dtype=np.int32) for start, stop in pieces])
        if permitted is not None or dead is not None:
            rows = self.rows[places]
            kept = np.ones(len(rows), np.bool_) if permitted is None else permitted[rows]
            if dead is not None:
                kept &= ~dead[rows]
            scores, places = scores[kept], places[kept]
        # Equal vectors may differ by one step where a coordinate lies between two codes.
        kept = _best(scores, max(MIN_CANDIDATES, CANDIDATES_PER_HIT * k), _largest(weights[:coarse]))
        scores, places = scores[kept], places[kept]
        wanted = max(MIN_PROPOSED, PROPOSED_PER_HIT * k)
        if len(scores) > wanted:
            scores += self._fine_scores(places, weights[coarse:])
            places = places[_best(scores, wanted, _largest(weights))]
        return np.sort(self.rows[places]).astype(np.int64)

    def _scored(self, pieces: list[tuple[int, int]], weights: Vector) -> NDArray[np.float32]:
        """The dot products of the codes in these ranges with `weights`, in order."""
        scores = np.empty(sum(stop - start for start, stop in pieces), np.float32)
        wide = np.empty((_SCAN_ROWS, len(weights)), np.float32)
        done = held = 0
        for start, stop in pieces:
            at = start
            while at < stop:
                size = min(stop - at, _SCAN_ROWS - held)
                wide[held : held + size] = self.codes[at : at + size]
                at, held = at + size, held + size
                if held == _SCAN_ROWS:
                    np.einsum("ij,j->i", wide, weights, out=scores[done : done + held])
                    done, held = done + held, 0
        np.einsum("ij,j->i", wide[:held], weights, out=scores[done:])
        return scores

    def _fine_scores(self, places: NDArray[np.int32], weights: Vector) -> NDArray[np.float32]:
        """The part of the dot products that the other coordinates of the rows in these places add."""
        groups = np.unique(np.searchsorted(self.starts, places, side="right") - 1)
        self._check(groups[~self._seen_fine[groups]], fine=True)
        packed = self.fine_codes[places]
        padded = np.zeros(2 * packed.shape[1], np.float32)
        padded[: len(weights)] = weights
        low = np.einsum("ij,j->i", (packed & 15).astype(np.float32), padded[0::2])
        high = np.einsum("ij,j->i", (packed >> 4).astype(np.float32), padded[1::2])
        return low + high - np.float32(FINE_ZERO * padded.sum())

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

    def _check(self, groups: NDArray[np.int64], *, fine: bool) -> None:
        codes, sums, seen = (
            (self.fine_codes, self.fine_sums, self._seen_fine) if fine else (self.codes, self.sums, self._seen)
        )
        for group in groups.tolist():
            if checksum(codes[self.starts[group] : self.starts[group + 1]]) != sums[group]:
                raise ValueError(f"group {group} of an ANN index differs from what was written")
            seen[group] = True

    def damaged(self) -> list[int]:
        """The groups that differ from what was written."""
        found: list[int] = []
        for group in range(len(self.sums)):
            try:
                self._check(np.array([group]), fine=False)
                self._check(np.array([group]), fine=True)
            except ValueError:
                found.append(group)
        return found


def checksum(codes: NDArray[np.int8] | NDArray[np.uint8]) -> int:
    """The checksum of a group's codes."""
    return zlib.crc32(np.ascontiguousarray(codes).data.cast("B") if codes.size else b"")


def _best(scores: NDArray[np.float32], wanted: int, step: float) -> NDArray[np.intp]:
    """Where the `wanted` best scores are, and all that are within one step of the last of them."""
    if len(scores) <= wanted:
        return np.arange(len(scores))
    return np.flatnonzero(scores >= kth_best_score(scores, wanted) - step - _TIE)


def _largest(weights: Vector) -> float:
    return float(np.abs(weights).max(initial=0.0))


def _row_ranges(groups: NDArray[np.int64], starts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The ranges of the rows of these groups: adjacent groups make one range."""
    breaks = np.flatnonzero(np.diff(groups) > 1)
    firsts = groups[np.concatenate([[0], breaks + 1])]
    lasts = groups[np.concatenate([breaks, [len(groups) - 1]])]
    return list(zip(starts[firsts].tolist(), starts[lasts + 1].tolist(), strict=True))
