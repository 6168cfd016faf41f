"""Requests as raw bytes, with what a server on an open network must make of each: smuggling, broken heads, odd hosts."""

from dataclasses import dataclass

BODY = b'{"query": "What is theft?", "project_id": "demo"}'
# A second request that hides in the first; no server may ever answer it.
SMUGGLED_PATH = "/smuggled"
_SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"


@dataclass(frozen=True, slots=True)
class RawRequest:
    """Bytes for one connection; `statuses` are those of the responses, and then the connection ends."""

    name: str
    sent: bytes
    statuses: tuple[int, ...] = (400,)


def head(first: str, *fields: str) -> bytes:
    return "\r\n".join((first, "Host: localhost", *fields, "", "")).encode("latin-1")


def post(*fields: str, body: bytes = b"") -> bytes:
    return head("POST /rag/query HTTP/1.1", "Content-Type: application/json", *fields) + body


def get(*fields: str, path: str = "/v1/whoami") -> bytes:
    return head(f"GET {path} HTTP/1.1", "Connection: close", *fields)


CHUNKED = "Transfer-Encoding: chunked"
_CHUNKS = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)

# Two lengths, or one that is not a number: where the body ends would be a matter of opinion.
SMUGGLING = (
    RawRequest("length then chunks", post("Content-Length: 4", CHUNKED, body=b"0\r\n\r\n" + _SMUGGLED)),
    RawRequest("chunks then length", post(CHUNKED, "Content-Length: 4", body=b"0\r\n\r\n" + _SMUGGLED)),
    RawRequest("length of all and chunks", post("Content-Length: 60", CHUNKED, body=b"0\r\n\r\n" + _SMUGGLED)),
    RawRequest("two lengths", post("Content-Length: 0", f"Content-Length: {len(_SMUGGLED)}", body=_SMUGGLED)),
    RawRequest(
        "the same length twice", post(f"Content-Length: {len(BODY)}", f"Content-Length: {len(BODY)}", body=BODY)
    ),
    RawRequest("a list of lengths", post("Content-Length: 0, 44", body=_SMUGGLED)),
    *(
        RawRequest(f"length {length!r}", post(f"Content-Length:{length}", body=_SMUGGLED))
        for length in ("", " +0", " -1", " 0x0", " 0 0", " 0;", " 0.0", " 1e0", " 0_0", " \xb2", " " + "9" * 40)
    ),
    *(
        RawRequest(f"encoding {value!r}", post(f"Transfer-Encoding:{value}", body=b"0\r\n\r\n" + _SMUGGLED))
        for value in (" identity", " xchunked", " chunked, identity", ' "chunked"', " gzip, chunked", "\x0bchunked", "")
    ),
    RawRequest("two encodings", post(CHUNKED, "Transfer-Encoding: identity", body=b"0\r\n\r\n" + _SMUGGLED)),
    RawRequest("chunked twice", post(CHUNKED, CHUNKED, body=b"0\r\n\r\n" + _SMUGGLED)),
    RawRequest("a space before the colon", post("Transfer-Encoding : chunked", body=b"0\r\n\r\n" + _SMUGGLED)),
    RawRequest("a length with a space", post("Content-Length : 44", body=_SMUGGLED)),
    RawRequest("chunks in HTTP/1.0", head("POST /rag/query HTTP/1.0", CHUNKED) + b"0\r\n\r\n" + _SMUGGLED),
    RawRequest("a chunk size in C", post(CHUNKED, body=b"0x0\r\n\r\n" + _SMUGGLED)),
    RawRequest("a negative chunk", post(CHUNKED, body=b"-1\r\n\r\n" + _SMUGGLED)),
    RawRequest("a chunk that ends in a line feed", post(CHUNKED, body=b"1\nZ\n0\r\n\r\n" + _SMUGGLED)),
    RawRequest("a line feed in an extension", post(CHUNKED, body=b"1;\nZ\r\n0\r\n\r\n" + _SMUGGLED)),
    RawRequest("a carriage return in an extension", post(CHUNKED, body=b"1;\rZ\r\n0\r\n\r\n" + _SMUGGLED)),
    RawRequest("a chunk longer than it says", post(CHUNKED, body=b"1\r\nZZ\r\n0\r\n\r\n" + _SMUGGLED)),
    RawRequest("an endless extension", post(CHUNKED, body=b"1;" + b"x" * 5_000 + b"\r\nZ\r\n0\r\n\r\n" + _SMUGGLED)),
    RawRequest(
        "a length among the trailers", post(CHUNKED, body=b"0\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n")
    ),
)

