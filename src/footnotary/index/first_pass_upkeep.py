"""Sees to it that the matrix of a large project has a first pass: finds it, has it made, and lets go of a damaged one.

It is made at the end of a bulk ingest, or by a thread beside other work, once for all processes (a lock of its own,
which nobody waits for). An attempt that is cut off leaves nothing, and the next one who needs it begins again; until
then searches are exact. What is made covers the rows there were when it began: rows that came since are scored all, and
when they have become many it is made anew.
"""

import contextlib
import time
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

from footnotary.index.file_lock import FileLock
from footnotary.index.first_pass import FirstPass, built
from footnotary.index.first_pass_file import FirstPassFile
from footnotary.index.vector_matrix import MatrixView

LOCK = "first.lock"
# Made anew when so large a share of the rows came after it.
_OUTGROWN = 0.1
_LOOK_EVERY_S = 2.0
# A process that only asks may be over before it is done: it begins when it has gone without for so many looks.
_LOOKS_BEFORE = 5


class FirstPassUpkeep:
    """For the matrices of one project; to be called by one thread at a time, except for `stop`."""

    def __init__(self, folder: Path, dimensions: int, *, from_rows: int, read_only: bool) -> None:
        self._folder = folder
        self._dimensions = dimensions
        self._from_rows = from_rows
        self._read_only = read_only
        self._held: tuple[str, int, FirstPass] | None = None
        self._damaged: tuple[str, int] | None = None
        self._look_at = 0.0
        self._looked = 0
        self._thread: Thread | None = None
        self._stopped = Event()

    def is_due(self, matrix: MatrixView) -> bool:
        """Whether a look is worth while for one who has this matrix: it should have a first pass, or a newer one."""
        return self._wants(matrix, matrix.first) and time.monotonic() >= self._look_at

    def attached(self, name: str, matrix: MatrixView) -> MatrixView:
        """The matrix `name` with the first pass that is on disk, if one is that can be used."""
        if len(matrix.numbers) < self._from_rows:
            return matrix
        self._look_at = time.monotonic() + _LOOK_EVERY_S
        file = FirstPassFile(self._folder, name, self._dimensions)
        try:
            written = file.path.stat().st_mtime_ns
        except OSError:
            self._held = None
            return replace(matrix, first=None)
        # The same file as before is not opened again: it remembers which of its groups were checked.
        if self._held is None or self._held[:2] != (name, written):
            found = None if (name, written) == self._damaged else file.read(len(matrix.numbers))
            self._held = None if found is None else (name, written, found)
        first = None if self._held is None else self._held[2]
        return replace(matrix, first=first)

    def after_look(self, name: str, matrix: MatrixView) -> None:
        """Has one made in the background, if one is wanted and this process goes on asking."""
        self._looked += 1
        if self._looked >= _LOOKS_BEFORE:
            self.begin(name, matrix)

    def begin(self, name: str, matrix: MatrixView) -> None:
        """Has one made in the background, if one is wanted."""
        if self._wants(matrix, matrix.first) and not self._read_only and not self._stopped.is_set():
            if self._thread is not None and self._thread.is_alive():
                return
            self._thread = Thread(target=self.make, args=(name, matrix), name="first-pass", daemon=True)
            self._thread.start()

    def make(self, name: str, matrix: MatrixView) -> None:
        """Makes one now, if one is wanted and no other process is at it; leaves it at that if the disk is full."""
        if self._read_only or not self._wants(matrix, matrix.first):
            return
        with contextlib.suppress(OSError), FileLock(self._folder / LOCK).held(0) as got:
            file = FirstPassFile(self._folder, name, self._dimensions)
            if not got or not self._wants(matrix, file.read(len(matrix.numbers))):
                return
            first = built(matrix.vectors, lambda: not self._stopped.is_set())
            if first is not None:
                file.write(first)
                self._look_at = 0.0

    def discard(self, name: str) -> None:
        """Lets go of a damaged one."""
        self._damaged, self._held = self._held and self._held[:2], None
        if not self._read_only:
            with contextlib.suppress(OSError):
                FirstPassFile(self._folder, name, self._dimensions).path.unlink(missing_ok=True)

    def stop(self) -> None:
        """Ends what is under way, and begins nothing more."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _wants(self, matrix: MatrixView, first: FirstPass | None) -> bool:
        rows = len(matrix.numbers)
        return rows >= self._from_rows and (first is None or rows - first.count > _OUTGROWN * rows)
