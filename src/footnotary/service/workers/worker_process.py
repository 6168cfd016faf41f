"""One worker: a whole service in a process of its own, with limits, replies and metrics shared with the others."""

from __future__ import annotations

import shutil
import signal
import socket
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from footnotary.durable import make_private_folder
from footnotary.errors import UsageError
from footnotary.index.file_lock import FileLock
from footnotary.models.onnx_session import limit_cores, usable_cores
from footnotary.service.middleware.idempotency import ReplyStore
from footnotary.service.observability.metrics import Telemetry
from footnotary.service.server import connection_limits, server_config
from footnotary.service.state import ServiceState
from footnotary.service.workers.shared_limits import SharedInFlight, SharedRateLimiter, open_limits, release_worker
from footnotary.service.workers.shared_metrics import MetricsFiles, keep_counts
from footnotary.service.workers.shared_replies import SharedReplies, release_replies
from footnotary.settings import Settings

AppFactory = Callable[[ServiceState, ReplyStore], FastAPI]


class ReadyServer(uvicorn.Server):
    """A server that reports when it accepts connections."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def run_worker(
    settings: Settings,
    sockets: Sequence[socket.socket],
    number: int,
    workers: int,
    *,
    telemetry: Telemetry,
    create: AppFactory,
    ready: Callable[[], None],
) -> int:
    """Serves until SIGTERM, then finishes the requests in flight; the exit status."""
    limit_cores(max(1, usable_cores() // workers))
    folder = shared_folder(settings.home)
    database = open_limits(folder)
    replies = SharedReplies(folder, number)
    state = ServiceState(
        settings,
        telemetry=telemetry,
        rates=SharedRateLimiter(database, settings.rate_per_minute),
        in_flight=SharedInFlight(database, number),
    )
    metrics = MetricsFiles(folder, number, telemetry.own_exposition)
    telemetry.expose(metrics.summed)
    telemetry.gauge("workers_ready", "Worker processes that accept requests.", lambda: float(server.started))
    server = ReadyServer(server_config(create(state, replies), state, connection_limits(settings)), ready)
    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, _ignore_signal)  # the server handles them while it runs, and raises them again afterwards
    metrics.begin()
    try:
        server.run(list(sockets))
    finally:
        metrics.close()
        replies.close()
        database.close()
    return 0 if server.started else 1


def _ignore_signal(_number: int, _frame: FrameType | None) -> None:
    """Ignores the signal: the server has stopped already."""


def shared_folder(home: Path) -> Path:
    return home / "workers"


@contextmanager
def hold_shared_files(home: Path) -> Generator[None]:
    """Keeps a second service with workers out of the same data directory, because it would clear their files.

    Raises `UsageError` if there is one.
    """
    make_private_folder(home)
    lock = FileLock(home / "workers.lock")
    with lock.held(0.0) as got:
        if not got:
            raise UsageError(
                f"another service (process {lock.holder()}) runs workers on {home}",
                hint="stop it first, or raise its number of workers",
            )
        yield


def clear_shared_files(home: Path) -> None:
    """Removes what an earlier service left; the files hold nothing that has to outlive it."""
    folder = shared_folder(home)
    shutil.rmtree(folder, ignore_errors=True)
    make_private_folder(folder)


def clean_up_after(home: Path, number: int) -> None:
    """Forgets the requests of a worker that is gone, and keeps what it had counted."""
    folder = shared_folder(home)
    database = open_limits(folder)
    try:
        release_worker(database, number)
    finally:
        database.close()
    release_replies(folder, number)
    keep_counts(folder, number)
