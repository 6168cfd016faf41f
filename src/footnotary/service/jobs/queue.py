"""A tenant's job queue: files that were accepted and wait to be indexed. No restart loses one.

A file is accepted once its bytes and its row are on disk, in that order; only then does `submit` return. A row that
says "running" while nobody holds the queue's lock belongs to a process that died, and is queued again.
"""

from __future__ import annotations

import errno
import json
import secrets
import sqlite3
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity
from footnotary.durable import fsync_path, make_durable_folder
from footnotary.errors import BackendError, UsageError
from footnotary.index.file_lock import FileLock
from footnotary.index.sqlite.connections import SqliteConnections
from footnotary.ingest.uploads import UploadStore
from footnotary.service.jobs.incoming_files import remove_abandoned, remove_files
from footnotary.service.jobs.job import (
    JOB_COLUMNS,
    JOBS_SCHEMA,
    IndexingJob,
    JobState,
    failed_result,
    parse_job_row,
    validity_json,
)
from footnotary.service.jobs.upload_file import UploadFileWriter, unwritable_error

MAX_QUEUED_FILES = 1_000  # of one tenant
MAX_QUEUED_BYTES = 4_000_000_000
MAX_ATTEMPTS = 3  # a file that crashes the process every time must not do so forever
MAX_FINISHED_JOBS = 1_000

_REPAIR_HINT = "move the tenant's jobs.db* files away, restart, and upload again every file that was not indexed yet"
_ID_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_MAX_DELAY_S = 600.0  # a longer delay means that the clock has been set back since


class QueueFull(UsageError):
    """The queue is full; no further file is accepted."""


