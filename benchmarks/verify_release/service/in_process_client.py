"""Requests to the service in its own event loop: all layers, without the threads and copies of a test client."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message


@dataclass(frozen=True, slots=True)
class InProcessResponse:
    """A complete response."""

    status: int
    text: str

    @property
    def content(self) -> Any:
        return json.loads(self.text)


class InProcessClient:
    """Calls a started ASGI application as a server would."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def request(
        self, method: str, url: str, headers: Mapping[str, str], body: object = None
    ) -> InProcessResponse:
        """The response to one request; a `body` is sent as JSON."""
        sent = b"" if body is None else json.dumps(body).encode()
        sent_headers = {"host": "localhost", **headers}
        if body is not None:
            sent_headers |= {"content-type": "application/json", "content-length": str(len(sent))}
        path, _, query = url.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "method": method, "path": path,
            "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "client": ("127.0.0.1", 50000),
            "server": ("localhost", 80), "headers": [(name.lower().encode(), value.encode()) for name, value in sent_headers.items()],
        }  # fmt: skip
        requests: list[Message] = [{"type": "http.request", "body": sent, "more_body": False}]
        status, parts, whole = 0, list[bytes](), asyncio.Event()

        async def receive() -> Message:
            if requests:
                return requests.pop()
            await whole.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                return
            parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                whole.set()

        await self._app(scope, receive, send)
        assert whole.is_set(), "the response has no end"
        return InProcessResponse(status, b"".join(parts).decode())
