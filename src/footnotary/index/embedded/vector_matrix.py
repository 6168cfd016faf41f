"""The dense index of one project: unit vectors in rows, scored exactly; a large one with an ANN index.

Two files grow together, one of vectors (float32, row by row) and one of chunk numbers (int64, ascending). How many
rows are valid, and which of them are dead, is recorded elsewhere (`derived_state`) once the rows are on disk; rows
beyond that are left over from a crash and get overwritten. Files are replaced, never truncated, so that memory maps
stay valid.
"""

import mmap
import os
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footnotary.durable import open_private
from footnotary.index.embedded.ivf_index import IvfIndex
from footnotary.index.score_cutoff import kth_best_score
from footnotary.index.sqlite.changes import IndexEntry
from footnotary.ports import Vector, Vectors

# Dot products of equal vectors differ in the last bits with their row in the matrix: closer than this is a tie.
_TIE = 1e-6
# Below this share of rows it is faster to gather them than to multiply the whole matrix.
_GATHER_MAX_SHARE = 0.2
# Gathering this many rows is as fast as asking the ANN index which of them to take.
EXACT_MAX_ROWS = 20_000
# Rows that the ANN index does not cover are all scored; with more than this share of them it is no gain.
MAX_UNCOVERED_SHARE = 0.25
_BLAS_MIN_ROWS = 32_000


class RowFile:
    """Reads single rows of a file of vectors; open as long as this object is in use."""

    def __init__(self, path: Path, dimensions: int) -> None:
        self._descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._descriptor)
        self._dimensions = dimensions

    def rows(self, rows: NDArray[np.int64]) -> Vectors:
        """These rows, which must exist."""
        size = 4 * self._dimensions
        content = b"".join([os.pread(self._descriptor, size, place) for place in (rows * size).tolist()])
        return np.frombuffer(content, "<f4").reshape(len(rows), self._dimensions)


