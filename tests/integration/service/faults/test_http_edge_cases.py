"""FAULTS F: model servers that fail in every way, callers that are slow, gone or too many. Nothing unverified leaves."""

import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from footnotary.service.app import create_app
from footnotary.service.middleware import security_headers
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.chat_server import (
    ChatServer,
    claims,
    completion,
    drips,
    endless,
    fails,
    hangs,
    head,
    replies,
    resets,
    responds,
    sends,
    unused_url,
)
from footnotary.testing.fake_embedder import HashEmbedder
from harness.service.listening import listening, wait_until

ASKED = {"query": "What is the punishment for cheating?", "project_id": "demo"}
TRUE = "A person who cheats shall be punished with imprisonment of up to one year, of either description, or with a fine, or with both."
LEAK = "leakedword"

pytestmark = pytest.mark.server


def answer_from(start, *behaviours, timeout_s=2.0):
    """The service's response when its model server behaves so, the time it took, and how often that was asked."""
    with ChatServer(*behaviours) as server:
        client = start(model="m", base_url=server.base_url, api_key="k", timeout_s=timeout_s, answer_cache="off")
        started = time.monotonic()
        response = client.post("/rag/query", json=ASKED)
        return response, time.monotonic() - started, len(server.seen)


def problem(response) -> tuple[int, str]:
    assert response.headers["content-type"] == "application/problem+json", response.text
    assert LEAK not in response.text
    return response.status_code, response.json()["code"]


def test_a_model_server_that_works_is_answered_from(start):
    response, _, asked = answer_from(start, replies(claims((TRUE, [1]))), timeout_s=60.0)
    assert response.json()["citations"] == ["IPC_417_0"]
    assert asked == 1


@pytest.mark.parametrize(
    "behaviour",
    [resets(), resets(head(content_type="application/json")), hangs(), sends(b""), sends(b"\x00\xff\x00")],
    ids=range(5),
)
def test_f1_a_model_server_that_does_not_answer_is_a_problem_within_the_deadline(start, behaviour):
    response, took, _ = answer_from(start, behaviour)
    assert problem(response) in {(503, "llm_unavailable"), (502, "llm_bad_response")}
    assert took < 60


def test_f1_a_model_server_that_is_not_there_is_a_problem(start):
    client = start(model="m", base_url=unused_url(), api_key="k", timeout_s=2.0)
    response = client.post("/rag/query", json=ASKED)
    assert problem(response) == (503, "llm_unavailable")
    assert response.headers["retry-after"]
    assert client.get("/v1/audit").json()["records"] == [], "no outcome, no record of one"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_f2_a_busy_model_server_is_asked_again_a_few_times_and_then_given_up(start, status):
    response, took, asked = answer_from(start, fails(status, LEAK, retry_after="0"), timeout_s=5.0)
    assert problem(response)[0] in (502, 503)
    assert 1 <= asked <= 4
    assert took < 60


def test_f2_a_reply_after_a_failure_of_transport_is_used(start):
    response, _, asked = answer_from(start, fails(503, retry_after="0"), replies(claims((TRUE, [1]))), timeout_s=60.0)
    assert response.json()["citations"] == ["IPC_417_0"]
    assert asked == 2


