"""Rate and concurrency limits that all workers count together, per tenant."""

import math
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection

from footnotary.service.problems import Problem
from footnotary.service.rate_limits import RateLimiter
from footnotary.service.workers.shared_database import SharedDatabase

_SCHEMA = """
CREATE TABLE IF NOT EXISTS buckets (tenant TEXT PRIMARY KEY, held REAL NOT NULL, since REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS in_flight (
    worker INTEGER NOT NULL, tenant TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (worker, tenant)
) WITHOUT ROWID;
"""


def open_limits(folder: Path) -> SharedDatabase:
    """The limits of the service whose shared files are in `folder`."""
    return SharedDatabase(folder / "limits.db", _SCHEMA)


def release_worker(database: SharedDatabase, worker: int) -> None:
    """Forgets the requests of a worker that is gone."""
    with database.writing() as c:
        c.execute("DELETE FROM in_flight WHERE worker = ?", (worker,))


class SharedRateLimiter(RateLimiter):
    """Token buckets that all workers take from. The monotonic clock is one for all processes of a machine."""

    def __init__(self, database: SharedDatabase, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(per_minute, clock)
        self._database = database

    def take(self, tenant: str) -> None:
        if not self._per_s:
            return
        now = self._clock()
        with self._database.writing() as c:
            row = c.execute("SELECT held, since FROM buckets WHERE tenant = ?", (tenant,)).fetchone()
            held, since = row or (self._burst, now)
            held = min(self._burst, held + max(now - since, 0.0) * self._per_s)
            if held < 1:
                wait_s = math.ceil((1 - held) / self._per_s)
                raise Problem("rate_limited", headers={"Retry-After": str(wait_s)})
            c.execute("INSERT OR REPLACE INTO buckets VALUES (?, ?, ?)", (tenant, held - 1, now))


class SharedInFlight:
    """Requests in flight, counted over all workers; see `InFlight`.

    A worker writes its own counts as they are, so that the next write corrects one that failed.
    """

    def __init__(self, database: SharedDatabase, worker: int) -> None:
        self._database = database
        self._worker = worker
        self._here: Counter[str] = Counter()

    @property
    def total(self) -> int:
        with self._database.reading() as c:
            return int(c.execute("SELECT coalesce(sum(count), 0) FROM in_flight").fetchone()[0])

    def enter(self, tenant: str, admitted: int, per_tenant: int) -> None:
        with self._database.writing() as c:
            total, own = c.execute(
                "SELECT coalesce(sum(count), 0), coalesce(sum(count) FILTER (WHERE tenant = ?), 0) FROM in_flight",
                (tenant,),
            ).fetchone()
            if total >= admitted:
                raise Problem("overloaded")
            if own >= per_tenant:
                raise Problem("too_many_at_once")
            self._write(c, tenant, self._here[tenant] + 1)
        self._here[tenant] += 1

    def leave(self, tenant: str) -> None:
        self._here[tenant] -= 1
        with suppress(Problem), self._database.writing() as c:
            self._write(c, tenant, self._here[tenant])

    def _write(self, c: Connection, tenant: str, count: int) -> None:
        c.execute("INSERT OR REPLACE INTO in_flight VALUES (?, ?, ?)", (self._worker, tenant, count))