@dataclass(frozen=True, slots=True)
class MatrixView:
    """Rows at one commit; `numbers` ascend. Safe to share between threads.

    With an ANN index over the first rows, a search scores only what it proposes, and all later rows. Proposed rows are
    read from `file` where there is one: through the memory map, each row would bring sixteen pages into this process.
    """

    numbers: NDArray[np.int64]
    vectors: Vectors
    dead: NDArray[np.bool_]
    first: IvfIndex | None = None
    file: RowFile | None = None

    @property
    def count(self) -> int:
        """How many rows are not deleted."""
        return len(self.numbers) - int(np.count_nonzero(self.dead))

    def search(self, vector: Vector, k: int, allowed: NDArray[np.int64] | None = None) -> list[tuple[int, float]]:
        """The numbers and similarities of the best `k` chunks and of all that tie with the last of them.

        `vector` is of length one. With `allowed`, only chunks with these numbers. Raises `ValueError` if the ANN index
        is damaged; without one the same search succeeds.
        """
        rows, scores = self._scores(vector, k, allowed)
        if k < 1 or not len(scores):
            return []
        near = np.flatnonzero(scores >= kth_best_score(scores, k) - _TIE)
        near = near[scores[near] > -np.inf]
        found = self.numbers[near if rows is None else rows[near]]
        return [(int(number), round(float(score), 6)) for number, score in zip(found, scores[near], strict=True)]

    def _scores(
        self, vector: Vector, k: int, allowed: NDArray[np.int64] | None
    ) -> tuple[NDArray[np.int64] | None, NDArray[np.float32]]:
        """Similarities of some rows (None: of all, in order); dead ones have minus infinity."""
        rows = None
        if allowed is not None:
            rows = self.rows_of(allowed)
            rows = rows[~self.dead[rows]]
        proposed = self._proposed(vector, k, rows)
        if proposed is not None:
            vectors = self.vectors[proposed] if self.file is None else self.file.rows(proposed)
            return proposed, _dot_products(vectors, vector)
        if rows is None:
            scores = _dot_products(self.vectors, vector)
            scores[self.dead] = -np.inf
            return None, scores
        if len(rows) < _GATHER_MAX_SHARE * len(self.numbers):
            return rows, _dot_products(self.vectors[rows], vector)
        return rows, _dot_products(self.vectors, vector)[rows]

    def _proposed(self, vector: Vector, k: int, rows: NDArray[np.int64] | None) -> NDArray[np.int64] | None:
        """The candidate rows, of `rows` if given; None if scoring all of them is better."""
        count = len(self.numbers)
        if self.first is None or k < 1 or (rows is not None and len(rows) <= EXACT_MAX_ROWS):
            return None
        covered = self.first.count
        if count - covered > MAX_UNCOVERED_SHARE * count:
            return None
        later = np.arange(covered, count) if rows is None else rows[rows >= covered]
        permitted = None
        if rows is not None:
            permitted = np.zeros(count, np.bool_)
            permitted[rows] = True
        dead = self.dead if self.dead.any() else None
        proposed = np.concatenate([self.first.proposed(vector, k, dead, permitted), later[~self.dead[later]]])
        # If most vectors are similar, all of them are proposed.
        return proposed if len(proposed) < _GATHER_MAX_SHARE * count else None

    def rows_of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows of those of these numbers that exist."""
        rows = np.searchsorted(self.numbers, numbers)
        rows[rows == len(self.numbers)] = 0
        return rows[self.numbers[rows] == numbers] if len(self.numbers) else rows[:0]

    def without(self, removed: Iterable[int]) -> "MatrixView":
        dead = self.dead.copy()
        dead[self.rows_of(np.fromiter(removed, np.int64))] = True
        return replace(self, dead=dead)

    def extended(self, added: Sequence[IndexEntry]) -> "MatrixView":
        """The same with more rows, in memory."""
        if not added:
            return self
        numbers, vectors = _to_rows(added, self.vectors.shape[1])
        return replace(
            self,
            numbers=np.concatenate([self.numbers, numbers]),
            vectors=np.concatenate([self.vectors, vectors]),
            file=None,
            dead=np.concatenate([self.dead, np.zeros(len(numbers), np.bool_)]),
        )


def _dot_products(vectors: Vectors, vector: Vector) -> NDArray[np.float32]:
    """The dot products. BLAS splits the work between cores and waits for busy ones: up to a few thousand rows that may
    take ten times as long as one core alone."""
    return vectors @ vector if len(vectors) > _BLAS_MIN_ROWS else np.einsum("ij,j->i", vectors, vector)


def empty_matrix(dimensions: int) -> MatrixView:
    return MatrixView(np.zeros(0, np.int64), np.zeros((0, dimensions), np.float32), np.zeros(0, np.bool_))


@dataclass(frozen=True, slots=True)
class MatrixFiles:
    """The two files of a matrix; `name` identifies the build."""

    folder: Path
    name: str
    dimensions: int

    @property
    def paths(self) -> tuple[Path, Path]:
        return self.folder / f"{self.name}.i64", self.folder / f"{self.name}.f32"

    def append(self, rows: int, added: Sequence[IndexEntry]) -> int:
        """Writes chunks after the first `rows`; returns the number of rows once they are on disk."""
        numbers, vectors = _to_rows(added, self.dimensions)
        for path, array in zip(self.paths, (numbers, vectors), strict=True):
            descriptor = open_private(path, os.O_WRONLY | os.O_CREAT)
            try:
                _write_at(descriptor, array, rows * array[:1].nbytes)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        return rows + len(numbers)

    def view(self, rows: int, dead: NDArray[np.bool_]) -> MatrixView:
        """The first `rows` rows, memory-mapped. Raises `ValueError` if the files are too short."""
        if not rows:
            return empty_matrix(self.dimensions)
        numbers = _map_file(self.paths[0], np.dtype("<i8"), rows)
        vectors = _map_file(self.paths[1], np.dtype("<f4"), rows * self.dimensions)
        if len(dead) != rows or np.any(np.diff(numbers) <= 0):
            raise ValueError(f"{self.paths[0]} is not a list of ascending numbers")
        file = RowFile(self.paths[1], self.dimensions) if hasattr(os, "pread") else None
        return MatrixView(numbers, vectors.reshape(rows, self.dimensions), dead, file=file)


def _to_rows(added: Sequence[IndexEntry], dimensions: int) -> tuple[NDArray[np.int64], Vectors]:
    vectors = np.frombuffer(b"".join(entry.vector for entry in added), "<f4").reshape(len(added), dimensions)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.array([entry.number for entry in added], "<i8"), (vectors / lengths).astype("<f4")


def _write_at(descriptor: int, array: NDArray[Any], offset: int) -> None:
    content = np.ascontiguousarray(array).data.cast("B")
    while content:
        written = os.pwrite(descriptor, content, offset)
        content, offset = content[written:], offset + written


def _map_file(path: Path, kind: np.dtype[Any], items: int) -> NDArray[Any]:
    with path.open("rb") as file:
        size = items * kind.itemsize
        if os.fstat(file.fileno()).st_size < size:
            raise ValueError(f"{path} is shorter than its {items} items")
        return np.frombuffer(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ), kind)
