"""Mutated raw requests and the service's responses: for tests and benchmarks."""

import json
import random
import socket
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

CANARY = "canary5f2c91"

# Inputs that parsers often mishandle.
WORDS: tuple[bytes, ...] = (
    b'"\\ud800"', b"\\udfff", b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"1" * 400, b"9" * 5000,
    b"[" * 200, b'{"a":' * 200, b"]" * 50, b"null", b"true", b"-0", b"0.1", b'""', b"{}", b"[]", b"\x00", b"\xff\xfe",
    b"\xef\xbb\xbf", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r\n", b"\r\n\r\n", b"\n", b"\r", b" ", b"\t",
    b"%00", b"%ff", b"%2e%2e%2f", b"../", b"..\\", b"%", b"%zz", b"?", b"#", b"&", b"=", b"//", b";", b"\\", b"'", b'"',
    b"' OR 1=1 --", b'" OR "', b"$ne", b"<script>", b"[SOURCE: x]", b"[^1]", b"\xe2\x80\xae", b"\xf3\xa0\x81\x81",
    b"Transfer-Encoding: chunked\r\n", b"Content-Length: 0\r\n", b"Content-Length: 99999999999999999999\r\n",
    b"Content-Length: -1\r\n", b"Content-Encoding: gzip\r\n", b"Expect: 100-continue\r\n", b"Upgrade: websocket\r\n",
    b"Host: evil.example\r\n", b"Origin: https://evil.example\r\n", b"Idempotency-Key: a\r\n", b"Range: bytes=0-1\r\n",
    b"Accept: text/event-stream\r\n", b"If-None-Match: *\r\n", b"Content-Type: text/plain\r\n", b"Connection: close\r\n",
    b"Content-Type: multipart/form-data; boundary=x\r\n", b"Content-Type: application/json; charset=utf-16\r\n",
    b"X-Long: " + b"a" * 9000 + b"\r\n", b"Cookie: " + b"a=b; " * 300 + b"\r\n", b"1f8b0800", b"\x1f\x8b\x08\x00",
    b'"tenant": "alpha",', b'"k": 21,', b'"k": 1e1,', b'"query": "twice",', b'"stream": true,', b'"project_id": "demo",',
)  # fmt: skip
METHODS = (b"GET", b"POST", b"PUT", b"DELETE", b"HEAD", b"OPTIONS", b"PATCH", b"TRACE", b"CONNECT", b"G\xc3\x8bT", b"")

_IDLE_S = 0.25


@dataclass(frozen=True, slots=True)
class Reply:
    """The status of the first response, None if the connection was closed without one, and its bytes."""

    status: int | None
    raw: bytes


@dataclass(frozen=True, slots=True)
class MutationResult:
    """Counts by status; the requests answered with 5xx, and those echoed in an error."""

    seen: dict[int | None, int]
    faults: list[tuple[bytes, bytes]]
    echoes: list[tuple[bytes, bytes]]


