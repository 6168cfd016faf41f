"""The same tools over HTTP: the service's address `/mcp`, under the service's own keys and limits."""

from contextlib import AbstractAsyncContextManager
from typing import Any, cast

from mcp.server import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Receive, Scope, Send

from footnotary.mcp_server.server import build_server
from footnotary.service.auth import Credential
from footnotary.service.problems import Problem
from footnotary.service.state import ServiceState


class McpEndpoint:
    """An ASGI endpoint that speaks streamable HTTP. It keeps no sessions: every request stands for itself.

    Whose request it is comes from the key it was sent with, and each counts against the tenant's rate whatever it asks
    for, as everywhere; `running` must be entered before the
    first request.
    """

    def __init__(self, state: ServiceState) -> None:
        self._rates = state.rates
        self._sessions = StreamableHTTPSessionManager(build_server(state, _credential), stateless=True)

    def running(self) -> AbstractAsyncContextManager[None]:
        return self._sessions.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._rates.take_once(_known(scope).tenant, scope["state"])
        await self._sessions.handle_request(scope, receive, send)


def _credential(context: ServerRequestContext[Any, Any]) -> Credential:
    if context.request is None:
        raise Problem("unauthenticated")
    return _known(context.request.scope)


def _known(scope: Scope) -> Credential:
    found = cast("Credential | None", scope["state"].get("credential"))
    if found is None:
        raise Problem("unauthenticated")
    return found
