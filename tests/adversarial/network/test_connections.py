"""Clients that send nothing, half a head, a byte at a time, or never read: real requests are served all the same."""

import asyncio
import os
import resource
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from starlette.responses import StreamingResponse

from footnotary.mcp_server.mount import create_app_with_mcp
from footnotary.service.middleware import security_headers
from footnotary.service.middleware.connection_table import (
    RESERVED_FILES,
    ConnectionLimits,
    ConnectionTable,
    connection_capacity,
)
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening, wait_until
from harness.service.raw_requests import get, post

pytestmark = pytest.mark.server

HALF_A_HEAD = b"POST /rag/query HTTP/1.1\r\nHost: localhost\r\nX-A: "
QUICK = ConnectionLimits(head_timeout_s=0.5, idle_timeout_s=1, write_timeout_s=1.0)


@contextmanager
def serving(home, limits):
    settings = load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={})
    with listening(create_app_with_mcp(ServiceState(settings, HashEmbedder())), limits) as address:
        yield address


def ended(connection, within_s=20.0):
    """What the service still sends before it ends the connection."""
    connection.settimeout(within_s)
    received = b""
    try:
        while piece := connection.recv(65_536):
            received += piece
    except ConnectionError:
        pass
    return received


def is_open(address):
    with socket.socket() as probe:
        return probe.connect_ex(address) == 0


def answered(address, source=None):
    with socket.create_connection(address, timeout=30, source_address=source) as connection:
        connection.sendall(get())
        return b" 200 " in ended(connection, 30)[:20]


@pytest.mark.parametrize("sent", [b"", b"G", HALF_A_HEAD, get()[:-2]], ids=["nothing", "a byte", "half", "all but one"])
def test_a_head_that_is_not_complete_in_time_ends_the_connection(tmp_path, sent):
    with serving(tmp_path, QUICK) as address, socket.create_connection(address) as connection:
        connection.sendall(sent)
        started = time.monotonic()
        received = ended(connection)
        assert time.monotonic() - started < 15
        assert received.startswith(b"HTTP/1.1 408 ") if sent else received == b""
        assert not sent or b'"slow_head"' in received


def test_a_byte_now_and_then_does_not_extend_the_time_of_a_head(tmp_path):
    with serving(tmp_path, QUICK) as address, socket.create_connection(address) as connection:
        started = time.monotonic()
        connection.settimeout(0.1)
        received = b""
        while time.monotonic() - started < 15 and not received:
            connection.sendall(b"X")
            try:
                received = connection.recv(1000)
            except TimeoutError:
                continue
        assert received.startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - started < 5


def test_an_idle_connection_is_closed_and_a_second_head_has_a_deadline_too(tmp_path):
    first = get().replace(b"Connection: close\r\n", b"")
    with serving(tmp_path, QUICK) as address:
        with socket.create_connection(address) as idle:
            idle.sendall(first)
            received = ended(idle)
            assert received.count(b"HTTP/1.1") == 1
        with socket.create_connection(address) as half:
            half.sendall(first)
            assert b" 200 " in half.recv(65_536)
            half.sendall(HALF_A_HEAD)
            assert b" 408 " in ended(half)


def test_a_body_that_drips_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(security_headers, "BODY_STALL_TIMEOUT_S", 0.5)
    with serving(tmp_path, QUICK) as address, socket.create_connection(address) as connection:
        connection.sendall(post("Content-Length: 5000"))
        connection.settimeout(0.1)
        received, started = b"", time.monotonic()
        while not received and time.monotonic() - started < 20:
            connection.sendall(b" ")
            try:
                received = connection.recv(65_536)
            except TimeoutError:
                continue
        assert received.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("path", ["/openapi.json", "/"])
def test_a_client_that_does_not_read_is_dropped_and_its_memory_freed(tmp_path, path):
    with serving(tmp_path, QUICK) as address:
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            deaf.connect(address)
            wanted = get(path=path).replace(b"Connection: close\r\n", b"")
            flood(deaf, wanted * 100, 500)
            wait_until(lambda: len(open_to(address)) == 0, 20)
        assert answered(address)


