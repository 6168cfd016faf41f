"""`serve`: the HTTP service and the page, on this machine unless told otherwise."""

from __future__ import annotations

import ipaddress
import logging
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from footnotary.cli.exits import Exit
from footnotary.cli.terminal import note
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.settings import Settings

# The loop needs the interpreter often and briefly; at the usual 5 ms a busy thread makes it wait too long.
_SWITCH_S = 0.001
_GRACE_S = 20
_MAX_HEADER_BYTES = 32_768


def run_serve(home: Path | None, host: str | None, port: int | None, embedder: str | None, model: str | None) -> Exit:
    """The command itself."""
    from footnotary.settings import load_settings

    return serve(load_settings({"home": home, "host": host, "port": port, "embedder": embedder, "model": model}))


def serve(settings: Settings) -> Exit:
    """Serves until it is told to stop; then finishes what is under way."""
    require_installed()
    import uvicorn

    from footnotary.service.app import create_app
    from footnotary.service.at_the_door import door_of
    from footnotary.service.logs import configure_logs
    from footnotary.service.state import ServiceState
    from footnotary.service.telemetry import Telemetry
    from footnotary.service.tracing import configure_tracing

    # A person at a terminal wants to hear of trouble only; whoever collects logs wants every request.
    configure_logs(level=logging.WARNING if sys.stderr.isatty() else logging.INFO)
    state = ServiceState(settings, telemetry=Telemetry(configure_tracing(settings.model)))
    is_open = not state.keys.has_keys
    require_guarded(settings, is_open=is_open)
    sys.setswitchinterval(_SWITCH_S)
    note(f"Footnotary listens on http://{_shown(settings.host)}:{settings.port}")
    if is_open:
        note("no key was ever made: open on this machine only, as tenant local; `footnotary keys create` locks it")
    config = uvicorn.Config(
        create_app(state),
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=_GRACE_S,
        http=door_of(state),
        h11_max_incomplete_event_size=_MAX_HEADER_BYTES,
    )
    server = uvicorn.Server(config)
    # The server handles these while it runs, and raises them once more when it has stopped: being told to stop and
    # stopping is no failure.
    for told in (signal.SIGTERM, signal.SIGINT):
        signal.signal(told, _already_stopped)
    server.run()
    return Exit.OK if server.started else Exit.FAILURE


def _already_stopped(_number: int, _frame: FrameType | None) -> None:
    """Nothing is left to stop."""


def require_guarded(settings: Settings, *, is_open: bool) -> None:
    """Raises `UsageError` for a service that others can reach and that asks nobody for a key."""
    if is_open and not is_loopback(settings.host):
        raise UsageError(
            f"{settings.host} can be reached from other machines, and no key was ever made",
            hint="make one first: footnotary keys create --tenant NAME --role admin",
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address; a name other than localhost may lead anywhere."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def require_installed() -> None:
    """Raises `UsageError` where the packages of the service are not there."""
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "multipart", "cryptography")):
        raise UsageError("the service is not installed", hint="pip install 'footnotary[service]'")
