"""The lease between machines that write for one tenant, on a server of dictionaries."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, cast

import pytest

from footnotary.errors import BackendError, StoreLocked, UsageError
from footnotary.index.qdrant import writer_lease
from footnotary.index.qdrant.catalog import QdrantCatalog
from footnotary.index.qdrant.document_records import NO_RECORD
from footnotary.index.qdrant.point_types import FoundPoint, PointFilter, QdrantPoint
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.qdrant.writer_lease import WriterLease

LEASE_S = 0.6


class DictServer:
    """The operations that a lease needs, on one collection; `before_write` runs before each conditional write."""

    def __init__(self) -> None:
        self.points: dict[str, dict[str, Any]] = {}
        self.writes = 0
        self.before_write: Callable[[], None] = lambda: None
        self._one = threading.Lock()

    def read(self, collection: str, ids: Sequence[str], fields: Sequence[str] | None = None) -> list[FoundPoint]:
        with self._one:
            return [FoundPoint(dict(self.points[id_])) for id_ in ids if id_ in self.points]

    def put(self, collection: str, points: Sequence[QdrantPoint]) -> None:
        with self._one:
            self.points |= {point.id: dict(point.payload) for point in points}

    def put_if_unchanged(self, collection: str, point: QdrantPoint, where: PointFilter) -> None:
        self.before_write()
        with self._one:
            self.writes += 1
            now = self.points.get(point.id)
            if now is None or all(now[name] in values for name, values in where.among.items()):
                self.points[point.id] = dict(point.payload)


@pytest.fixture
def server() -> DictServer:
    return DictServer()


@pytest.fixture
def machine(server: DictServer) -> Callable[..., WriterLease]:
    def new(wait_s: float = 5.0) -> WriterLease:
        catalog = QdrantCatalog(cast(QdrantServer, server), "court")
        return WriterLease(catalog, lease_s=LEASE_S, wait_s=wait_s)

    return new


Machine = Callable[..., WriterLease]


def dies(lease: WriterLease, *records: str) -> None:
    """The machine takes the lease and does nothing more."""
    lease._take(records)


def lease_point(server: DictServer) -> dict[str, Any]:
    return next(payload for payload in server.points.values() if payload["kind"] == "lease")


def record(revision: str) -> QdrantPoint:
    return QdrantPoint("record", NO_RECORD | {"revision": revision, "live": "yes"})


def test_every_holder_has_the_next_number(server: DictServer, machine: Machine):
    one, other = machine(), machine()
    for expected, lease in enumerate((one, other, other, one), start=1):
        with lease.held():
            assert lease_point(server)["number"] == expected


def test_the_error_of_a_waiter_names_the_holder(server: DictServer, machine: Machine):
    said = r"process \d+ on \S+, and was not free for 0.1 s"
    with machine().held(), pytest.raises(StoreLocked, match=said) as told, machine(wait_s=0.1).held():
        pass
    assert told.value.retryable


def test_no_two_hold_it_at_once_however_many_want_it(machine: Machine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writer_lease, "_POLL_S", 0.005)
    monkeypatch.setattr(writer_lease, "_GIVE_WAY_S", 0.02)
    inside: list[int] = []
    most: list[int] = []

    def work(lease: WriterLease) -> None:
        for _ in range(5):
            with lease.held():
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work, args=(machine(wait_s=20),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 20
    assert set(most) == {1}


def test_of_two_that_find_the_lease_free_one_gets_it(server: DictServer, machine: Machine):
    def first() -> None:
        server.before_write = lambda: None
        dies(machine())

    server.before_write = first  # between the other's reading and its writing
    with pytest.raises(StoreLocked), machine(wait_s=0.1).held():
        pass
    assert lease_point(server)["number"] == 1


def test_a_dead_holder_is_followed_after_the_whole_lease_time_of_the_waiters_clock(machine: Machine):
    dies(machine())
    begun = time.monotonic()
    with machine().held():
        assert LEASE_S <= time.monotonic() - begun < 4 * LEASE_S


def test_a_holder_that_renews_is_never_followed(machine: Machine):
    with machine().held(), pytest.raises(StoreLocked), machine(wait_s=3 * LEASE_S).held():
        pass


def test_who_writes_in_a_loop_gives_way_to_who_waits(machine: Machine):
    busy, ended, got = machine(), threading.Event(), threading.Event()

    def write() -> None:
        while not ended.is_set():
            with busy.held():
                time.sleep(0.02)

    thread = threading.Thread(target=write)
    thread.start()
    try:
        with machine(wait_s=3).held():
            got.set()
    finally:
        ended.set()
        thread.join()
    assert got.is_set()


@pytest.mark.parametrize("exists", [False, True])
def test_the_commit_of_a_holder_that_slept_fails(server: DictServer, machine: Machine, exists: bool):
    revision = "7f" if exists else ""
    if exists:
        server.put("", [record(revision)])
    slept, awake = machine(), machine()
    dies(slept, "record")
    with awake.held("another"):
        assert not slept.replace_record(record(""), revision)
        with pytest.raises(StoreLocked, match="another process took it"):
            slept.confirm()
    assert server.points["record"]["live"] == ("yes" if exists else "no")
    assert server.points["record"]["revision"].startswith("2.")


def test_a_holder_that_slept_and_then_reads_the_record_cannot_commit_either(server: DictServer, machine: Machine):
    slept, awake = machine(), machine()
    dies(slept, "record")
    with awake.held():
        pass
    assert not slept.replace_record(record(""), server.points["record"]["revision"])
    with pytest.raises(StoreLocked):
        slept._invalidate_late_commit("record")
    assert server.points["record"]["live"] == "no"


def test_a_commit_on_its_way_while_the_lease_is_taken_comes_first_or_fails(server: DictServer, machine: Machine):
    """The late commit arrives between the other holder's reading of the record and its writing."""
    slept, awake = machine(), machine()
    dies(slept, "record")
    arrived: list[bool] = []

    def arrives() -> None:
        if lease_point(server)["number"] == 2 and not arrived:
            server.before_write = lambda: None
            arrived.append(slept.replace_record(record(""), ""))

    server.before_write = arrives
    with awake.held():
        assert arrived == [True]
        kept = server.points["record"]
        assert kept["live"] == "yes"
        assert kept["revision"].startswith("2.")
        assert not slept.replace_record(record(""), kept["revision"])


