"""`serve`: runs the HTTP service and the web page, on loopback by default."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note
from footnotary.errors import BackendError, UsageError

if TYPE_CHECKING:
    from footnotary.service.observability.metrics import Telemetry
    from footnotary.settings import Settings

# The event loop needs the interpreter often and briefly; with the default 5 ms a busy thread makes it wait too long.
_SWITCH_INTERVAL_S = 0.001
_PRIVATE_UMASK = 0o077
_JOB_GRACE_S = 30


def run_serve(
    home: Path | None,
    host: str | None,
    port: int | None,
    embedder: str | None,
    model: str | None,
    verifier: str | None = None,
    workers: int | None = None,
    *,
    opens_page: bool = False,
) -> ExitCode:
    """The command."""
    from footnotary.settings import load_settings

    given = {
        "home": home,
        "host": host,
        "port": port,
        "embedder": embedder,
        "model": model,
        "verifier": verifier,
        "workers": workers,
    }
    return serve(load_settings(given), lambda: load_settings(given), opens_page=opens_page)


def serve(settings: Settings, reload: Callable[[], Settings] | None = None, *, opens_page: bool = False) -> ExitCode:
    """Serves until stopped, then finishes the requests in flight. Raises `BackendError` if the port is in use.

    With several workers, `reload` reads the settings again when they are restarted. The URL is printed, and with
    `opens_page` the page is opened, as soon as requests are answered.
    """
    require_installed()
    os.umask(_PRIVATE_UMASK)  # the service writes to its data directory only
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    if settings.workers > 1:
        return _serve_with_workers(settings, reload or (lambda: settings), opens_page=opens_page)
    from footnotary.mcp_server.mount import create_app_with_mcp
    from footnotary.service.server import AnnouncedServer, connection_limits, server_config
    from footnotary.service.state import ServiceState

    state = ServiceState(settings, telemetry=_telemetry(settings))
    sockets, announce = _bind(settings, is_open=not state.keys.has_keys, opens_page=opens_page)
    config = server_config(create_app_with_mcp(state), state, connection_limits(settings))
    server = AnnouncedServer(config, announce)
    # The server handles these signals while it runs, and raises them again after it has stopped: a requested stop is no
    # failure.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _ignore_signal)
    server.run(sockets)
    return ExitCode.OK if server.started else ExitCode.FAILURE


def _serve_with_workers(settings: Settings, reload: Callable[[], Settings], *, opens_page: bool) -> ExitCode:
    """The supervisor: it loads no model and opens no database, so that it can fork at any time."""
    limit_math_threads(settings.workers)
    from footnotary.mcp_server.mount import create_app_with_mcp
    from footnotary.service.auth.api_keys import ApiKeyStore
    from footnotary.service.server import SHUTDOWN_GRACE_S
    from footnotary.service.workers.supervisor import Supervisor
    from footnotary.service.workers.worker_process import (
        clean_up_after,
        clear_shared_files,
        hold_shared_files,
        run_worker,
    )

    with closing(ApiKeyStore(settings.home)) as keys:
        is_open = not keys.has_keys
    with hold_shared_files(settings.home):
        clear_shared_files(settings.home)
        sockets, announce = _bind(settings, is_open=is_open, opens_page=opens_page)

        def work(number: int, ready: Callable[[], None]) -> int:
            current = reload()
            telemetry = _telemetry(current)
            return run_worker(
                current, sockets, number, settings.workers, telemetry=telemetry, create=create_app_with_mcp, ready=ready
            )

        supervisor = Supervisor(
            work,
            settings.workers,
            stop_after_s=SHUTDOWN_GRACE_S + _JOB_GRACE_S,
            ended=lambda number: clean_up_after(settings.home, number),
            ready=announce,
            report=note,
        )
        supervisor.run()
        clear_shared_files(settings.home)
    return ExitCode.OK


def _telemetry(settings: Settings) -> Telemetry:
    from footnotary.service.observability.json_logs import configure_logs
    from footnotary.service.observability.metrics import Telemetry
    from footnotary.service.observability.opentelemetry_tracing import configure_tracing

    # On a terminal only warnings and errors are shown; a log collector gets every request.
    configure_logs(level=logging.WARNING if sys.stderr.isatty() else logging.INFO)
    return Telemetry(configure_tracing(settings.model))


def _bind(settings: Settings, *, is_open: bool, opens_page: bool) -> tuple[list[socket.socket], Callable[[], None]]:
    """The sockets, which do not listen yet, and what to call when requests are answered."""
    from footnotary.cli.operations.browser import open_page

    require_keys_unless_loopback(settings, is_open=is_open)
    sockets = bind_sockets(settings.host, settings.port)
    port = sockets[0].getsockname()[1]

    def announce() -> None:
        note(f"Footnotary is listening on http://{_url_host(settings.host)}:{port}")
        if is_open:
            note("no API key configured: open to this machine only, as tenant local; `footnotary keys create` locks it")
        if opens_page:
            open_page(settings.host, port)

    note("starting …")
    return sockets, announce


def limit_math_threads(workers: int) -> None:
    """The threads of libraries that read their number when they are first imported: call it before them."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"):
        os.environ.setdefault(name, str(max(1, cores // workers)))


def _ignore_signal(_number: int, _frame: FrameType | None) -> None:
    """Ignores the signal: the server has stopped already."""


def bind_sockets(host: str, port: int) -> list[socket.socket]:
    """A bound socket for each address of the host, all on one port; `port` 0 picks a free one.

    They do not listen yet. Raises `BackendError` if the port is in use or no address belongs to this machine.
    """
    sockets: list[socket.socket] = []
    failed: OSError | None = None
    try:
        named = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in dict.fromkeys(named):
            try:
                sockets.append(_bind_socket(socket.socket(family, kind, protocol), (address[0], port, *address[2:])))
            except OSError as error:
                # localhost resolves to ::1 even without IPv6; the other addresses are enough then.
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
                failed = error
            else:
                port = sockets[-1].getsockname()[1]
    except OSError as error:
        failed = error
        for one in sockets:
            one.close()
        sockets = []
    if not sockets:
        in_use = failed is not None and failed.errno == errno.EADDRINUSE
        why = "is in use" if in_use else f"cannot be listened on: {failed.strerror if failed else 'it has no address'}"
        raise BackendError(
            f"{_url_host(host)}:{port} {why}", hint="choose another with --port; --port 0 picks a free one"
        )
    return sockets


def _bind_socket(one: socket.socket, address: tuple[object, ...]) -> socket.socket:
    try:
        if os.name == "posix":  # on Windows it would let two services share a port
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if one.family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind(address)
    except OSError:
        one.close()
        raise
    return one


def require_keys_unless_loopback(settings: Settings, *, is_open: bool) -> None:
    """Raises `UsageError` for a service that other machines can reach without an API key."""
    if is_open and not is_loopback(settings.host):
        raise UsageError(
            f"{settings.host} can be reached from other machines, but no API key is configured",
            hint="create one first: footnotary keys create --tenant NAME --role admin",
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host; a name other than localhost may resolve to any address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _url_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def require_installed() -> None:
    """Raises `UsageError` if the service's packages are not installed."""
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "multipart", "cryptography")):
        raise UsageError("the service is not installed", hint="pip install 'footnotary[service]'")