def bad_bodies():
    """Replies with status 200 that are none: each would say something if it were believed."""
    good = completion(claims((f"{LEAK} is the punishment.", [1])))
    whole = json.dumps(good)
    yield from (whole[:cut].encode() for cut in range(0, len(whole) - 1, max(1, len(whole) // 16)))
    yield from (
        b"",
        b"null",
        b"[]",
        b"{}",
        b"true",
        b'"text"',
        b"<html><body>" + LEAK.encode() + b"</body></html>",
        b"\xff\xfe",
    )
    yield from (json.dumps(body).encode() for body in (
        {**good, "choices": []}, {**good, "choices": None}, {**good, "choices": [{}]}, {**good, "choices": "x"},
        {**good, "choices": [{"message": None}]}, {**good, "choices": [{"message": {"content": None}}]}, {"error": {"message": LEAK}},
    ))  # fmt: skip
    for reason in ("length", "content_filter", "tool_calls", "function_call", None, "", 7):
        yield json.dumps(completion(claims((TRUE, [1])), finish_reason=reason)).encode()
    for content in (f"{LEAK}.", f"{LEAK} [1].", f'{{"answerable": true, "claims": "{LEAK}"}}', "{}", "[]", 7, [LEAK], {"text": LEAK},
                    f'{{"answerable": true, "claims": [{{"text": "{LEAK}", "sources": ["1"]}}]}}',
                    f'{{"answerable": true, "claims": [{{"text": "{LEAK}", "sources": [1]}}], "more": 1}}',
                    f'{{"answerable": false, "claims": [{{"text": "{LEAK}", "sources": [1]}}]}}'):  # fmt: skip
        yield json.dumps(completion(content)).encode()
    yield (
        json.dumps(completion(claims((TRUE, [1])), tool_calls=[{"id": "x"}])).replace("tool_calls", "ignored").encode()
        + b" trailing"
    )


def test_f3_no_malformed_or_truncated_reply_is_delivered(start):
    bodies = list(bad_bodies())
    assert len(bodies) > 45
    with ChatServer(*(responds(body) for body in bodies)) as server:
        client = start(model="m", base_url=server.base_url, api_key="k", timeout_s=5.0, answer_cache="off")
        while len(server.seen) < len(bodies):
            before = len(server.seen)
            response = client.post("/rag/query", json=ASKED)
            assert LEAK not in response.text, bodies[before]
            if response.status_code == 200:
                refused = response.json()["refusal_reason"] is not None
                assert refused, (bodies[before], response.text)
            else:
                assert response.status_code in (502, 503), response.text
            assert len(server.seen) > before


@pytest.mark.parametrize(
    "behaviour",
    [
        drips(b" " * 10_000, 0.5, head(content_type="application/json", content_length="10000")),
        endless(head(content_type="application/json")),
        responds(b'{"choices": "' + b"x" * 20_000_000 + b'"}'),
        sends(head(content_type="application/json", content_length="500") + b'{"choices": ['),
    ],
    ids=["one byte at a time", "without end", "one long line", "cut off"],
)
def test_f4_a_reply_that_is_slow_endless_or_cut_off_ends_in_time(start, behaviour):
    response, took, _ = answer_from(start, behaviour, timeout_s=3.0)
    assert problem(response)[0] in (502, 503)
    assert took < 60


def test_f5_the_model_that_answered_is_recorded(start):
    with ChatServer(replies(claims((TRUE, [1])), model="another-model")) as server:
        client = start(model="m", base_url=server.base_url, api_key="k", answer_cache="off")
        assert client.post("/rag/query", json=ASKED).json()["refusal_reason"] is None
        (record,) = client.get("/v1/audit").json()["records"]
        assert "chat:" in json.dumps(record)


@pytest.fixture
def served(home):
    """A service that really listens; `(host, port)` and its state."""
    settings = load_settings(
        {"verifier": "lexical", "home": home, "rate_per_minute": 0, "max_concurrency": 4, "concurrency": 4}, environ={}
    )
    state = ServiceState(settings, HashEmbedder())
    with listening(create_app(state)) as address:
        yield address, state


def raw(address, sent: bytes, wait_s: float = 60.0) -> bytes:
    with socket.create_connection(address, timeout=wait_s) as connection:
        connection.sendall(sent)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
        return received


def request(body: bytes, length: int | None = None, close: str = "close") -> bytes:
    return (
        b"POST /rag/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + f"Content-Length: {len(body) if length is None else length}\r\nConnection: {close}\r\n\r\n".encode()
        + body
    )


def test_f7_what_is_too_much_is_rejected_at_once_and_the_rest_is_answered(served):
    address, state = served
    good = request(json.dumps(ASKED).encode())
    raw(address, good)
    with ThreadPoolExecutor(40) as callers:
        replied = list(callers.map(lambda _: raw(address, good), range(200)))
    codes = [reply.split(b" ", 2)[1] for reply in replied]
    assert set(codes) <= {b"200", b"429", b"503"}
    assert codes.count(b"200") >= 4
    for reply in replied:
        if b" 200 " not in reply[:20]:
            assert b"retry-after" in reply.lower()
    assert state.limiter.in_flight == 0


def test_f7_at_capacity_requests_are_rejected_at_once_and_cheap_routes_stay_open(start, monkeypatch):
    client = start()
    monkeypatch.setattr(client.app.state.service.limiter, "_admitted", 0)
    for path in ("/rag/query", "/v1/ask", "/v1/retrieve", "/v1/chat/completions"):
        response = client.post(path, content=b"whatever")
        assert problem(response) == (503, "overloaded")
        assert response.headers["retry-after"] == "1"
        assert response.headers["x-request-id"] == response.json()["request_id"]
        assert response.headers["x-content-type-options"] == "nosniff"
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code in (200, 503)
    assert "footnotary_requests_shed_total 4.0" in client.get("/metrics").text


def test_f8_a_body_that_stops_arriving_is_given_up(served, monkeypatch):
    monkeypatch.setattr(security_headers, "BODY_STALL_TIMEOUT_S", 0.5)
    address, state = served
    started = time.monotonic()
    reply = raw(address, request(b'{"query": "', length=5_000, close="keep-alive"))
    assert b" 408 " in reply[:20]
    assert time.monotonic() - started < 60
    assert state.limiter.in_flight == 0


def test_f8_many_idle_sockets_keep_nobody_from_an_answer(served):
    address, _ = served
    idle = [socket.create_connection(address) for _ in range(200)]
    try:
        for connection in idle[:100]:
            connection.sendall(b"POST /rag/query HTTP/1.1\r\nHost: loc")
        assert b" 200 " in raw(address, request(json.dumps(ASKED).encode()))[:20]
    finally:
        for connection in idle:
            connection.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"POST /rag/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/whoami HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /rag/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 40\r\n\r\n{}{}",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-A: b\r\n" * 20_000 + b"\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
        b"GET / HTTP/9.9\r\n\r\n",
    ],
    ids=["two lengths", "two content-lengths", "many headers", "long line", "tls", "version"],
)
def test_f8_requests_that_two_servers_could_read_in_two_ways_are_refused(served, sent):
    address, _ = served
    try:
        reply = raw(address, sent + b"", 3.0)
    except (TimeoutError, ConnectionError):
        reply = b""
    assert b" 200 " not in reply[:20]
    assert reply.count(b"HTTP/1.1") <= 1, "what follows is not taken for a second request"
    assert b" 200 " in raw(address, request(json.dumps(ASKED).encode()))[:20], "and it goes on serving"


@pytest.mark.parametrize("size", [40_000, 100_000])
def test_a_head_that_is_too_long_was_a_bad_request(served, size):
    address, _ = served
    reply = raw(address, b"GET /rag/health HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * size + b"\r\n\r\n")
    assert b" 431 " in reply[:20]
    assert b"header_too_large" in reply


def test_f12_callers_that_go_away_leave_nothing_behind(served):
    address, state = served
    good = request(json.dumps(ASKED).encode())
    raw(address, good)

    def open_files() -> int:
        held = Path("/proc/self/fd")
        return sum(1 for _ in held.iterdir()) if held.is_dir() else 0

    before, threads = open_files(), threading.active_count()
    for number in range(150):
        connection = socket.create_connection(address)
        connection.sendall(good[: len(good) - number % 7])
        connection.close()
    # Callers are let in one after the other: whoever is answered now has seen the others come, and may be turned away.
    wait_until(lambda: b" 200 " in raw(address, good)[:20])
    wait_until(lambda: state.limiter.in_flight == 0)
    wait_until(lambda: open_files() <= before + 8)
    wait_until(lambda: threading.active_count() <= threads + 4)