class EndlessStream:
    """The real application, and a stream of events that ends when its client is gone."""

    def __init__(self, app):
        self._app = app
        self.state = app.state
        self.sent = 0
        self.has_ended = False

    async def __call__(self, scope, receive, send):
        if scope.get("path") == "/endless":
            await StreamingResponse(self._events(), media_type="text/event-stream")(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _events(self):
        try:
            while True:
                self.sent += 1
                await asyncio.sleep(0)
                yield b"data: " + b"x" * 10_000 + b"\n\n"
        finally:
            self.has_ended = True


def test_a_stream_that_is_not_read_is_ended(tmp_path):
    settings = load_settings({"verifier": "lexical", "home": tmp_path, "rate_per_minute": 0}, environ={})
    app = EndlessStream(create_app_with_mcp(ServiceState(settings, HashEmbedder())))
    with listening(app, QUICK) as address:
        with socket.create_connection(address) as deaf:
            deaf.sendall(get(path="/endless"))
            wait_until(lambda: app.has_ended, 30)
            assert app.sent < 5_000, "it was not written into memory"
        assert answered(address)


def flood(connection, sent, times):
    """Sends until the other side takes no more."""
    connection.settimeout(3)
    with suppress(OSError):
        for _ in range(times):
            connection.sendall(sent)


def open_to(address):
    """The established connections of this machine to a port, from /proc."""
    port = f":{address[1]:04X}"
    with Path("/proc/net/tcp").open(encoding="ascii") as table:
        rows = [line.split() for line in table][1:]
    return [row for row in rows if row[1].endswith(port) and row[3] == "01"]


def test_beyond_the_limit_the_connection_that_waits_longest_makes_room(tmp_path):
    limits = ConnectionLimits(max_connections=50, per_client=20, head_timeout_s=60.0)
    with serving(tmp_path, limits) as address:
        held = [socket.create_connection(address) for _ in range(20)]
        for connection in held:
            connection.sendall(HALF_A_HEAD)
        assert answered(address)
        assert ended(held[0]) == b""
        with pytest.raises(TimeoutError):
            ended(held[-1], 0.5)
        for connection in held:
            connection.close()


class Held:
    def __init__(self):
        self.is_evicted = False

    def evict(self):
        self.is_evicted = True


def test_a_connection_whose_request_is_answered_is_never_evicted():
    table = ConnectionTable(2, 2)
    first, second, third = Held(), Held(), Held()
    assert table.enter(first, "a")
    assert table.enter(second, "b")
    table.work(first)
    assert table.enter(third, "c")
    assert (first.is_evicted, second.is_evicted) == (False, True)
    table.work(third)
    assert not table.enter(Held(), "d"), "everyone is being served"
    table.leave(first)
    assert table.enter(Held(), "d")
    assert len(table) == 2


def test_one_address_cannot_take_the_room_of_the_others():
    table = ConnectionTable(100, 3)
    other = Held()
    assert table.enter(other, "b")
    greedy = [Held() for _ in range(50)]
    assert all(table.enter(one, "a") for one in greedy)
    assert [one.is_evicted for one in greedy] == [True] * 47 + [False] * 3
    assert not other.is_evicted


@pytest.mark.parametrize(
    ("wanted", "files", "capacity"), [(2000, 1024, 512), (2000, 65_536, 2000), (2000, 300, 16), (5, 64, 5)]
)
def test_files_are_kept_back_for_accepted_work(wanted, files, capacity):
    assert connection_capacity(wanted, files) == capacity
    assert RESERVED_FILES == 512


def test_thousands_of_half_open_connections_do_not_stop_a_service_with_1024_files(tmp_path):
    """5,000, or as many as this process may open; from one address and, for half of them, from many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8_000), hard))
    number = min(5_000, min(hard, 8_000) - 500)
    environ = {**os.environ, "FOOTNOTARY_VERIFIER": "lexical"}
    command = [
        sys.executable,
        "-m",
        "footnotary.cli.main",
        "serve",
        "--home",
        str(tmp_path),
        "--port",
        "0",
        "--embedder",
        "fast",
    ]
    limited = ["prlimit", "--nofile=1024:1024", *command]
    process = subprocess.Popen(limited, stderr=subprocess.PIPE, text=True, env=environ)
    held = []
    try:
        said = next(line for line in process.stderr if "is listening" in line)
        address = ("127.0.0.1", int(said.rpartition(":")[2]))
        wait_until(lambda: is_open(address), 60)
        slowest, served = 0.0, 0
        for at in range(number):
            source = ("127.0.0.1", 0) if at % 2 else (f"127.0.{1 + at // 2 % 40}.2", 0)
            connection = socket.create_connection(address, timeout=30, source_address=source)
            connection.sendall(HALF_A_HEAD)
            held.append(connection)
            if at % 100 == 0:
                started = time.monotonic()
                assert answered(address)
                slowest, served = max(slowest, time.monotonic() - started), served + 1
        assert served == -(-number // 100)
        assert answered(address)
        assert slowest < 20
        open_files = len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
        assert open_files < 1024 - 200, "files are left for accepted work"
        assert process.poll() is None
    finally:
        for connection in held:
            connection.close()
        process.terminate()
        process.communicate(timeout=60)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
