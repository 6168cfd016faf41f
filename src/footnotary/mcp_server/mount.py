"""Adds the MCP tools to the service's application, where the SDK for them is installed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from footnotary.service.app import create_app
from footnotary.service.mount_paths import MCP_PATH

if TYPE_CHECKING:
    from fastapi import FastAPI

    from footnotary.service.middleware.idempotency import ReplyStore
    from footnotary.service.state import ServiceState


def create_app_with_mcp(state: ServiceState, replies: ReplyStore | None = None) -> FastAPI:
    """The service's application with the tools at `/mcp`."""
    return create_app(state, mount_mcp, replies=replies)


@asynccontextmanager
async def mount_mcp(app: FastAPI, state: ServiceState) -> AsyncGenerator[None]:
    """While it is entered, `/mcp` is served; without the extra `mcp` there is no such route, and no warning."""
    if find_spec("mcp") is None:
        yield
        return
    from starlette.routing import Route

    from footnotary.mcp_server.http import McpEndpoint

    endpoint = McpEndpoint(state)
    async with endpoint.running():
        # Without sessions there is nothing to listen for with GET, nor to end with DELETE.
        app.router.routes.append(Route(MCP_PATH, endpoint, methods=["POST"]))
        yield
