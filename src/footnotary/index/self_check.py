"""Whether a store agrees with itself: what `footnotary doctor` asks."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from footnotary.domain.identity import sha256_hex
from footnotary.index.derived_state import Snapshot
from footnotary.index.sqlite_checks import Passage

_NEAR = 1e-5


def index_problems(project: str, snapshot: Snapshot, chunks: int) -> Iterator[str]:
    """The derived indexes hold as many chunks as the truth."""
    for name, count in (("lexicon", snapshot.lexicon.count), ("matrix", snapshot.matrix.count)):
        if count != chunks:
            yield (
                f"project {project!r}: the {name} has {count} chunks at generation {snapshot.mark.generation}, "
                f"the truth {chunks}; delete the folder `derived`, which is then built anew"
            )


def first_pass_problems(project: str, snapshot: Snapshot) -> Iterator[str]:
    """The first pass of a large project's matrix is what was written."""
    first = snapshot.matrix.first
    damaged = [] if first is None else first.damaged()
    if damaged:
        yield (
            f"project {project!r}: {len(damaged)} groups of the first pass are damaged; delete the files `*.first` "
            "in the folder `derived`, which are then made anew"
        )


def passage_problems(
    project: str,
    passages: Iterable[Passage],
    snapshot: Snapshot,
    dimensions: int,
    is_there: Callable[[int], bool],
) -> Iterator[str]:
    """Every passage is what its digest and its document say, and its vector is the one that is searched.

    The snapshot is not older than the passages; `is_there` says whether the truth still has one.
    """
    for passage in passages:
        place = f"project {project!r}, document {passage.document!r}, passage {passage.id!r}"
        if sha256_hex(passage.text) != passage.digest:
            yield f"{place}: the text does not have the digest stored with it"
        if passage.text != passage.marked:
            yield f"{place}: the document says something else at the passage's span"
        yield from (f"{place}: {fault}" for fault in _vector_faults(passage, snapshot, dimensions, is_there))


def _vector_faults(
    passage: Passage, snapshot: Snapshot, dimensions: int, is_there: Callable[[int], bool]
) -> Iterator[str]:
    if len(passage.vector) != 4 * dimensions:
        yield f"the vector has {len(passage.vector)} bytes instead of {4 * dimensions}"
        return
    vector = np.frombuffer(passage.vector, "<f4").astype(np.float64)
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length == 0:
        yield "the vector is zero or not finite"
        return
    matrix = snapshot.matrix
    rows = matrix.rows_of(np.array([passage.number], np.int64))
    if not len(rows) or matrix.dead[rows[0]]:
        if is_there(passage.number):  # it was not taken out meanwhile
            yield "the matrix does not have it"
    elif not np.allclose(matrix.vectors[rows[0]], vector / length, atol=_NEAR):
        yield "the matrix has another vector for it; delete the folder `derived`, which is then built anew"
