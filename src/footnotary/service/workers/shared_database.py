"""A small SQLite file that the workers of one service share; it does not outlive the service.

Nothing in it must survive a crash of the machine, so commits are not synced: they cost microseconds.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from footnotary.durable import make_private_file, make_private_folder
from footnotary.service.problems import Problem

_BUSY_TIMEOUT_S = 2.0


class SharedDatabase:
    """One connection of one worker; transactions exclude each other in all workers. Threads may share it.

    Raises `Problem` where another worker holds the file for too long.
    """

    def __init__(self, path: Path, schema: str) -> None:
        make_private_folder(path.parent)
        make_private_file(path)
        self._guard = RLock()
        self._connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute("PRAGMA secure_delete = ON")
        self._connection.executescript(schema)

    def close(self) -> None:
        with self._guard:
            self._connection.close()

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        with self._within("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        with self._within("BEGIN") as connection:
            yield connection

    @contextmanager
    def _within(self, begin: str) -> Generator[sqlite3.Connection]:
        with self._guard:
            try:
                self._connection.execute(begin)
            except sqlite3.OperationalError:
                raise Problem("overloaded") from None
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
