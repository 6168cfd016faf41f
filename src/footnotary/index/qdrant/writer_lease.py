"""A lease in a tenant's catalog: of all machines, one at a time changes the tenant's documents.

The lease is a point that is replaced only if it is still the one that was read. Its holder renews it while it works.
Clocks of machines are not compared: a waiter takes the lease of another only after it has read the same renewal for
the whole lease time on its own clock.

A holder that was paused longer than that may still send its commit. The lease therefore has a number, one higher each
time it is taken, and names the record that its holder may commit (`pending`). The next holder first writes its own
number into that record's revision: the late commit expects the revision before, and fails.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace

from footnotary.errors import BackendError, FootnotaryError, StoreLocked, UsageError
from footnotary.index.qdrant.catalog import QdrantCatalog
from footnotary.index.qdrant.document_records import NO_RECORD
from footnotary.index.qdrant.point_types import CollectionNotFound, PointFilter, QdrantPoint, point_id

LEASE_S = 15.0
WAIT_S = 45.0
_POLL_S = 0.1
_GIVE_WAY_S = 0.3  # longer than a waiter takes to see that the lease is free and to take it

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeaseState:
    """The lease as stored: `version` changes when it is taken, `revision` with every write.

    It ends `lease_s` after it was last written: 0 once it is released. `pending` are the ids of records whose commit
    may still arrive.
    """

    number: int = 0
    version: str = ""
    revision: str = ""
    lease_s: float = 0.0
    holder: str = ""
    host: str = ""
    pid: int = 0
    pending: Sequence[str] = ()


class WriterLease:
    """One lease of a tenant; `name` tells its leases apart. One thread at a time may hold it."""

    def __init__(
        self, catalog: QdrantCatalog, name: str = "write", *, lease_s: float = LEASE_S, wait_s: float = WAIT_S
    ) -> None:
        self._catalog = catalog
        self._name = name
        self._lease_s = lease_s
        self._wait_s = wait_s
        self._holder = secrets.token_hex(8)
        self._lease_point, self._waiter_point = point_id("lease", name), point_id("lease_waiter", name)
        self._last_waiter = ""
        self._guard = threading.Lock()
        self._state = LeaseState()

    @contextmanager
    def held(self, *records: str) -> Generator[None]:
        """Excludes all other holders. Only these records (ids of points) may be replaced meanwhile.

        Raises `StoreLocked` with the host and process of the holder if the lease is not free in time.
        """
        earlier = self._take(records)
        ended = threading.Event()
        renewing = threading.Thread(target=self._keep_renewing, args=(ended,), name="writer-lease", daemon=True)
        renewing.start()
        pending: Sequence[str] = (*earlier, *records)
        try:
            for record in earlier:
                self._invalidate_late_commit(record)
            pending = records
            try:
                yield
            except UsageError:  # no commit was sent
                pending = ()
                raise
            pending = ()
        finally:
            ended.set()
            renewing.join()
            self._release(pending)

    def confirm(self) -> None:
        """Renews the lease. Raises `StoreLocked` if another holder has taken it."""
        with self._guard:
            renewed = replace(self._state, revision=secrets.token_hex(8))
            if not self._catalog.replace(self._point(renewed), PointFilter({"version": (renewed.version,)})):
                raise self._locked(f"was not renewed for {self._lease_s:g} s, and another process took it")
            self._state = renewed

    def replace_record(self, point: QdrantPoint, revision: str) -> bool:
        """Whether the record was replaced: not if its revision is another than `revision`, or of a later holder."""
        number, dot, _ = revision.partition(".")
        if dot and int(number) > self._state.number:
            return False
        stamped = {**point.payload, "revision": f"{self._state.number}.{secrets.token_hex(8)}"}
        return self._catalog.replace(QdrantPoint(point.id, stamped), PointFilter({"revision": (revision,)}))

    def _take(self, records: Sequence[str]) -> Sequence[str]:
        """Waits for the lease and takes it; returns the records that earlier holders may still commit."""
        deadline = time.monotonic() + self._wait_s
        watched, watched_since = "", 0.0
        while True:
            now = time.monotonic()
            seen, waiter = self._read()
            if seen.revision != watched:
                watched, watched_since = seen.revision, time.monotonic()
            was_ours = seen.holder == self._holder
            if was_ours and waiter != self._last_waiter:
                self._last_waiter = waiter
                time.sleep(_GIVE_WAY_S)
            elif was_ours or not seen.lease_s or now - watched_since >= seen.lease_s:
                new, pending = secrets.token_hex(8), tuple(dict.fromkeys((*seen.pending, *records)))
                us = self._holder, socket.gethostname(), os.getpid()
                taken = LeaseState(seen.number + 1, new, new, self._lease_s, *us, pending)
                if self._catalog.replace(self._point(taken), PointFilter({"revision": (seen.revision,)})):
                    self._state = taken
                    return seen.pending
            elif now >= deadline:
                holder = f"process {seen.pid} on {seen.host}"
                raise self._locked(f"is held by {holder}, and was not free for {self._wait_s:g} s")
            else:  # announced, so that the holder gives way once before it takes the lease again
                self._last_waiter = secrets.token_hex(8)
                payload = {"kind": "lease_waiter", "revision": self._last_waiter}
                self._catalog.server.put(self._catalog.name, [QdrantPoint(self._waiter_point, payload)])
                time.sleep(_POLL_S)

    def _read(self) -> tuple[LeaseState, str]:
        """The lease, and the latest announcement of a waiter."""
        found = self._catalog.server.read(self._catalog.name, [self._lease_point, self._waiter_point])
        by_kind = {one.payload["kind"]: one.payload for one in found}
        stored = by_kind.get("lease", asdict(LeaseState()))
        waiter = by_kind.get("lease_waiter", {"revision": ""})
        return LeaseState(**{field.name: stored[field.name] for field in fields(LeaseState)}), waiter["revision"]

    def _invalidate_late_commit(self, record: str) -> None:
        """Gives a record another revision; one that does not exist yet becomes that of a deleted document."""
        while True:
            found = self._catalog.server.read(self._catalog.name, [record])
            payload = found[0].payload if found else NO_RECORD
            if self.replace_record(QdrantPoint(record, payload), payload["revision"]):
                return
            self.confirm()

    def _keep_renewing(self, ended: threading.Event) -> None:
        while not ended.wait(self._lease_s / 3):
            try:
                self.confirm()
            except StoreLocked:
                return
            except BackendError as error:
                _log.warning("the %s lease could not be renewed yet: %s", self._name, error)

    def _release(self, pending: Sequence[str]) -> None:
        free = replace(self._state, revision=secrets.token_hex(8), lease_s=0.0, pending=pending)
        where = PointFilter({"version": (free.version,)})
        try:
            self._catalog.server.put_if_unchanged(self._catalog.name, self._point(free), where)
        except (FootnotaryError, CollectionNotFound) as error:
            _log.warning("the %s lease was not released, it ends in %g s: %s", self._name, self._lease_s, error)

    def _point(self, state: LeaseState) -> QdrantPoint:
        return QdrantPoint(self._lease_point, {"kind": "lease", **asdict(state)})

    def _locked(self, why: str) -> StoreLocked:
        what = f"the {self._name} lease of tenant {self._catalog.tenant!r}"
        return StoreLocked(f"{what} {why}", hint="try again later; reading works meanwhile", retryable=True)
