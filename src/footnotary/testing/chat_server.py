"""A scripted OpenAI-compatible server on loopback: correct replies, and every kind of failure."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, TypeAlias, cast


class ChatExchange:
    """One request, and the connection to answer it on."""

    def __init__(self, handler: BaseHTTPRequestHandler, stopped: threading.Event) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        self.path = handler.path
        self.headers: dict[str, str] = {name.lower(): value for name, value in handler.headers.items()}
        self.request = cast("dict[str, Any]", json.loads(handler.rfile.read(length) or b"{}"))
        self._handler = handler
        self._stopped = stopped

    @property
    def wants_schema(self) -> bool:
        return "response_format" in self.request

    def send(self, content: bytes) -> bool:
        """Sends bytes; returns whether the peer is still connected and the server still runs."""
        try:
            self._handler.wfile.write(content)
        except OSError:
            return False
        return not self._stopped.is_set()

    def wait(self, seconds: float) -> bool:
        """Whether the server still runs after that time."""
        return not self._stopped.wait(seconds)

    def reset(self) -> None:
        """Ends the connection with RST instead of FIN."""
        linger = struct.pack("ii", 1, 0)
        self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._handler.connection.shutdown(socket.SHUT_RD)


Behaviour: TypeAlias = Callable[[ChatExchange], None]


class ChatServer:
    """Answers the n-th request with the n-th behaviour, and every later one with the last.

    A context manager; `base_url` is for the client, `seen` holds the requests so far.
    """

    def __init__(self, *behaviours: Behaviour) -> None:
        self.seen: list[ChatExchange] = []
        self._behaviours = behaviours
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> "ChatServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        exchange = ChatExchange(handler, self._stopped)
        with self._lock:
            behaviour = self._behaviours[min(len(self.seen), len(self._behaviours) - 1)]
            self.seen.append(exchange)
        behaviour(exchange)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self._answer

        class ChatServerHandler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                answer(self)
                self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as inherited
                """Tests read `seen`; stderr stays quiet."""

        return ChatServerHandler


def unused_url() -> str:
    """A URL on loopback where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


def completion(content: object, **changes: object) -> dict[str, object]:
    """The body of a chat completion with `content`; `changes` replace fields of it or of its only choice."""
    choice: dict[str, object] = {
        "index": 0,
        "message": {"role": "assistant", "content": content},
        "finish_reason": "stop",
    }
    body: dict[str, object] = {"id": "c-1", "object": "chat.completion", "created": 0, "model": "scripted"}
    choice |= {key: value for key, value in changes.items() if key in choice}
    return body | {"choices": [choice]} | {key: value for key, value in changes.items() if key not in choice}


def replies(content: str, **changes: object) -> Behaviour:
    """Replies with `content`, whatever the request."""
    return responds(json.dumps(completion(content, **changes)).encode())


def claims(*stated: tuple[str, Sequence[int]]) -> str:
    """The JSON of a structured reply: each text with the slots it cites; none means not answerable."""
    listed = [{"text": text, "sources": list(sources)} for text, sources in stated]
    return json.dumps({"answerable": bool(stated), "claims": listed})


def responds(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Behaviour:
    """Sends the complete `body` with its length."""
    fields = {"Content-Type": "application/json", "Content-Length": str(len(body))} | dict(headers or {})

    def behave(exchange: ChatExchange) -> None:
        exchange.send(_head(status, fields) + body)

    return behave


def fails(status: int, message: str = "no", retry_after: str | None = None, code: str = "scripted") -> Behaviour:
    """An error in OpenAI's format."""
    body = json.dumps({"error": {"message": message, "type": "error", "code": code}}).encode()
    return responds(body, status, {"Retry-After": retry_after} if retry_after is not None else None)


def rejects_schemas(otherwise: Behaviour) -> Behaviour:
    """A server without support for `response_format`; requests without it get the behaviour `otherwise`."""
    reject = fails(400, "'response_format' of type 'json_schema' is not supported", code="invalid_request_error")

    def behave(exchange: ChatExchange) -> None:
        (reject if exchange.wants_schema else otherwise)(exchange)

    return behave


def resets(after: bytes = b"") -> Behaviour:
    """Resets the connection, after some bytes or none."""

    def behave(exchange: ChatExchange) -> None:
        if after:
            exchange.send(after)
        exchange.reset()

    return behave


def hangs(after: bytes = b"") -> Behaviour:
    """Sends nothing (more) while the server runs."""

    def behave(exchange: ChatExchange) -> None:
        exchange.send(after)
        while exchange.wait(1.0):
            pass

    return behave


def drips(content: bytes, every_s: float, after: bytes = b"") -> Behaviour:
    """Sends `after` at once, then `content` byte by byte."""

    def behave(exchange: ChatExchange) -> None:
        exchange.send(after)
        for byte in content:
            if not (exchange.send(bytes([byte])) and exchange.wait(every_s)):
                return

    return behave


def endless(head: bytes, part: bytes = b" " * 65_536) -> Behaviour:
    """Sends `head`, then `part` repeatedly until the peer disconnects."""

    def behave(exchange: ChatExchange) -> None:
        going = exchange.send(head)
        while going:
            going = exchange.send(part)

    return behave


def sends(raw: bytes) -> Behaviour:
    """Sends these bytes, HTTP or not, and closes."""

    def behave(exchange: ChatExchange) -> None:
        exchange.send(raw)

    return behave


def head(status: int = 200, **fields: str) -> bytes:
    """A response's head; `content_length="10"` becomes `Content-Length: 10`."""
    return _head(status, {name.replace("_", "-").title(): value for name, value in fields.items()})


def _head(status: int, fields: Mapping[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {status} Scripted",
        "Connection: close",
        *(f"{name}: {value}" for name, value in fields.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
