"""The chain head of a log: the number and hash of its last record, in a file outside the log."""

from contextlib import AbstractContextManager
from pathlib import Path
from sqlite3 import Connection

from footnotary.audit.chain_verification import GENESIS, ChainHead
from footnotary.audit.record import AuditRecord
from footnotary.audit.sqlite_database import AuditDatabase
from footnotary.errors import UsageError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS head (
    one INTEGER PRIMARY KEY CHECK (one = 1), log TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL
)
"""


class ChainHeadFile:
    """The record a log must reach: it is never ahead of the log, and may harmlessly lag after a power failure.

    Opened read-only without a file, it is empty.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._path = path
        self._database: AuditDatabase | None = None
        if path.exists() or not read_only:
            self._database = AuditDatabase(path, _SCHEMA, read_only=read_only, durable=False)

    def close(self) -> None:
        if self._database is not None:
            self._database.close()

    def read(self) -> ChainHead | None:
        """The last record it was advanced to; None if it is missing."""
        if self._database is None:
            return None
        with self._database.reading() as c:
            row = c.execute("SELECT log, seq, hash FROM head").fetchone()
        return None if row is None else ChainHead(*row)

    def begin(self, log: str) -> None:
        """Creates the head of an empty log, unless it exists."""
        with self._writing(durably=True) as c:  # a log with records but no head has lost it
            c.execute("INSERT OR IGNORE INTO head VALUES (1, ?, 0, ?)", (log, GENESIS))

    def advance(self, record: AuditRecord) -> None:
        """Advances to a record; never backwards, whichever of two processes is last."""
        with self._writing() as c:
            c.execute("UPDATE head SET seq = ?, hash = ? WHERE seq < ?", (record.seq, record.hash, record.seq))

    def replace(self, log: str, record: AuditRecord) -> None:
        """Sets it to a record, whatever it was before."""
        with self._writing(durably=True) as c:
            c.execute("INSERT OR REPLACE INTO head VALUES (1, ?, ?, ?)", (log, record.seq, record.hash))

    def _writing(self, *, durably: bool = False) -> AbstractContextManager[Connection]:
        if self._database is None:
            raise UsageError(f"there is no chain head at {self._path} to write", hint="open the audit log for writing")
        return self._database.writing_durably() if durably else self._database.writing()