def test_what_a_dead_holder_had_not_invalidated_the_next_one_does(server: DictServer, machine: Machine):
    first, second = machine(), machine()
    dies(first, "record")
    time.sleep(LEASE_S)
    dies(second, "another")
    with machine().held("third"):
        assert {"record", "another"} <= server.points.keys()
        assert "third" not in server.points
        assert not first.replace_record(record(""), "")
    assert lease_point(server)["pending"] == ()


@pytest.mark.parametrize(("error", "pending"), [(BackendError("lost"), ("record",)), (UsageError("no"), ())])
def test_a_commit_in_doubt_stays_pending(server: DictServer, machine: Machine, error: Exception, pending: object):
    with pytest.raises(type(error)), machine().held("record"):
        raise error
    assert lease_point(server)["pending"] == pending
    assert lease_point(server)["lease_s"] == 0.0


def test_an_unreachable_server_at_release_is_no_error_and_the_holder_need_not_wait(
    server: DictServer, machine: Machine, caplog: pytest.LogCaptureFixture
):
    lease = machine(wait_s=0)

    def unreachable() -> None:
        raise BackendError("unreachable", retryable=True)

    with ExitStack() as change:
        change.enter_context(lease.held())
        server.before_write = unreachable
    assert "was not released" in caplog.text
    server.before_write = lambda: None
    with lease.held():
        assert lease_point(server)["number"] == 2


def test_taking_and_releasing_are_two_writes(server: DictServer, machine: Machine):
    with machine().held("record"):
        pass
    assert server.writes == 2
