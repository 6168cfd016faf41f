"""Files being uploaded: written to disk in chunks, within the size limit, before a job is accepted."""

import os
from pathlib import Path

from footnotary.durable import open_private
from footnotary.errors import BackendError, UsageError


class FileTooLarge(UsageError):
    """The file has more bytes than the settings allow."""


class UploadFileWriter:
    """A file being uploaded: written in chunks, never beyond the limit."""

    def __init__(self, job_id: str, path: Path, max_bytes: int) -> None:
        self.job_id = job_id
        self.size = 0
        self._path = path
        self._max_bytes = max_bytes
        try:
            self._file = os.fdopen(open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb")
        except OSError as error:
            raise unwritable_error(path.parent, error) from error

    def write(self, piece: bytes) -> None:
        """Raises `FileTooLarge` before the chunk that exceeds the limit is written."""
        self.size += len(piece)
        if self.size > self._max_bytes:
            raise FileTooLarge(
                f"the file is larger than the limit of {self._max_bytes:,} bytes",
                hint="split it, or raise max_file_mb in the settings",
            )
        try:
            self._file.write(piece)
        except OSError as error:
            raise unwritable_error(self._path.parent, error) from error

    @property
    def is_there(self) -> bool:
        return self._path.exists()

    def finish(self) -> None:
        """The content is on disk when this returns; syncing the folder makes the name durable."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def discard(self) -> None:
        self._file.close()
        self._path.unlink(missing_ok=True)


def unwritable_error(folder: Path, error: OSError) -> BackendError:
    return BackendError(
        f"{folder} cannot be written to: {error.strerror or error}",
        hint="check free space and permissions of the data directory; nothing was accepted",
        retryable=True,
    )