BROKEN_HEADS = (
    RawRequest("a folded line", get("X-A: b\r\n c")),
    RawRequest("a length in a fold", post("X-A: b\r\n Content-Length: 44", body=_SMUGGLED)),
    RawRequest("a first field that is folded", b"GET / HTTP/1.1\r\n Host: localhost\r\n\r\n"),
    RawRequest("line feeds alone", b"GET /v1/whoami HTTP/1.1\nHost: localhost\n\n"),
    RawRequest("one line feed alone", b"GET /v1/whoami HTTP/1.1\r\nHost: localhost\nX-A: b\r\n\r\n"),
    RawRequest("a carriage return in a value", get("X-A: b\rTransfer-Encoding: chunked")),
    RawRequest("a NUL in a value", get("X-A: \0")),
    RawRequest("a NUL in a name", get("X\0: a")),
    RawRequest("an escape in a value", get("X-A: \x1b[2J")),
    RawRequest("no colon", get("X-A")),
    RawRequest("no name", get(": a")),
    RawRequest("no host", b"GET /v1/whoami HTTP/1.1\r\n\r\n"),
    RawRequest("two hosts", get("Host: localhost")),
    RawRequest("an empty line first", b"\r\n" + get()),
    RawRequest("two spaces", b"GET  /v1/whoami HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    RawRequest("a tab", b"GET\t/v1/whoami HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    RawRequest("HTTP/0.9", b"GET /v1/whoami\r\n\r\n"),
    RawRequest("HTTP/2.0", b"GET /v1/whoami HTTP/2.0\r\nHost: localhost\r\n\r\n"),
    RawRequest("HTTP/1.2", b"GET /v1/whoami HTTP/1.2\r\nHost: localhost\r\n\r\n"),
    RawRequest("lower case", b"GET /v1/whoami http/1.1\r\nHost: localhost\r\n\r\n"),
    RawRequest("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    RawRequest("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500)),
    RawRequest("noise", bytes(range(256)) * 4),
)

OVERSIZED = (
    RawRequest("a long line", get(path="/" + "a" * 100_000), (431,)),
    RawRequest("a long value", get("X-A: " + "b" * 100_000), (431,)),
    RawRequest("a long name", get("X" * 100_000 + ": b"), (431,)),
    RawRequest("many fields", get(*["X-A: b"] * 20_000), (431,)),
    RawRequest("a head without an end", b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-A: b\r\n" * 20_000, (431,)),
)

# 421: while no key is configured, only names of this machine are answered.
HOSTS = tuple(
    RawRequest(
        f"host {host[:30]!r}", f"GET /v1/whoami HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode(), (421,)
    )
    for host in (
        "evil.example", "localhost.evil.example", "localhost@evil.example", "evil.example/localhost", "[::1", "]",
        "evil.example#localhost", "127.0.0.1.evil.example", "2130706433", "0x7f.1", "a b", "a" * 5_000, "\\localhost",
    )
)  # fmt: skip

ANSWERED = (
    RawRequest("HTTP/1.0", b"GET /v1/whoami HTTP/1.0\r\nHost: localhost\r\n\r\n", (200,)),
    RawRequest("HTTP/1.0 without a host", b"GET /healthz HTTP/1.0\r\n\r\n", (200,)),
    RawRequest("HTTP/1.0 kept alive", b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + get(), (200,)),
    RawRequest(
        "a pipeline", get(path="/healthz").replace(b"Connection: close\r\n", b"") * 3 + get(), (200, 200, 200, 200)
    ),
    RawRequest("a body and a pipeline", post(f"Content-Length: {len(BODY)}", body=BODY) + get(), (200, 200)),
    RawRequest("chunks", post(CHUNKED, "Connection: close", body=_CHUNKS), (200,)),
    RawRequest(
        "a chunk extension", post(CHUNKED, "Connection: close", body=_CHUNKS.replace(b"\r\n", b";a=b\r\n", 1)), (200,)
    ),
    RawRequest(
        "a trailer",
        post(CHUNKED, "Connection: close", body=_CHUNKS[:-2] + b"Authorization: Bearer x\r\n\r\n"),
        (200,),
    ),
    RawRequest("an absolute target", get(path="http://evil.example/v1/whoami"), (404,)),
    RawRequest("an asterisk", head("OPTIONS * HTTP/1.1", "Connection: close"), (404,)),
    RawRequest("a tunnel", head("CONNECT localhost:443 HTTP/1.1", "Connection: close"), (404,)),
    RawRequest("a trace", head("TRACE /v1/whoami HTTP/1.1", "Connection: close", "X-Secret: canary"), (405,)),
    RawRequest("an unknown method", head("BREW /v1/whoami HTTP/1.1", "Connection: close"), (405,)),
    RawRequest("an upgrade", get("Upgrade: websocket").replace(b"close", b"upgrade, close"), (200,)),
    RawRequest("an upgrade to HTTP/2", get("Upgrade: h2c", "HTTP2-Settings: AAMAAABk"), (200,)),
)

# None of these may change who the client is or what it asks for.
FORWARDED = (
    "X-Forwarded-For: 127.0.0.1", "X-Forwarded-For: ' OR 1=1", "X-Real-IP: 127.0.0.1", "Forwarded: for=127.0.0.1;host=x",
    "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https", "X-Forwarded-Prefix: /v1", "X-Forwarded-Port: 1",
    "X-Original-URL: /v1/audit", "X-Rewrite-URL: /v1/audit", "X-HTTP-Method-Override: DELETE", "X-Tenant: alpha",
    "X-Request-Id: mine", "X-Request-Id: " + "a" * 4_000, "X-Request-Id: req_0000000000000000", "Via: 1.1 evil",
    "X-Correlation-Id: \xff\xfe", "Content-Type: \xff", "Accept-Encoding: gzip;q=nan", "Cookie: " + "a=b;" * 500,
    "Range: bytes=0-0,0-0,0-0", "If-Match: *", "Traceparent: 00-zz-zz-01", "Tracestate: " + "x" * 3_000,
)  # fmt: skip

ALL_CASES = (*SMUGGLING, *BROKEN_HEADS, *OVERSIZED, *HOSTS, *ANSWERED)
