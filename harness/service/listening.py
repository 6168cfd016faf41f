"""A service listening on loopback, for tests that talk to it from another process or with raw bytes."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from footnotary.service.middleware.connection_table import ConnectionLimits
from footnotary.service.server import server_config


def wait_until(holds: Callable[[], bool], within_s: float = 60) -> None:
    """Waits until a condition holds; a busy machine gets time, up to the limit."""
    ends = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < ends, "the condition did not hold in time"
        time.sleep(0.02)


@contextmanager
def listening(app: FastAPI, limits: ConnectionLimits | None = None) -> Iterator[tuple[str, int]]:
    """The host and port at which `app` answers, as long as the block lasts."""
    config = server_config(app, app.state.service, limits or ConnectionLimits())
    config.port = 0
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise RuntimeError("the service did not start")
            time.sleep(0.01)
        yield server.servers[0].sockets[0].getsockname()[:2]
    finally:
        server.should_exit = True
        thread.join(30)
