"""Consistency checks of a store, for `footnotary doctor`."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from footnotary.domain.identity import sha256_hex
from footnotary.index.embedded.derived_state import IndexSnapshot
from footnotary.index.sqlite.catalog_checks import CheckedPassage

_VECTOR_TOLERANCE = 1e-5


def find_index_problems(project: str, snapshot: IndexSnapshot, chunks: int) -> Iterator[str]:
    """Reports a derived index whose number of chunks differs from the catalog's."""
    for name, count in (("lexical index", snapshot.lexicon.count), ("vector matrix", snapshot.matrix.count)):
        if count != chunks:
            yield (
                f"project {project!r}: the {name} has {count} chunks at generation {snapshot.revision.generation}, "
                f"but the catalog has {chunks}; delete the folder `derived`: it is rebuilt"
            )


def find_ann_problems(project: str, snapshot: IndexSnapshot) -> Iterator[str]:
    """Reports damage to the ANN index of a large project's matrix."""
    first = snapshot.matrix.first
    damaged = [] if first is None else first.damaged()
    if damaged:
        yield (
            f"project {project!r}: {len(damaged)} groups of the ANN index are damaged; delete the files `*.first` "
            "in the folder `derived`: they are rebuilt"
        )


def find_passage_problems(
    project: str,
    passages: Iterable[CheckedPassage],
    snapshot: IndexSnapshot,
    dimensions: int,
    is_there: Callable[[int], bool],
) -> Iterator[str]:
    """Reports passages that differ from their digest or document, or whose vector differs from the indexed one.

    The snapshot is not older than the passages; `is_there` says whether the catalog still has a passage.
    """
    for passage in passages:
        place = f"project {project!r}, document {passage.document!r}, passage {passage.id!r}"
        if sha256_hex(passage.text) != passage.digest:
            yield f"{place}: the text does not match the digest stored with it"
        if passage.text != passage.marked:
            yield f"{place}: the document has another text at the passage's span"
        yield from (f"{place}: {fault}" for fault in _find_vector_problems(passage, snapshot, dimensions, is_there))


def _find_vector_problems(
    passage: CheckedPassage, snapshot: IndexSnapshot, dimensions: int, is_there: Callable[[int], bool]
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
        if is_there(passage.number):  # it was not deleted meanwhile
            yield "it is missing in the vector matrix"
    elif not np.allclose(matrix.vectors[rows[0]], vector / length, atol=_VECTOR_TOLERANCE):
        yield "the vector matrix has another vector for it; delete the folder `derived`: it is rebuilt"
