"""The same tools over HTTP: the service's route `/mcp`, under the service's own keys and limits."""

import json
from contextlib import AbstractAsyncContextManager
from typing import Any, cast

from mcp.server import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from footnotary.mcp_server.server import build_server
from footnotary.service.auth.authentication import Credential, unauthenticated
from footnotary.service.problems import Problem
from footnotary.service.state import ServiceState

_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600
_BAD_REQUEST_DETAIL = "The request cannot be understood."


class McpEndpoint:
    """An ASGI endpoint that speaks streamable HTTP. It is stateless: no session lasts longer than a request.

    The key of a request names its tenant, and every request counts against the tenant's rate limit, as on all routes.
    `running` must be entered before the first request.
    """

    def __init__(self, state: ServiceState) -> None:
        self._rates = state.rates
        self._sessions = StreamableHTTPSessionManager(build_server(state, _credential), stateless=True)

    def running(self) -> AbstractAsyncContextManager[None]:
        return self._sessions.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._rates.take_once_per_request(_require_credential(scope).tenant, scope["state"])
        await self._sessions.handle_request(scope, receive, _redacted(send))


def _redacted(send: Send) -> Send:
    """Passes responses on, but rewrites a 400 without a request id: the text of the SDK quotes what was sent."""
    start: Message | None = None
    parts: list[bytes] = []

    async def sending(message: Message) -> None:
        nonlocal start
        if message["type"] == "http.response.start" and message["status"] == 400:
            start = message
            return
        if start is None:
            await send(message)
            return
        parts.append(cast(bytes, message.get("body", b"")))
        if message.get("more_body", False):
            return
        body = _redact_error(b"".join(parts))
        headers = MutableHeaders(raw=list(start["headers"]))
        headers["Content-Type"], headers["Content-Length"] = "application/json", str(len(body))
        await send({**start, "headers": headers.raw})
        await send({"type": "http.response.body", "body": body})

    return sending


def _redact_error(body: bytes) -> bytes:
    try:
        reply = json.loads(body)
        if reply["id"] is not None:  # the request was parsed, and the error uses terms of the protocol only
            return body
        code = _PARSE_ERROR if reply["error"]["code"] == _PARSE_ERROR else _INVALID_REQUEST
    except (ValueError, TypeError, KeyError):
        code = _INVALID_REQUEST
    error = {"code": code, "message": _BAD_REQUEST_DETAIL}
    return json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()


def _credential(context: ServerRequestContext[Any, Any]) -> Credential:
    if context.request is None:
        raise Problem("unauthenticated")
    return _require_credential(context.request.scope)


def _require_credential(scope: Scope) -> Credential:
    found = cast("Credential | None", scope["state"].get("credential"))
    if found is None:
        raise unauthenticated(scope)
    return found
