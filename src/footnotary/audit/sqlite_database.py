"""One SQLite file of the audit trail: commits are durable, and every error is translated into ours."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from footnotary.durable import make_durable_folder, make_private_file
from footnotary.errors import BackendError, StoreCorrupt, StoreLocked, UsageError

_BUSY_TIMEOUT_S = 5.0


class AuditDatabase:
    """Threads may share it, and so may processes; transactions are exclusive.

    Raises `BackendError` if the disk is full or the file is not writable, and then nothing was changed. Unless it is
    `durable`, the last changes may be lost after a power failure.
    """

    def __init__(self, path: Path, schema: str, *, read_only: bool = False, durable: bool = True) -> None:
        self.path = path
        self._synchronous = "FULL" if durable else "NORMAL"
        self._guard = RLock()
        self._connection: sqlite3.Connection | None = None
        try:
            with self._translated():
                self._connection = self._connected(schema, read_only)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Several reads from one snapshot."""
        with self._within("BEGIN", "ROLLBACK") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """One change: committed when the block ends, rolled back if it raises."""
        with self._within("BEGIN IMMEDIATE", "COMMIT") as connection:
            yield connection

    @contextmanager
    def writing_durably(self) -> Generator[sqlite3.Connection]:
        """As `writing`, but it survives a power failure even if the database is not `durable`."""
        with self._guard:
            self._sync_as("FULL")
            try:
                with self.writing() as connection:
                    yield connection
            finally:
                self._sync_as(self._synchronous)

    def _sync_as(self, synchronous: str) -> None:
        with self._translated():
            if self._connection is not None:
                self._connection.execute(f"PRAGMA synchronous = {synchronous}")

    @contextmanager
    def _within(self, begin: str, end: str) -> Generator[sqlite3.Connection]:
        with self._guard, self._translated():
            connection = self._connection
            if connection is None:
                raise UsageError(f"{self.path} is closed", hint="open it again")
            connection.execute(begin)
            try:
                yield connection
                connection.execute(end)
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _connected(self, schema: str, read_only: bool) -> sqlite3.Connection:
        if not read_only:
            _make_file(self.path)
        connection = sqlite3.connect(
            f"{self.path.resolve().as_uri()}?mode={'ro' if read_only else 'rwc'}",
            uri=True,
            timeout=_BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            if not read_only:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("BEGIN IMMEDIATE")
                for statement in filter(None, map(str.strip, schema.split(";"))):
                    connection.execute(statement)
                connection.execute("COMMIT")
            # In WAL mode only FULL syncs the log at every commit.
            connection.execute(f"PRAGMA synchronous = {self._synchronous}")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _translated(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _translate_error(error, self.path) from error
        except UnicodeEncodeError as error:
            raise UsageError("the text contains half of a surrogate pair", hint="send valid Unicode text") from error


def _make_file(path: Path) -> None:
    """It contains questions and drafts, so only its owner may read it; SQLite's extra files get the same mode."""
    try:
        make_durable_folder(path.parent)
        make_private_file(path)
    except OSError as error:
        raise BackendError(
            f"{path} cannot be written: {error.strerror}",
            hint="check free space and permissions of the folder, then try again",
            retryable=True,
        ) from None


def _translate_error(error: sqlite3.Error, path: Path) -> BackendError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or isinstance(error, sqlite3.IntegrityError):
        return StoreCorrupt(f"{path} is damaged: {error}", hint="restore it from a backup")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(
            f"{path} stayed locked for {_BUSY_TIMEOUT_S:g} s", hint="try again in a moment", retryable=True
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
        return BackendError(
            f"{path} could not be read or written, and nothing was changed: {error}",
            hint="check free space and permissions of the folder, then try again",
            retryable=True,
        )
    return BackendError(f"{path}: {error}", hint="run `footnotary audit verify`")
