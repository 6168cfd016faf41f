"""Maintains the ANN index of a large project's matrix: loads it, builds it, and discards a damaged one.

It is built at the end of a bulk ingest, or by a background thread, once for all processes (it has its own lock, which
nobody waits for). An interrupted build leaves nothing, and the next process that needs it starts again; until then
searches are exact. It covers the rows that existed when the build started: later rows are all scored, and when there
are many of them it is rebuilt.
"""

import contextlib
import time
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

from footnotary.index.embedded.ivf_build import build_ivf_index
from footnotary.index.embedded.ivf_file import IvfIndexFile
from footnotary.index.embedded.ivf_index import IvfIndex
from footnotary.index.embedded.vector_matrix import MatrixView
from footnotary.index.file_lock import FileLock

IVF_LOCK_NAME = "first.lock"
# Rebuilt when this share of the rows was added after it.
_MAX_UNCOVERED_SHARE = 0.1
_REFRESH_INTERVAL_S = 2.0
# A short-lived process that only searches may end before the build does: it starts one after this many checks.
_CHECKS_BEFORE_BUILD = 5


class IvfIndexMaintainer:
    """For the matrices of one project; to be called by one thread at a time, except for `stop`."""

    def __init__(self, folder: Path, dimensions: int, *, min_rows: int, read_only: bool) -> None:
        self._folder = folder
        self._dimensions = dimensions
        self._from_rows = min_rows
        self._read_only = read_only
        self._held: tuple[str, int, IvfIndex] | None = None
        self._damaged: tuple[str, int] | None = None
        self._look_at = 0.0
        self._looked = 0
        self._thread: Thread | None = None
        self._stopped = Event()

    def is_due(self, matrix: MatrixView) -> bool:
        """Whether to check the disk again: this matrix should have an ANN index, or a newer one."""
        return self._wants(matrix, matrix.first) and time.monotonic() >= self._look_at

    def attached(self, name: str, matrix: MatrixView) -> MatrixView:
        """The matrix `name` with the ANN index on disk, if there is a usable one."""
        if len(matrix.numbers) < self._from_rows:
            return matrix
        self._look_at = time.monotonic() + _REFRESH_INTERVAL_S
        file = IvfIndexFile(self._folder, name, self._dimensions)
        try:
            written = file.path.stat().st_mtime_ns
        except OSError:
            self._held = None
            return replace(matrix, first=None)
        # The same file is not opened again: the open one remembers which of its groups were verified.
        if self._held is None or self._held[:2] != (name, written):
            found = None if (name, written) == self._damaged else file.read(len(matrix.numbers))
            self._held = None if found is None else (name, written, found)
        first = None if self._held is None else self._held[2]
        return replace(matrix, first=first)

    def after_refresh(self, name: str, matrix: MatrixView) -> None:
        """Starts a build in the background, if one is needed and this process keeps searching."""
        self._looked += 1
        if self._looked >= _CHECKS_BEFORE_BUILD:
            self.begin(name, matrix)

    def begin(self, name: str, matrix: MatrixView) -> None:
        """Starts a build in the background, if one is needed."""
        if self._wants(matrix, matrix.first) and not self._read_only and not self._stopped.is_set():
            if self._thread is not None and self._thread.is_alive():
                return
            self._thread = Thread(target=self.make, args=(name, matrix), name="first-pass", daemon=True)
            self._thread.start()

    def make(self, name: str, matrix: MatrixView) -> None:
        """Builds one now, if one is needed and no other process is building it; gives up if the disk is full."""
        if self._read_only or not self._wants(matrix, matrix.first):
            return
        with contextlib.suppress(OSError), FileLock(self._folder / IVF_LOCK_NAME).held(0) as got:
            file = IvfIndexFile(self._folder, name, self._dimensions)
            if not got or not self._wants(matrix, file.read(len(matrix.numbers))):
                return
            first = build_ivf_index(matrix.vectors, lambda: not self._stopped.is_set())
            if first is not None:
                file.write(first)
                self._look_at = 0.0

    def discard(self, name: str) -> None:
        """Discards a damaged one."""
        self._damaged, self._held = self._held and self._held[:2], None
        if not self._read_only:
            with contextlib.suppress(OSError):
                IvfIndexFile(self._folder, name, self._dimensions).path.unlink(missing_ok=True)

    def stop(self) -> None:
        """Ends a running build, and starts no more."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _wants(self, matrix: MatrixView, first: IvfIndex | None) -> bool:
        rows = len(matrix.numbers)
        return rows >= self._from_rows and (first is None or rows - first.count > _MAX_UNCOVERED_SHARE * rows)
