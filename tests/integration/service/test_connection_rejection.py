"""Whoever finds the house full is turned away on the wire, and only where a request can be read in one way."""

import json
import socket

import pytest

from footnotary.service.app import create_app
from footnotary.service.middleware.connection_rejection import is_unambiguous_request
from footnotary.service.middleware.load_shedding import EXPENSIVE_PATHS
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening

BODY = json.dumps({"query": "What is theft?", "project_id": "demo"}).encode()


def asked(
    *fields: str, first: str = "POST /rag/query HTTP/1.1", body: bytes = BODY, length: str | None = None
) -> bytes:
    kind = "Content-Type: application/json"
    named = ("Host: localhost", kind, f"Content-Length: {len(body) if length is None else length}", *fields)
    return "\r\n".join((first, *named, "", "")).encode() + body


def received(connection: socket.socket) -> tuple[bytes, dict[str, str], bytes]:
    """The next response on a connection: its first line, its headers and its body."""
    with connection.makefile("rb") as reply:
        first, headers = reply.readline(), {}
        while (line := reply.readline()) != b"\r\n":
            name, _, value = line.decode().partition(":")
            headers[name.lower()] = value.strip()
        return first, headers, reply.read(int(headers["content-length"]))


@pytest.mark.parametrize("path", sorted(EXPENSIVE_PATHS))
def test_one_whole_request_to_a_busy_address_is_plain(path):
    assert is_unambiguous_request(asked("Accept: */*", first=f"POST {path} HTTP/1.1"))


@pytest.mark.parametrize(
    "sent",
    [
        asked(first="POST /v1/whoami HTTP/1.1"),
        asked(first="GET /rag/query HTTP/1.1"),
        asked(first="POST /rag/query?x=1 HTTP/1.1"),
        asked(first="POST /rag/query HTTP/1.0"),
        asked(first="POST  /rag/query HTTP/1.1"),
        asked("Transfer-Encoding: chunked"),
        asked("Connection: close"),
        asked("Expect: 100-continue"),
        asked("Upgrade: websocket"),
        asked("Content-Length: 3"),
        asked(f"Content-Length: {len(BODY)}"),
        asked("Host: elsewhere"),
        asked("Content-Length : 3"),
        asked("X-A: b\r\n folded"),
        asked("X-A: b\nTransfer-Encoding: chunked"),
        asked("X-A: b\rTransfer-Encoding: chunked"),
        asked("X-A: \0"),
        asked("no colon"),
        asked(length="+52"),
        asked(length=f"0{len(BODY)}"),
        asked(length=f"{len(BODY)}, {len(BODY)}"),
        asked(length=""),
        asked(length=str(len(BODY) + 1)),
        asked(length=str(len(BODY) - 1)),
        asked() + asked(),
        asked()[:-1],
        asked()[:40],
        asked().replace(b"\r\n", b"\n"),
        asked("X-A: " + "b" * 20_000),
        b"\r\n" + asked(),
        b"",
    ],
    ids=range(31),
)
def test_what_could_be_read_in_two_ways_or_is_not_whole_is_left_to_the_parser(sent):
    assert not is_unambiguous_request(sent)


@pytest.fixture
def full(home, monkeypatch):
    """A service that listens, with no room: its address, and its state."""
    state = ServiceState(
        load_settings({"verifier": "lexical", "home": home, "rate_per_minute": 0}, environ={}), HashEmbedder()
    )
    with listening(create_app(state)) as address:
        monkeypatch.setattr(state.limiter, "_admitted", 0)
        yield address, state


@pytest.mark.server
def test_the_refusal_is_the_same_on_the_wire_and_after_a_parse(full):
    with socket.create_connection(full[0], 60) as connection:
        connection.sendall(asked())
        on_the_wire = received(connection)
        connection.sendall(asked("Connection: keep-alive"))
        after_a_parse = received(connection)
    for first, headers, body in (on_the_wire, after_a_parse):
        assert first == b"HTTP/1.1 503 Service Unavailable\r\n"
        assert json.loads(body)["request_id"] == headers.pop("x-request-id")
        assert json.loads(body)["code"] == "overloaded"
        assert headers["retry-after"] == "1"
        del headers["date"]
    assert on_the_wire[1] == after_a_parse[1]
    assert b"footnotary_requests_shed_total 2.0" in full[1].telemetry.exposition()


@pytest.mark.server
def test_a_connection_that_was_rejected_is_answered_once_there_is_room(full, monkeypatch):
    with socket.create_connection(full[0], 60) as connection:
        for _ in range(3):
            connection.sendall(asked())
            assert received(connection)[0].startswith(b"HTTP/1.1 503")
        monkeypatch.setattr(full[1].limiter, "_admitted", 8)
        connection.sendall(asked())
        assert received(connection)[0] == b"HTTP/1.1 200 OK\r\n"
        monkeypatch.setattr(full[1].limiter, "_admitted", 0)
        connection.sendall(asked())
        assert received(connection)[0].startswith(b"HTTP/1.1 503")


@pytest.mark.server
def test_a_request_in_pieces_or_behind_another_is_rejected_as_ever(full):
    with socket.create_connection(full[0], 60) as connection:
        connection.sendall(asked()[:-5])
        connection.sendall(asked()[-5:])
        assert received(connection)[0].startswith(b"HTTP/1.1 503")
    with socket.create_connection(full[0], 60) as connection, connection.makefile("rb") as reply:
        connection.sendall(asked() + asked("Connection: close"))
        assert reply.read().count(b"HTTP/1.1 503") == 2
