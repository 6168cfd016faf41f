"""Load shedding: at capacity, requests to expensive routes are rejected before anything is read, at minimal cost."""

import json
import secrets

from starlette.types import ASGIApp, Receive, Scope, Send

from footnotary.service.edge import HEADERS
from footnotary.service.limits import Turns
from footnotary.service.problems import MEDIA_TYPE, Problem, problem_content
from footnotary.service.telemetry import Telemetry

# The routes where answering takes time; all others are cheap and are never shed.
BUSY = frozenset({"/rag/query", "/v1/ask", "/v1/retrieve", "/v1/verify", "/v1/chat/completions"})
STATUS = 503
_OVERLOADED = Problem("overloaded")
_ID = "req_" + "0" * 16
_BEFORE, _AFTER = json.dumps(problem_content(_OVERLOADED, _ID)).encode().split(_ID.encode())
_FIXED = [
    (name.lower().encode(), value.encode())
    for name, value in {
        **HEADERS,
        "Content-Type": MEDIA_TYPE,
        **(_OVERLOADED.headers or {}),
        "Content-Length": str(len(_BEFORE) + len(_ID) + len(_AFTER)),
    }.items()
]


def turned_away() -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers and the body of a rejection, with a new request id."""
    request_id = b"req_" + secrets.token_hex(8).encode()
    return [*_FIXED, (b"x-request-id", request_id)], _BEFORE + request_id + _AFTER


class Shedding:
    """The outermost middleware: at capacity, it rejects a request at once, before authentication."""

    def __init__(self, app: ASGIApp, turns: Turns, telemetry: Telemetry) -> None:
        self._app = app
        self._turns = turns
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in BUSY or not self._turns.is_full:
            await self._app(scope, receive, send)
            return
        self._telemetry.count_shed()
        headers, body = turned_away()
        await send({"type": "http.response.start", "status": STATUS, "headers": headers})
        await send({"type": "http.response.body", "body": body})
