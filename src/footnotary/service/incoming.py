"""A file on its way in: written to disk piece by piece, within the limit, before anything is promised about it."""

import os
from pathlib import Path

from footnotary.errors import BackendError, UsageError


class FileTooLarge(UsageError):
    """The file has more bytes than the settings allow."""


class Incoming:
    """A file on its way in: written piece by piece, never beyond the limit."""

    def __init__(self, job_id: str, path: Path, max_bytes: int) -> None:
        self.job_id = job_id
        self.size = 0
        self._path = path
        self._max_bytes = max_bytes
        try:
            self._file = path.open("xb")
        except OSError as error:
            raise unwritable(path.parent, error) from error

    def write(self, piece: bytes) -> None:
        """Raises `FileTooLarge` before the piece that goes over the limit is written."""
        self.size += len(piece)
        if self.size > self._max_bytes:
            raise FileTooLarge(
                f"the file has more than the {self._max_bytes:,} bytes allowed",
                hint="split it, or raise max_file_mb in the settings",
            )
        try:
            self._file.write(piece)
        except OSError as error:
            raise unwritable(self._path.parent, error) from error

    @property
    def is_there(self) -> bool:
        return self._path.exists()

    def finish(self) -> None:
        """All of it is on disk when this returns; the name is made durable by whoever syncs the folder."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def discard(self) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)


def unwritable(folder: Path, error: OSError) -> BackendError:
    return BackendError(
        f"{folder} cannot be written to: {error.strerror or error}",
        hint="check free space and permissions of the home folder; nothing was accepted",
        retryable=True,
    )
