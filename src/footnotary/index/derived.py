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

The matrix of a large project has an ANN index (`first_pass_upkeep`), which is derived from the matrix: it is not part
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

from footnotary.errors import BackendError
from footnotary.index.derived_state import FILE as STATE
from footnotary.index.derived_state import Snapshot, State, read_state, write_state
from footnotary.index.file_lock import FileLock
from footnotary.index.first_pass_upkeep import LOCK as FIRST_PASS_LOCK
from footnotary.index.first_pass_upkeep import FirstPassUpkeep
from footnotary.index.sqlite_catalog import SqliteCatalog
from footnotary.index.sqlite_changes import Delta, Entry, Mark
from footnotary.index.tantivy_lexicon import TantivyLexicon
from footnotary.index.vector_matrix import MatrixFiles, MatrixView, empty_matrix

# Dead rows cost time and distort the BM25 statistics. A small project is rebuilt at once, because that is cheap.
SMALL = 1_000
WORN = 0.1
_AT_ONCE = 4_096


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
        self._first_pass = FirstPassUpkeep(folder, dimensions, from_rows=ann_min_chunks, read_only=read_only)
        self._guard = Lock()
        self._snapshot: Snapshot | None = None
        self._opened: tuple[str, TantivyLexicon] | None = None
        self._memory: tuple[TantivyLexicon, Snapshot] | None = None

    def at(self, revision: Mark) -> Snapshot:
        """Both indexes at `revision` or later."""
        held = self._snapshot
        if held is not None and held.revision == revision and not self._first_pass.is_due(held.matrix):
            return held
        with self._guard:
            held = self._snapshot
            if held is None or held.revision != self._catalog.revision(self._number):
                held = self._snapshot = self._from_disk(self._patience_s) or self._in_memory()
            name = held.name
            if name is not None and self._first_pass.is_due(held.matrix):
                held = self._snapshot = replace(held, matrix=self._first_pass.attached(name, held.matrix))
                self._first_pass.after_look(name, held.matrix)
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
            (self._first_pass.make if is_last else self._first_pass.begin)(held.name, held.matrix)

    def without_first_pass(self, revision: Mark) -> Snapshot:
        """As `at`, for a search that found the ANN index damaged: it is discarded and rebuilt."""
        with self._guard:
            held = self._snapshot
            if held is not None and held.name is not None:
                self._first_pass.discard(held.name)
                self._snapshot = replace(held, matrix=replace(held.matrix, first=None))
                self._first_pass.begin(held.name, self._snapshot.matrix)
        held = self.at(revision)
        return replace(held, matrix=replace(held.matrix, first=None))

    def close(self) -> None:
        """Ends background work."""
        self._first_pass.stop()

    def distrust(self) -> None:
        """Discards the indexes on disk and in memory, so that both are rebuilt."""
        with self._guard:
            self._snapshot = self._opened = self._memory = None
            if not self._read_only:
                (self.folder / STATE).unlink(missing_ok=True)

    # -- on disk -------------------------------------------------------------------------------------------------

    def _from_disk(self, wait_s: float) -> Snapshot | None:
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
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._lock.held(wait_s) as got:
                return self._caught_up() if got else None
        except (OSError, ValueError):
            return None  # a full disk, say; tantivy reports those as ValueError

    def _caught_up(self) -> Snapshot:
        try:
            state = read_state(self.folder, self._dimensions)
            snapshot = None if state is None else self._advanced(state)
        except (OSError, ValueError):
            snapshot = None
        return snapshot or self._rebuilt()

    def _advanced(self, state: State) -> Snapshot | None:
        """The files of `state`, updated to the present; None if they should be rebuilt."""
        with self._catalog.delta(self._number, state.revision) as delta:
            if delta.since is None:
                return None
            matrix = self._files(state).view(len(state.dead), state.dead).without(delta.removed)
            if is_worn(matrix):
                return None
            if delta.revision != state.revision:
                lexicon = self._lexicon(state.lexicon, create=False)
                state = self._written(lexicon, state, matrix.dead, delta)
        return self._trusted(state, delta.chunks)

    def _rebuilt(self) -> Snapshot:
        name = secrets.token_hex(6)
        state = State(Mark(0, ""), f"lexicon-{name}", f"matrix-{name}", np.zeros(0, np.bool_))
        self._opened = None
        (self.folder / state.lexicon).mkdir()
        with self._catalog.delta(self._number, None) as delta:
            state = self._written(self._lexicon(state.lexicon, create=True), state, state.dead, delta)
        snapshot = self._trusted(state, delta.chunks)
        if snapshot is None:
            raise ValueError(f"{self.folder} does not contain what was written to it")
        self._sweep(state)
        return snapshot

    def _written(self, lexicon: TantivyLexicon, state: State, dead: NDArray[np.bool_], delta: Delta) -> State:
        """Applies a delta to the files, and records the revision last."""
        files, rows = self._files(state), len(dead)
        with lexicon.writing(delta.removed) as add:
            for batch in _batches(delta.added):
                add(batch)
                rows = files.append(rows, batch)
        dead = np.concatenate([dead, np.zeros(rows - len(dead), np.bool_)])
        state = State(delta.revision, state.lexicon, state.matrix, dead)
        write_state(self.folder, state, self._dimensions)
        return state

    def _trusted(self, state: State, chunks: int) -> Snapshot | None:
        snapshot = self._loaded(state)
        return snapshot if snapshot.lexicon.count == snapshot.matrix.count == chunks else None

    def _loaded(self, state: State) -> Snapshot:
        lexicon = self._lexicon(state.lexicon, create=False).view()
        matrix = self._files(state).view(len(state.dead), state.dead)
        return Snapshot(state.revision, lexicon, self._first_pass.attached(state.matrix, matrix), state.matrix)

    def _lexicon(self, name: str, *, create: bool) -> TantivyLexicon:
        if self._opened is None or self._opened[0] != name:
            self._opened = name, TantivyLexicon(self.folder / name, create=create)
        return self._opened[1]

    def _files(self, state: State) -> MatrixFiles:
        return MatrixFiles(self.folder, state.matrix, self._dimensions)

    def _sweep(self, state: State) -> None:
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

    def _in_memory(self) -> Snapshot:
        """A private copy at the current revision."""
        lexicon, held = self._memory or (TantivyLexicon(), None)
        with self._catalog.delta(self._number, None if held is None else held.revision) as delta:
            matrix = empty_matrix(self._dimensions) if held is None else held.matrix.without(delta.removed)
            if held is None or (delta.since is not None and not is_worn(matrix)):
                added = list(delta.added)
                with lexicon.writing(delta.removed) as add:
                    add(added)
                snapshot = Snapshot(delta.revision, lexicon.view(), matrix.extended(added))
                self._memory = lexicon, snapshot
                return snapshot
        self._memory = None
        return self._in_memory()


def is_worn(matrix: MatrixView) -> bool:
    """Whether so many rows are dead that a rebuild is better than an update."""
    rows = len(matrix.numbers)
    dead = rows - matrix.count
    return dead > 0 and (rows <= SMALL or dead > WORN * rows)


def _batches(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    while batch := list(islice(entries, _AT_ONCE)):
        yield batch