def good_requests(token: str | None = None) -> tuple[bytes, ...]:
    """Valid requests, one for each route worth mutating."""
    question = f"What is cheating? {CANARY}"
    bodies: Sequence[tuple[str, object]] = (
        ("/rag/query", {"query": question, "project_id": "demo", "k": 5, "min_sources": 1, "citations": "show"}),
        ("/rag/query", {"query": "नाम क्या है?", "project_id": CANARY, "mode": "answer", "include_graph": True}),
        ("/v1/ask", {"question": question, "project": "demo", "profile": "legal", "as_of": "2021-04-01"}),
        ("/v1/retrieve", {"query": question, "project": "demo", "k": 3}),
        ("/v1/verify", {"answer": f"A {CANARY} [1].", "passages": [{"id": "a", "text": f"A {CANARY}."}]}),
        ("/v1/chat/completions", {"model": "demo@legal", "messages": [{"role": "user", "content": question}]}),
        (
            "/v1/chat/completions",
            {
                "model": "guard",
                "messages": [{"role": "user", "content": [{"type": "text", "text": question}]}],
                "documents": [{"id": "A_1", "text": f"Cheating is a crime {CANARY}."}],
                "stream": True,
            },
        ),
        ("/v1/verify", {"claims": [{"text": "A.", "cites": ["a"]}], "passages": [{"id": "a", "text": "A."}]}),
    )
    gets = (
        f"/rag/search?query=cheating+{CANARY}&project_id=demo&k=3",
        "/v1/projects/demo/sources/IPC_420_0?quote=cheats",
        "/v1/profiles/legal",
        "/v1/models/demo",
        "/v1/whoami",
        "/v1/projects/demo/documents",
        "/v1/audit?after=0&limit=2",
        "/healthz",
        "/openapi.json",
    )
    key = f"Authorization: Bearer {token}\r\n" if token else ""
    common = f"Host: localhost\r\nAccept: */*\r\nConnection: close\r\n{key}"
    posts = []
    for path, body in bodies:
        content = json.dumps(body, ensure_ascii=False).encode()
        head = (
            f"POST {path} HTTP/1.1\r\n{common}Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        posts.append(head.encode() + content)
    return (*posts, *(f"GET {path} HTTP/1.1\r\n{common}\r\n".encode() for path in gets))


def mutated(raw: bytes, rng: random.Random) -> bytes:
    """`raw`, mutated in one to four places; mostly with the content length adjusted."""
    changed = bytearray(raw)
    body_only = rng.random() < 0.6 and raw.startswith(b"POST")
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        start = changed.find(b"\r\n\r\n") + 4 if body_only else 0
        _mutate(changed, min(max(start, 0), len(changed)), rng)
    return _fitted(bytes(changed)) if rng.random() < 0.7 else bytes(changed)


def _mutate(changed: bytearray, start: int, rng: random.Random) -> None:
    at = rng.randint(start, len(changed))
    end = min(len(changed), at + rng.choice((1, 1, 2, 4, 8, 32)))
    match rng.randrange(9):
        case 0 if at < len(changed):
            changed[at] ^= 1 << rng.randrange(8)
        case 1 if at < len(changed):
            changed[at] = rng.randrange(256)
        case 2:
            del changed[at:end]
        case 3:
            changed[at:at] = changed[at:end] * rng.choice((1, 2, 50))
        case 4:
            changed[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice((1, 3, 9))))
        case 5 if not start:
            line = changed.find(b" ")
            changed[: max(line, 0)] = rng.choice(METHODS)
        case 6 if not start:
            line = changed.find(b"\r\n") + 2
            changed[line:line] = rng.choice(WORDS)
        case 7:
            changed[at:end] = rng.choice(WORDS)
        case _:
            changed[at:at] = rng.choice(WORDS)


def _fitted(raw: bytes) -> bytes:
    """With the actual length of its body, so that the body is malformed and not the framing."""
    head, blank, body = raw.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"content-length:")]
    if len(lines) == head.count(b"\r\n") + 1 or not blank:
        return raw
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(body)]) + blank + body


def exchanged(host: str, port: int, raw: bytes, patience_s: float = 30.0) -> Reply:
    """Sends bytes and reads the first response. Raises `TimeoutError` where a whole request is not answered."""
    received = bytearray()
    unfinished = _is_unfinished(raw)
    with socket.create_connection((host, port), patience_s) as connection:
        connection.settimeout(_IDLE_S if unfinished else patience_s)
        try:
            connection.sendall(raw)
            while not _is_whole(received) and (piece := connection.recv(65_536)):
                received += piece
                connection.settimeout(_IDLE_S)
        except TimeoutError:
            if not received and not unfinished:
                raise
        except OSError:  # reset, after a response or without one
            pass
    status = received[9:12]
    return Reply(int(status) if received.startswith(b"HTTP/1.") and status.isdigit() else None, bytes(received))


def send_mutated_requests(
    host: str, port: int, tried: int, seed: int, token: str | None = None, threads: int = 8
) -> MutationResult:
    """Sends `count` mutated requests, several at a time; the same seed gives the same requests."""
    rng, good, seen = random.Random(seed), good_requests(token), Counter[int | None]()
    faults: list[tuple[bytes, bytes]] = []
    echoes: list[tuple[bytes, bytes]] = []
    changed = (mutated(rng.choice(good), rng) for _ in range(tried))
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(changed, 64 * threads)):
            for raw, reply in zip(batch, pool.map(lambda raw: exchanged(host, port, raw), batch), strict=True):
                seen[reply.status] += 1
                if reply.status is not None and reply.status >= 500:
                    faults.append((raw, reply.raw))
                elif reply.status is not None and reply.status >= 400 and CANARY.encode() in reply.raw:
                    echoes.append((raw, reply.raw))
    return MutationResult(dict(seen), faults, echoes)


def _is_unfinished(raw: bytes) -> bool:
    """Whether a server may rightly wait for more."""
    head, blank, body = raw.partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    lengths = [line.partition(b":")[2].strip() for line in lines if line.startswith(b"content-length")]
    waits = any(b"transfer-encoding" in line or not line.isascii() for line in lines)
    return not blank or waits or any(not n.isdigit() or int(n) > len(body) for n in lengths)


def _is_whole(received: bytearray) -> bool:
    head, blank, body = bytes(received).partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:") and line[15:].strip().isdigit():
            return bool(blank) and len(body) >= int(line[15:])
    return False
