"""`mcp`: the MCP server with tools for language models, over stdio or HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.util import find_spec

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note
from footnotary.errors import UsageError


def run_mcp(given: Mapping[str, object], *, http: bool) -> ExitCode:
    """Serves until the client disconnects or, over HTTP, until the process is stopped."""
    from footnotary.settings import load_settings

    settings = load_settings(given)
    if any(find_spec(name) is None for name in ("mcp", "fastapi", "uvicorn", "cryptography")):
        raise UsageError("the MCP server is not installed", hint="pip install 'footnotary[mcp]'")
    if http:
        from footnotary.cli.operations.serve import serve

        note("MCP endpoint: /mcp")
        return serve(settings)
    from footnotary.mcp_server.server import serve_stdio
    from footnotary.service.auth.authentication import Credential
    from footnotary.service.state import ServiceState

    state = ServiceState(settings)
    try:
        # The user who started this process can read the data directory anyway; the tools only read.
        asyncio.run(serve_stdio(state, Credential(settings.tenant, "reader", "stdio")))
    finally:
        state.close()
    return ExitCode.OK
