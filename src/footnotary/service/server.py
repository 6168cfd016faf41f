"""How the service listens: uvicorn with our protocol, and limits that fit the machine."""

import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from footnotary.service.middleware.connection_rejection import load_shedding_protocol
from footnotary.service.middleware.connection_table import (
    BACKLOG,
    ConnectionLimits,
    connection_capacity,
    raise_file_limit,
)
from footnotary.service.middleware.strict_heads import MAX_HEAD_BYTES
from footnotary.service.state import ServiceState
from footnotary.settings import Settings

SHUTDOWN_GRACE_S = 20


def connection_limits(settings: Settings) -> ConnectionLimits:
    """The limits of the settings, with as many connections as the limit of open files allows, once it is raised."""
    return ConnectionLimits(
        max_connections=connection_capacity(settings.max_connections, raise_file_limit()),
        per_client=settings.connections_per_client,
        head_timeout_s=settings.head_timeout_s,
    )


def server_config(app: FastAPI, state: ServiceState, limits: ConnectionLimits) -> uvicorn.Config:
    """The configuration of a server for sockets that are bound already. Nothing in a request can change it: proxy
    headers are ignored, and there are no websockets."""
    return uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        ws="none",
        backlog=BACKLOG,
        timeout_keep_alive=limits.idle_timeout_s,
        timeout_graceful_shutdown=SHUTDOWN_GRACE_S,
        http=load_shedding_protocol(state, limits),
        h11_max_incomplete_event_size=MAX_HEAD_BYTES,
    )


class AnnouncedServer(uvicorn.Server):
    """Calls `announce` once, as soon as connections are accepted and answered."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._announce()
