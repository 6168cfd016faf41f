"""Turning away what is too much, before anything is read of it: the less that costs, the more is left for answers."""

import json
import secrets

from starlette.types import ASGIApp, Receive, Scope, Send

from footnotary.service.edge import HEADERS
from footnotary.service.limits import Turns
from footnotary.service.problems import MEDIA_TYPE, Problem, problem_content
from footnotary.service.telemetry import Telemetry

# The addresses at which answering takes time; all others are cheap, and tell their callers more.
_BUSY = frozenset({"/rag/query", "/v1/ask", "/v1/retrieve", "/v1/verify", "/v1/chat/completions"})
_OVERLOADED = Problem("overloaded")


class Shedding:
    """The outermost layer: while the house is full, whoever wants in is told so at once, whoever it is."""

    def __init__(self, app: ASGIApp, turns: Turns, telemetry: Telemetry) -> None:
        self._app = app
        self._turns = turns
        self._telemetry = telemetry
        fixed = {**HEADERS, "Content-Type": MEDIA_TYPE, **(_OVERLOADED.headers or {})}
        self._headers = [(name.lower().encode(), value.encode()) for name, value in fixed.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in _BUSY or not self._turns.is_full:
            await self._app(scope, receive, send)
            return
        self._telemetry.count_shed()
        request_id = "req_" + secrets.token_hex(8)
        body = json.dumps(problem_content(_OVERLOADED, request_id)).encode()
        about = [(b"x-request-id", request_id.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 503, "headers": [*self._headers, *about]})
        await send({"type": "http.response.body", "body": body})
