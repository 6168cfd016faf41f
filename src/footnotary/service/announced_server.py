"""A server that says when it listens: not before connections are accepted and answered."""

import socket
from collections.abc import Callable

import uvicorn


class AnnouncedServer(uvicorn.Server):
    """Calls `announce` once, as soon as connections are accepted and answered."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._announce()
