"""Load shedding: at capacity, requests to expensive routes are rejected before anything is read, at minimal cost."""

import json
import secrets

from starlette.types import ASGIApp, Receive, Scope, Send

from footnotary.service.middleware.security_headers import SECURITY_HEADERS
from footnotary.service.observability.metrics import Telemetry
from footnotary.service.problems import MEDIA_TYPE, Problem, problem_content
from footnotary.service.rate_limits import ConcurrencyLimiter

# The routes where answering takes time; all others are cheap and are never shed.
EXPENSIVE_PATHS = frozenset({"/rag/query", "/v1/ask", "/v1/retrieve", "/v1/verify", "/v1/chat/completions"})
REJECTION_STATUS = 503
_OVERLOADED = Problem("overloaded")
_PLACEHOLDER_ID = "req_" + "0" * 16
_BODY_BEFORE_ID, _BODY_AFTER_ID = (
    json.dumps(problem_content(_OVERLOADED, _PLACEHOLDER_ID)).encode().split(_PLACEHOLDER_ID.encode())
)
_FIXED_HEADERS = [
    (name.lower().encode(), value.encode())
    for name, value in {
        **SECURITY_HEADERS,
        "Content-Type": MEDIA_TYPE,
        **(_OVERLOADED.headers or {}),
        "Content-Length": str(len(_BODY_BEFORE_ID) + len(_PLACEHOLDER_ID) + len(_BODY_AFTER_ID)),
    }.items()
]


def rejection_response() -> tuple[list[tuple[bytes, bytes]], bytes]:
    """The headers and the body of a rejection, with a new request id."""
    request_id = b"req_" + secrets.token_hex(8).encode()
    return [*_FIXED_HEADERS, (b"x-request-id", request_id)], _BODY_BEFORE_ID + request_id + _BODY_AFTER_ID


class LoadSheddingMiddleware:
    """The outermost middleware: at capacity, it rejects a request at once, before authentication."""

    def __init__(self, app: ASGIApp, limiter: ConcurrencyLimiter, telemetry: Telemetry) -> None:
        self._app = app
        self._limiter = limiter
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] not in EXPENSIVE_PATHS or not self._limiter.is_full:
            await self._app(scope, receive, send)
            return
        self._telemetry.count_shed()
        headers, body = rejection_response()
        await send({"type": "http.response.start", "status": REJECTION_STATUS, "headers": headers})
        await send({"type": "http.response.body", "body": body})
