"""The derived indexes of one project, lexical index and vector matrix, kept at the revision of the catalog.

They are never the only copy of anything, and there is one way to write them: ask the catalog what changed since their
revision, apply the changes, and only then record the new revision. Everything else follows from that.

- A crash before the revision is recorded leaves the old one. The next update repeats the same changes: the lexical
  index deletes a chunk before it inserts it, the matrix overwrites the rows after the valid ones. Nothing is lost,
  nothing is found twice.
- Indexes that are missing, unreadable, of another tokeniser, too far behind, or that do not hold as many chunks as the
  catalog are rebuilt next to the old files; recording the revision switches over.
- A revision the catalog never had means that the catalog lost commits (or is an older copy). That is an error, not a
  rebuild: acknowledged documents are gone, and the operator must know.

Writers do not wait for these indexes and do not hold their lock. Any reader or writer that finds them behind takes
their lock and updates them; a reader that cannot (another process has the lock and does not finish, the disk is full,
the store is open for reading only) updates a private copy in memory to the same revision with the same changes. So a
search always answers from the catalog's state at its start, or a later one.

The matrix of a large project has an ANN index (`ivf_maintenance`), which is derived from the matrix: it is not part
of the revision, and a search without it is slower and exact.
"""

import secrets
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from footnotary.durable import make_private_folder
from footnotary.errors import BackendError
from footnotary.index.embedded.derived_state import STATE_FILE_NAME as STATE
from footnotary.index.embedded.derived_state import DerivedIndexState, IndexSnapshot, read_state, write_state
from footnotary.index.embedded.ivf_maintenance import IVF_LOCK_NAME as FIRST_PASS_LOCK
from footnotary.index.embedded.ivf_maintenance import IvfIndexMaintainer
from footnotary.index.embedded.tantivy_index import TantivyIndex
from footnotary.index.embedded.vector_matrix import MatrixFiles, MatrixView, empty_matrix
from footnotary.index.file_lock import FileLock
from footnotary.index.sqlite.catalog import SqliteCatalog
from footnotary.index.sqlite.changes import CatalogDelta, IndexEntry, Revision

# Dead rows cost time and distort the BM25 statistics. A small project is rebuilt at once, because that is cheap.
SMALL_MATRIX_ROWS = 1_000
MAX_DEAD_SHARE = 0.1
_BATCH_SIZE = 4_096


