"""Requests to the service in its own event loop: all of its layers, without the threads and copies of a test client."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message


@dataclass(frozen=True, slots=True)
class Told:
    """A whole response."""

    status: int
    text: str

    @property
    def content(self) -> Any:
        return json.loads(self.text)


class Asked:
    """An application that has started, asked as a server would ask it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def told(self, method: str, address: str, headers: Mapping[str, str], body: object = None) -> Told:
        """The response to one request; a `body` is sent as JSON."""
        sent = b"" if body is None else json.dumps(body).encode()
        said = {"host": "localhost", **headers}
        if body is not None:
            said |= {"content-type": "application/json", "content-length": str(len(sent))}
        path, _, query = address.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "method": method, "path": path,
            "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "client": ("127.0.0.1", 50000),
            "server": ("localhost", 80), "headers": [(name.lower().encode(), value.encode()) for name, value in said.items()],
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
        assert whole.is_set(), "a response without an end"
        return Told(status, b"".join(parts).decode())
