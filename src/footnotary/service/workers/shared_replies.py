"""Idempotent replies shared by all workers: a file per tenant, deleted when the service starts and stops."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from starlette.types import Message

from footnotary.service.middleware.idempotency import (
    MAX_RESPONSE_BYTES,
    RETENTION_S,
    CachedResponse,
    IdempotencyKey,
)
from footnotary.service.problems import Problem
from footnotary.service.state import DocumentsVersion
from footnotary.service.workers.shared_database import SharedDatabase

_MAX_BYTES_PER_TENANT = 16_000_000
# `worker` is the one that answers the request, and 0 once the reply is there.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key_id TEXT NOT NULL, key TEXT NOT NULL, fingerprint BLOB NOT NULL, worker INTEGER NOT NULL, at REAL NOT NULL,
    start TEXT, body BLOB, mark TEXT, PRIMARY KEY (key_id, key)
);
"""
_SUCCESS = range(200, 300)


class SharedReplies:
    """The replies of all workers, in place of the `ResponseCache` of one."""

    def __init__(self, folder: Path, worker: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder = folder
        self._worker = worker
        self._clock = clock
        self._tenants: dict[str, SharedDatabase] = {}

    def begin(self, name: IdempotencyKey, fingerprint: bytes) -> CachedResponse | None:
        """As `ResponseCache.begin`, over all workers."""
        tenant, *key = name
        now = self._clock()
        with self._database(tenant).writing() as c:
            c.execute("DELETE FROM replies WHERE at < ?", (now - RETENTION_S,))
            sql = "SELECT fingerprint, worker, start, body, at, mark FROM replies WHERE key_id = ? AND key = ?"
            row = c.execute(sql, key).fetchone()
            if row is not None and row[0] != fingerprint:
                raise Problem("key_reused")
            if row is not None and row[1]:
                raise Problem("in_progress")
            if row is None:
                sql = "INSERT INTO replies (key_id, key, fingerprint, worker, at) VALUES (?, ?, ?, ?, ?)"
                c.execute(sql, (*key, fingerprint, self._worker, now))
                return None
        _, _, start, body, at, mark = row
        return CachedResponse(fingerprint, _parse_start(start), body, at, _parse_mark(mark))

    def forget(self, name: IdempotencyKey, reply: CachedResponse) -> None:
        tenant, *key = name
        with self._database(tenant).writing() as c:
            c.execute("DELETE FROM replies WHERE key_id = ? AND key = ? AND worker = 0 AND at = ?", (*key, reply.at))

    def end(
        self, name: IdempotencyKey, start: Message | None, body: bytes, mark: DocumentsVersion | None = None
    ) -> None:
        tenant, *key = name
        mine = (*key, self._worker)
        with self._database(tenant).writing() as c:
            if start is None or start["status"] not in _SUCCESS or len(body) > MAX_RESPONSE_BYTES:
                c.execute("DELETE FROM replies WHERE key_id = ? AND key = ? AND worker = ?", mine)
                return
            c.execute(
                "UPDATE replies SET worker = 0, start = ?, body = ?, at = ?, mark = ?"
                " WHERE key_id = ? AND key = ? AND worker = ?",
                (_start_json(start), body, self._clock(), json.dumps(mark), *mine),
            )
            held = c.execute("SELECT rowid, length(body) FROM replies WHERE worker = 0 ORDER BY at DESC").fetchall()
            total = 0
            for rowid, size in held:
                total += size
                if total > _MAX_BYTES_PER_TENANT:
                    c.execute("DELETE FROM replies WHERE rowid = ?", (rowid,))

    def close(self) -> None:
        for database in self._tenants.values():
            database.close()

    def _database(self, tenant: str) -> SharedDatabase:
        if tenant not in self._tenants:
            self._tenants[tenant] = SharedDatabase(self._folder / f"replies-{tenant}.db", _SCHEMA)
        return self._tenants[tenant]


def release_replies(folder: Path, worker: int) -> None:
    """Forgets the requests that a worker was answering when it ended: their keys can be used again."""
    for path in folder.glob("replies-*.db"):
        database = SharedDatabase(path, _SCHEMA)
        try:
            with database.writing() as c:
                c.execute("DELETE FROM replies WHERE worker = ?", (worker,))
        finally:
            database.close()


def _start_json(start: Message) -> str:
    headers = [[name.decode("latin-1"), value.decode("latin-1")] for name, value in start["headers"]]
    return json.dumps({"type": start["type"], "status": start["status"], "headers": headers})


def _parse_start(text: str) -> Message:
    start = cast("dict[str, Any]", json.loads(text))
    return start | {"headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in start["headers"]]}


def _parse_mark(text: str) -> DocumentsVersion | None:
    mark = json.loads(text)
    return None if mark is None else tuple((str(project), int(number)) for project, number in mark)