class DerivedIndexes:
    """Lexical index and vector matrix of one project; safe to share between threads."""

    def __init__(
        self,
        folder: Path,
        number: int,
        catalog: SqliteCatalog,
        dimensions: int,
        *,
        read_only: bool,
        patience_s: float,
        ann_min_chunks: int,
    ) -> None:
        self.folder = folder
        self._number = number
        self._catalog = catalog
        self._dimensions = dimensions
        self._read_only = read_only
        self._patience_s = patience_s
        self._lock = FileLock(folder / "lock")
        self._ivf = IvfIndexMaintainer(folder, dimensions, min_rows=ann_min_chunks, read_only=read_only)
        self._guard = Lock()
        self._snapshot: IndexSnapshot | None = None
        self._opened: tuple[str, TantivyIndex] | None = None
        self._memory: tuple[TantivyIndex, IndexSnapshot] | None = None

    def at(self, revision: Revision) -> IndexSnapshot:
        """Both indexes at `revision` or later."""
        held = self._snapshot
        if held is not None and held.revision == revision and not self._ivf.is_due(held.matrix):
            return held
        with self._guard:
            held = self._snapshot
            if held is None or held.revision != self._catalog.revision(self._number):
                held = self._snapshot = self._from_disk(self._patience_s) or self._in_memory()
            name = held.name
            if name is not None and self._ivf.is_due(held.matrix):
                held = self._snapshot = replace(held, matrix=self._ivf.attached(name, held.matrix))
                self._ivf.after_refresh(name, held.matrix)
            return held

    def settle(self, *, is_last: bool = False) -> None:
        """Updates the indexes on disk if that is possible without waiting; if not, the next search will.

        Builds an ANN index if the matrix needs one: now if this is the last change for a while, otherwise in the
        background.
        """
        if self._read_only:
            return
        with self._guard:
            try:
                held = self._snapshot = self._from_disk(0) or self._snapshot
            except BackendError:
                # The document is in the catalog, so the caller's change succeeded; the next search reports this error.
                return
        if held is not None and held.name is not None:
            (self._ivf.make if is_last else self._ivf.begin)(held.name, held.matrix)

    def without_ann_index(self, revision: Revision) -> IndexSnapshot:
        """As `at`, for a search that found the ANN index damaged: it is discarded and rebuilt."""
        with self._guard:
            held = self._snapshot
            if held is not None and held.name is not None:
                self._ivf.discard(held.name)
                self._snapshot = replace(held, matrix=replace(held.matrix, first=None))
                self._ivf.begin(held.name, self._snapshot.matrix)
        held = self.at(revision)
        return replace(held, matrix=replace(held.matrix, first=None))

    def close(self) -> None:
        """Ends background work."""
        self._ivf.stop()

    def invalidate(self) -> None:
        """Discards the indexes on disk and in memory, so that both are rebuilt."""
        with self._guard:
            self._snapshot = self._opened = self._memory = None
            if not self._read_only:
                (self.folder / STATE).unlink(missing_ok=True)

    # -- on disk -------------------------------------------------------------------------------------------------

    def _from_disk(self, wait_s: float) -> IndexSnapshot | None:
        """The indexes on disk, up to date; None if they are behind and cannot be updated."""
        for _ in range(2):  # files may just be being replaced
            try:
                state = read_state(self.folder, self._dimensions)
                # In this order: the catalog only moves forward, so the files on disk can never be ahead of it.
                if state is None or state.revision != self._catalog.revision(self._number):
                    break
                snapshot = self._loaded(state)
                if snapshot.lexicon.count == snapshot.matrix.count:
                    return snapshot
            except (OSError, ValueError):
                self._opened = None
        if self._read_only:
            return None
        try:
            make_private_folder(self.folder)
            with self._lock.held(wait_s) as got:
                return self._updated() if got else None
        except (OSError, ValueError):
            return None  # a full disk, say; tantivy reports those as ValueError

    def _updated(self) -> IndexSnapshot:
        try:
            state = read_state(self.folder, self._dimensions)
            snapshot = None if state is None else self._advance(state)
        except (OSError, ValueError):
            snapshot = None
        return snapshot or self._rebuilt()

    def _advance(self, state: DerivedIndexState) -> IndexSnapshot | None:
        """The files of `state`, updated to the present; None if they should be rebuilt."""
        with self._catalog.delta(self._number, state.revision) as delta:
            if delta.since is None:
                return None
            matrix = self._files(state).view(len(state.dead), state.dead).without(delta.removed)
            if needs_rebuild(matrix):
                return None
            if delta.revision != state.revision:
                lexicon = self._lexicon(state.lexicon, create=False)
                state = self._apply_delta(lexicon, state, matrix.dead, delta)
        return self._trusted(state, delta.chunks)

    def _rebuilt(self) -> IndexSnapshot:
        name = secrets.token_hex(6)
        state = DerivedIndexState(Revision(0, ""), f"lexicon-{name}", f"matrix-{name}", np.zeros(0, np.bool_))
        self._opened = None
        make_private_folder(self.folder / state.lexicon)
        with self._catalog.delta(self._number, None) as delta:
            state = self._apply_delta(self._lexicon(state.lexicon, create=True), state, state.dead, delta)
        snapshot = self._trusted(state, delta.chunks)
        if snapshot is None:
            raise ValueError(f"{self.folder} does not contain what was written to it")
        self._sweep(state)
        return snapshot

    def _apply_delta(
        self, lexicon: TantivyIndex, state: DerivedIndexState, dead: NDArray[np.bool_], delta: CatalogDelta
    ) -> DerivedIndexState:
        """Applies a delta to the files, and records the revision last."""
        files, rows = self._files(state), len(dead)
        with lexicon.writing(delta.removed) as add:
            for batch in _batches(delta.added):
                add(batch)
                rows = files.append(rows, batch)
        dead = np.concatenate([dead, np.zeros(rows - len(dead), np.bool_)])
        state = DerivedIndexState(delta.revision, state.lexicon, state.matrix, dead)
        write_state(self.folder, state, self._dimensions)
        return state

    def _trusted(self, state: DerivedIndexState, chunks: int) -> IndexSnapshot | None:
        snapshot = self._loaded(state)
        return snapshot if snapshot.lexicon.count == snapshot.matrix.count == chunks else None

    def _loaded(self, state: DerivedIndexState) -> IndexSnapshot:
        lexicon = self._lexicon(state.lexicon, create=False).view()
        matrix = self._files(state).view(len(state.dead), state.dead)
        return IndexSnapshot(state.revision, lexicon, self._ivf.attached(state.matrix, matrix), state.matrix)

    def _lexicon(self, name: str, *, create: bool) -> TantivyIndex:
        if self._opened is None or self._opened[0] != name:
            self._opened = name, TantivyIndex(self.folder / name, create=create)
        return self._opened[1]

    def _files(self, state: DerivedIndexState) -> MatrixFiles:
        return MatrixFiles(self.folder, state.matrix, self._dimensions)

    def _sweep(self, state: DerivedIndexState) -> None:
        """Removes files of earlier builds; processes that have them open keep them until their next refresh."""
        for path in self.folder.iterdir():
            kept = (state.lexicon, "lock", FIRST_PASS_LOCK, STATE)
            if path.name in kept or path.stem == state.matrix:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    # -- in memory -----------------------------------------------------------------------------------------------

    def _in_memory(self) -> IndexSnapshot:
        """A private copy at the current revision."""
        lexicon, held = self._memory or (TantivyIndex(), None)
        with self._catalog.delta(self._number, None if held is None else held.revision) as delta:
            matrix = empty_matrix(self._dimensions) if held is None else held.matrix.without(delta.removed)
            if held is None or (delta.since is not None and not needs_rebuild(matrix)):
                added = list(delta.added)
                with lexicon.writing(delta.removed) as add:
                    add(added)
                snapshot = IndexSnapshot(delta.revision, lexicon.view(), matrix.extended(added))
                self._memory = lexicon, snapshot
                return snapshot
        self._memory = None
        return self._in_memory()


def needs_rebuild(matrix: MatrixView) -> bool:
    """Whether so many rows are dead that a rebuild is better than an update."""
    rows = len(matrix.numbers)
    dead = rows - matrix.count
    return dead > 0 and (rows <= SMALL_MATRIX_ROWS or dead > MAX_DEAD_SHARE * rows)


def _batches(entries: Iterator[IndexEntry]) -> Iterator[list[IndexEntry]]:
    while batch := list(islice(entries, _BATCH_SIZE)):
        yield batch
