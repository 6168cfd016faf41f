"""The writer lock of a store's folder: one process holds it at a time, and the error for others names the holder."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from footnotary.errors import BackendError, StoreLocked, UsageError
from footnotary.index.file_lock import FileLock


class WriterLock:
    """`write.lock` in the folder; with `read_only` it is always refused."""

    def __init__(self, folder: Path, *, read_only: bool, wait_s: float) -> None:
        self._folder = folder
        self._read_only = read_only
        self._wait_s = wait_s
        self._lock = FileLock(folder / "write.lock")

    @contextmanager
    def held(self) -> Generator[None]:
        """Raises `StoreLocked` if another process holds it too long, `BackendError` if the disk cannot be written."""
        if self._read_only:
            raise UsageError(f"the store in {self._folder} is open for reading only", hint="open it for writing")
        try:
            with self._lock.held(self._wait_s) as got:
                if not got:
                    raise self._locked()
                yield
        except OSError as error:
            raise BackendError(
                f"{self._folder} cannot be written to: {error}",
                hint="check the folder's permissions and free disk space",
            ) from error

    def _locked(self) -> StoreLocked:
        holder = self._lock.holder()
        return StoreLocked(
            f"another process{f' ({holder})' if holder else ''} is writing to {self._folder}, "
            f"and did not finish within {self._wait_s:g} s",
            hint="wait until it finishes and try again; reading works meanwhile",
            retryable=True,
        )
