"""The matrix finds exactly the nearest, in memory and from files."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from footnotary.index.embedded.vector_matrix import MatrixFiles, MatrixView, empty_matrix
from footnotary.index.sqlite.changes import IndexEntry


def entry(number: int, vector: NDArray[np.float32]) -> IndexEntry:
    return IndexEntry(number, "", "", "", (), vector.astype("<f4").tobytes())


def some(count: int, dimensions: int = 8, seed: int = 0) -> list[IndexEntry]:
    vectors = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    return [entry(10 * n, row) for n, row in enumerate(vectors)]


def by_hand(view: MatrixView, vector: NDArray[np.float32], allowed: set[int] | None) -> list[tuple[float, int]]:
    live = [
        (float(np.dot(row.astype(np.float64), vector)), int(number))
        for number, row, dead in zip(view.numbers, view.vectors, view.dead, strict=True)
        if not dead and (allowed is None or int(number) in allowed)
    ]
    return sorted(live, reverse=True)


@given(
    count=st.integers(0, 400),
    k=st.integers(0, 30),
    removed=st.sets(st.integers(0, 400), max_size=200),
    allowed=st.none() | st.sets(st.integers(0, 400)),
    seed=st.integers(0, 5),
)
def test_the_best_k_are_those_that_sorting_everything_gives(
    count: int, k: int, removed: set[int], allowed: set[int] | None, seed: int
):
    view = empty_matrix(8).extended(some(count, seed=seed)).without(10 * n for n in removed)
    numbers = None if allowed is None else {10 * n for n in allowed}
    vector = np.eye(8, dtype=np.float32)[seed]
    found = view.search(vector, k, None if numbers is None else np.array(sorted(numbers), np.int64))
    expected = by_hand(view, vector, numbers)[:k]
    assert {number for _, number in expected} <= {number for number, _ in found}
    assert all(score >= expected[-1][0] - 1e-5 for _, score in found)
    assert view.count == count - len([n for n in removed if n < count])


def test_all_that_tie_with_the_last_come_back():
    same = np.ones(8, np.float32)
    view = empty_matrix(8).extended([entry(n, same) for n in range(5_000)])
    assert len(view.search(same / np.float32(np.sqrt(8)), 3)) == 5_000


def test_rows_on_disk_are_read_back_and_leftovers_of_a_crash_are_overwritten(tmp_path: Path):
    files = MatrixFiles(tmp_path, "matrix-a", 8)
    entries = some(30)
    assert files.append(0, entries[:10]) == 10
    assert files.append(10, some(25, seed=9)[10:25]) == 25  # its mark was never written
    assert files.append(10, entries[10:]) == 30
    view = files.view(30, np.zeros(30, np.bool_))
    expected = empty_matrix(8).extended(entries)
    assert np.array_equal(view.numbers, expected.numbers)
    assert np.array_equal(view.vectors, expected.vectors)


def test_a_view_stays_as_it_was_while_rows_are_added(tmp_path: Path):
    files = MatrixFiles(tmp_path, "matrix-a", 8)
    files.append(0, some(10))
    view = files.view(10, np.zeros(10, np.bool_))
    before = view.vectors.copy()
    files.append(10, some(20)[10:])
    assert np.array_equal(view.vectors, before)
    assert len(view.numbers) == 10


def test_files_that_are_too_short_or_out_of_order_are_refused(tmp_path: Path):
    files = MatrixFiles(tmp_path, "matrix-a", 8)
    files.append(0, some(10))
    with pytest.raises(ValueError, match="shorter"):
        files.view(11, np.zeros(11, np.bool_))
    files.append(10, some(3))
    with pytest.raises(ValueError, match="ascending"):
        files.view(13, np.zeros(13, np.bool_))
