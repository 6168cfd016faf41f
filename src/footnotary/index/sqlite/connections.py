"""Connections to one SQLite file: shared by threads, with transactions that commit completely or not at all."""

import sqlite3
import zlib
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from footnotary.durable import make_private_file
from footnotary.errors import BackendError, StoreCorrupt, StoreLocked, UsageError
from footnotary.index.sqlite.row_checksums import register_checksum_function

_BUSY_TIMEOUT_S = 5.0
_MAX_PARAMETERS = 500  # bound parameters per statement, well under every build's limit


class SqliteConnections:
    """Lends each caller its own connection, and turns SQLite's errors into ours.

    `repair_hint` is the hint for a damaged database.
    """

    def __init__(self, path: Path, *, read_only: bool, repair_hint: str) -> None:
        self.path = path
        self._repair_hint = repair_hint
        self._read_only = read_only
        self._idle: list[sqlite3.Connection] = []
        self._guard = Lock()
        self._closed = False

    def close(self) -> None:
        with self._guard:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def lent(self) -> Generator[sqlite3.Connection]:
        with self._guard:
            if self._closed:
                raise UsageError(f"the store at {self.path} is closed", hint="open it again")
            connection = self._idle.pop() if self._idle else None
        try:
            connection = connection or self._connect()
            yield connection
        except BaseException as error:
            # Its state is unknown, so it is not reused: closing rolls back.
            if connection is not None:
                connection.close()
            if isinstance(error, (sqlite3.Error, UnicodeError)):
                raise _translate_error(error, self.path, self._repair_hint) from error
            raise
        with self._guard:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    @contextmanager
    def snapshot(self) -> Generator[sqlite3.Connection]:
        """Several reads from one snapshot."""
        with self.lent() as connection:
            connection.execute("BEGIN")
            yield connection
            connection.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """A snapshot in whose block rows are decoded: a row that cannot be decoded means damage."""
        try:
            with self.snapshot() as connection:
                yield connection
        except (ValueError, TypeError, AttributeError, LookupError, zlib.error) as error:
            raise _corrupt_error(self.path, error, self._repair_hint) from error

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """One change: committed and on disk when the block ends, rolled back if it raises."""
        with self.lent() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def _connect(self) -> sqlite3.Connection:
        mode = "ro" if self._read_only else "rwc"
        if not self._read_only and not self.path.exists():
            with suppress(OSError):  # SQLite says better what is wrong with the folder
                make_private_file(self.path)
        connection = sqlite3.connect(
            f"{self.path.resolve().as_uri()}?mode={mode}",
            uri=True,
            timeout=_BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            # FULL at every commit; with a rollback journal also sync its removal, because that is the commit.
            connection.execute("PRAGMA synchronous = EXTRA")
            register_checksum_function(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def select_in(
    connection: sqlite3.Connection, sql: str, first: tuple[object, ...], values: Sequence[object], last: str = ""
) -> list[Any]:
    """The rows of `sql IN (values) last`, for any number of values."""
    distinct = list(dict.fromkeys(values))
    rows: list[Any] = []
    for i in range(0, len(distinct), _MAX_PARAMETERS):
        some = distinct[i : i + _MAX_PARAMETERS]
        rows += connection.execute(f"{sql} IN ({', '.join('?' * len(some))}){last}", (*first, *some))
    return rows


def _corrupt_error(path: Path, seen: object, repair_hint: str) -> StoreCorrupt:
    return StoreCorrupt(f"{path} is damaged: {seen}", hint=repair_hint)


def _translate_error(error: sqlite3.Error | UnicodeError, path: Path, repair_hint: str) -> BackendError | UsageError:
    if isinstance(error, UnicodeEncodeError):
        return UsageError(
            f"{error.object[error.start : error.start + 1]!r} is not a character that can be stored",
            hint="the text contains half of a surrogate pair; decode the file again",
        )
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    undecodable = isinstance(error, UnicodeError) or "decode to UTF-8" in str(error)
    if undecodable or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _corrupt_error(path, error, repair_hint)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreLocked(
            f"{path} stayed locked for {_BUSY_TIMEOUT_S:g} s: {error}", hint="try again in a moment", retryable=True
        )
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
        return BackendError(
            f"{path} could not be read or written, and nothing was changed: {error}",
            hint="check free space and permissions of the folder, then try again",
            retryable=code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
        )
    return BackendError(f"{path}: {error}", hint="run `footnotary doctor`")