class JobQueue:
    """A tenant's jobs in its folder; threads and processes may share it.

    A process that runs jobs holds `running` meanwhile, so that only one process at a time runs them.
    """

    def __init__(self, tenant_folder: Path) -> None:
        self.uploads = UploadStore.of_tenant(tenant_folder)
        self._incoming = self.uploads.folder / "incoming"
        try:
            make_durable_folder(self._incoming)
        except OSError as error:
            raise unwritable_error(self._incoming, error) from error
        self._lock = FileLock(tenant_folder / "jobs.lock")
        self._connections = SqliteConnections(tenant_folder / "jobs.db", read_only=False, repair_hint=_REPAIR_HINT)
        with self._connections.lent() as c:
            c.execute("PRAGMA journal_mode = WAL")
            c.executescript(JOBS_SCHEMA)

    def close(self) -> None:
        self._connections.close()

    # -- accepting -----------------------------------------------------------------------------------------------

    def receive(self, max_bytes: int) -> UploadFileWriter:
        """A file to write the upload to; pass it to `submit`, or discard it."""
        job_id = "job_" + "".join(secrets.choice(_ID_ALPHABET) for _ in range(26))
        return UploadFileWriter(job_id, self._incoming / job_id, max_bytes)

    def submit(
        self, files: Sequence[tuple[UploadFileWriter, str]], project: str, given: Validity = UNKNOWN_VALIDITY
    ) -> list[IndexingJob]:
        """Accepts files under their names, all or none. Once it returns, they survive a crash and will be indexed.

        Raises `QueueFull`, or `BackendError` if writing fails; then nothing is accepted.
        """
        try:
            for incoming, _ in files:
                incoming.finish()
            fsync_path(self._incoming)
            with self._connections.transaction() as c:
                sql = "SELECT count(*), coalesce(sum(size), 0) FROM jobs WHERE state IN ('queued', 'running')"
                waiting, held = c.execute(sql).fetchone()
                coming = sum(incoming.size for incoming, _ in files)
                if not all(incoming.is_there for incoming, _ in files):
                    raise FileNotFoundError(errno.ENOENT, "an uploaded file disappeared")
                if waiting + len(files) > MAX_QUEUED_FILES or held + coming > MAX_QUEUED_BYTES:
                    raise QueueFull(
                        f"the queue holds {waiting:,} files of {held:,} bytes; the limit is "
                        f"{MAX_QUEUED_FILES:,} files of {MAX_QUEUED_BYTES:,} bytes",
                        hint="try again later",
                    )
                c.execute("INSERT OR IGNORE INTO projects VALUES (?, ?)", (project, self._stamp()))
                for incoming, name in files:
                    c.execute(
                        "INSERT INTO jobs (id, project, name, size, given, state, created_at)"
                        " VALUES (?, ?, ?, ?, ?, 'queued', ?)",
                        (incoming.job_id, project, name, incoming.size, validity_json(given), self._stamp()),
                    )
        except BaseException as error:
            for incoming, _ in files:
                incoming.discard()
            if isinstance(error, OSError):
                raise unwritable_error(self._incoming, error) from error
            raise
        return [self._required(incoming.job_id) for incoming, _ in files]

    # -- looking -------------------------------------------------------------------------------------------------

    def get(self, job_id: str) -> IndexingJob | None:
        with self._connections.lent() as c:
            row = c.execute(f"SELECT {JOB_COLUMNS} FROM jobs WHERE id = ?", (job_id,)).fetchone()  # noqa: S608
        return None if row is None else parse_job_row(row)

    def jobs(self, project: str | None = None, limit: int = 100) -> list[IndexingJob]:
        """Newest first."""
        where = "" if project is None else "WHERE project = ?"
        sql = f"SELECT {JOB_COLUMNS} FROM jobs {where} ORDER BY number DESC LIMIT ?"  # noqa: S608
        with self._connections.lent() as c:
            return [parse_job_row(row) for row in c.execute(sql, (*(() if project is None else (project,)), limit))]

    def counts(self) -> dict[str, int]:
        """The number of jobs in each state."""
        with self._connections.lent() as c:
            return dict(c.execute("SELECT state, count(*) FROM jobs GROUP BY state"))

    def has_work(self) -> bool:
        with self._connections.lent() as c:
            return bool(c.execute("SELECT 1 FROM jobs WHERE state IN ('queued', 'running') LIMIT 1").fetchone())

    # -- projects ------------------------------------------------------------------------------------------------

    def create_project(self, name: str) -> bool:
        """Registers a project that has no document yet; returns whether the name is new."""
        with self._connections.transaction() as c:
            return bool(c.execute("INSERT OR IGNORE INTO projects VALUES (?, ?)", (name, self._stamp())).rowcount)

    def projects(self) -> list[str]:
        """The projects that were created, or that files were uploaded to; the store knows those with documents."""
        with self._connections.lent() as c:
            return [name for (name,) in c.execute("SELECT name FROM projects ORDER BY name")]

    def forget_project(self, name: str) -> bool:
        with self._connections.transaction() as c:
            return bool(c.execute("DELETE FROM projects WHERE name = ?", (name,)).rowcount)

    # -- cancelling ----------------------------------------------------------------------------------------------

    def cancel(self, job_id: str) -> IndexingJob | None:
        """Cancels a queued job now and a running one before its next document; a finished job does not change."""
        with self._connections.transaction() as c:
            cancelled = self._cancel_queued(c, "id = ?", (job_id,))
            c.execute("UPDATE jobs SET cancelling = 1 WHERE id = ? AND state = 'running'", (job_id,))
        remove_files(self._incoming, cancelled)
        return self.get(job_id)

    def withdraw(self, project: str, name: str | None = None) -> bool:
        """Cancels the queued jobs of a file name or a whole project. False, with no change, if one is running.

        After True, no file uploaded earlier can bring back a document that is deleted now.
        """
        where, values = ("project = ?", (project,)) if name is None else ("project = ? AND name = ?", (project, name))
        with self._connections.transaction() as c:
            running = f"SELECT 1 FROM jobs WHERE state = 'running' AND {where} LIMIT 1"  # noqa: S608
            if c.execute(running, values).fetchone():
                return False
            cancelled = self._cancel_queued(c, where, values)
        remove_files(self._incoming, cancelled)
        return True

    # -- running -------------------------------------------------------------------------------------------------

    @contextmanager
    def running(self) -> Generator[bool]:
        """Whether this process may run jobs until the block ends. Jobs of a process that died are queued again."""
        with self._lock.held(0.0) as got:
            if got:
                self._recover()
            yield got

    def next(self) -> IndexingJob | None:
        """The oldest job that may run now, marked as running. Only inside `running`."""
        with self._connections.transaction() as c:
            sql = (
                "SELECT id FROM jobs WHERE state = 'queued' AND (not_before <= ? OR not_before > ?)"
                " ORDER BY number LIMIT 1"
            )
            now = time.time()
            row = c.execute(sql, (now, now + _MAX_DELAY_S)).fetchone()
            if row is None:
                return None
            c.execute(
                "UPDATE jobs SET state = 'running', attempts = attempts + 1, started_at = ?, progress = '{}'"
                " WHERE id = ?",
                (self._stamp(), row[0]),
            )
        return self._required(row[0])

    def file(self, job: IndexingJob) -> Path:
        return self._incoming / job.id

    def record_progress(self, job_id: str, progress: dict[str, Any]) -> bool:
        """Stores a job's progress; returns whether it is to be cancelled."""
        with self._connections.transaction() as c:
            c.execute("UPDATE jobs SET progress = ? WHERE id = ?", (json.dumps(progress), job_id))
            row = c.execute("SELECT cancelling FROM jobs WHERE id = ?", (job_id,)).fetchone()
        return row is None or bool(row[0])

    def finish(self, job_id: str, state: JobState, result: dict[str, Any]) -> None:
        """Stores a job's result and removes its file."""
        with self._connections.transaction() as c:
            c.execute(
                "UPDATE jobs SET state = ?, result = ?, finished_at = ?, progress = '{}' WHERE id = ?",
                (state, json.dumps(result), self._stamp(), job_id),
            )
            c.execute(
                "DELETE FROM jobs WHERE state IN ('done', 'failed', 'cancelled') AND number <= "
                "(SELECT max(number) FROM jobs) - ?",
                (MAX_FINISHED_JOBS,),
            )
        (self._incoming / job_id).unlink(missing_ok=True)

    def postpone(self, job_id: str, by_s: float, *, counted: bool = True) -> None:
        """Queues a running job again; `counted=False` if the interrupted attempt does not count."""
        with self._connections.transaction() as c:
            c.execute(
                "UPDATE jobs SET state = 'queued', not_before = ?, attempts = attempts - ? WHERE id = ?",
                (time.time() + by_s, 0 if counted else 1, job_id),
            )

    # -- inside --------------------------------------------------------------------------------------------------

    def _recover(self) -> None:
        with self._connections.transaction() as c:
            sql = "SELECT id, name FROM jobs WHERE state = 'running' AND attempts >= ?"
            for job_id, name in c.execute(sql, (MAX_ATTEMPTS,)).fetchall():
                given_up = failed_result(name, "interrupted", "indexing this file crashed the service several times")
                c.execute(
                    "UPDATE jobs SET state = 'failed', result = ?, finished_at = ?, progress = '{}' WHERE id = ?",
                    (json.dumps(given_up), self._stamp(), job_id),
                )
            c.execute(
                "UPDATE jobs SET state = 'cancelled', finished_at = ?, progress = '{}'"
                " WHERE state = 'running' AND cancelling",
                (self._stamp(),),
            )
            c.execute("UPDATE jobs SET state = 'queued', not_before = 0 WHERE state = 'running'")
        self._drop_abandoned()

    def _cancel_queued(self, c: sqlite3.Connection, where: str, values: tuple[str, ...]) -> list[str]:
        sql = f"UPDATE jobs SET state = 'cancelled', finished_at = ? WHERE state = 'queued' AND {where} RETURNING id"  # noqa: S608
        return [row[0] for row in c.execute(sql, (self._stamp(), *values))]

    def _drop_abandoned(self) -> None:
        # In a transaction: a clock set ahead makes every file look old, and `submit` checks inside its own transaction
        # that its files still exist.
        with self._connections.transaction() as c:
            wanted = {row[0] for row in c.execute("SELECT id FROM jobs WHERE state IN ('queued', 'running')")}
            remove_abandoned(self._incoming, wanted)

    def _required(self, job_id: str) -> IndexingJob:
        job = self.get(job_id)
        if job is None:
            raise BackendError("a job that was just written is missing", hint="check the disk of the data directory")
        return job

    def _stamp(self) -> str:
        return datetime.now(UTC).isoformat(timespec="milliseconds")
