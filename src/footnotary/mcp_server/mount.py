"""Puts the tools at an address of the service, where the SDK for them is installed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from footnotary.service.state import ServiceState

PATH = "/mcp"


@asynccontextmanager
async def mcp_mounted(app: FastAPI, state: ServiceState) -> AsyncGenerator[None]:
    """Within it, `/mcp` answers; without the extra `mcp` nothing is there and nothing is said."""
    if find_spec("mcp") is None:
        yield
        return
    from starlette.routing import Route

    from footnotary.mcp_server.http import McpEndpoint

    endpoint = McpEndpoint(state)
    async with endpoint.running():
        # Without sessions there is nothing to listen for with GET, nor to end with DELETE.
        app.router.routes.append(Route(PATH, endpoint, methods=["POST"]))
        yield
