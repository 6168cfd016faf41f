"""Runs the base model with the adapter on loopback, with whichever build of llama.cpp is installed."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from footnotary.durable import open_private
from footnotary.errors import BackendError, UsageError

HOST = "127.0.0.1"
# Room for one request; the server keeps what the last one began with.
CONTEXT_TOKENS = 8192
INSTALL_HINT = "pip install 'footnotary[xl]', or install llama.cpp so that `llama-server` is on the PATH"
_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class LlamaRuntime:
    """A build of llama.cpp: its name, and the command that its arguments follow."""

    name: str
    command: tuple[str, ...]


def find_runtime() -> LlamaRuntime | None:
    """`llama-server` if it is on the PATH, else the package xllamacpp, else None."""
    if (program := shutil.which("llama-server")) is not None:
        return LlamaRuntime("llama-server", (program,))
    if find_spec("xllamacpp") is not None:
        return LlamaRuntime("xllamacpp", (sys.executable, "-m", "footnotary.models.xllamacpp_server"))
    return None


def server_command(runtime: LlamaRuntime, base: Path, adapter: Path | None, alias: str, port: int) -> list[str]:
    """The whole command; both runtimes take the same arguments."""
    options = {"-m": base, "--alias": alias, "-c": CONTEXT_TOKENS, "-np": 1, "--host": HOST, "--port": port}
    if adapter is not None:
        options["--lora"] = adapter
    return [*runtime.command, *(str(part) for pair in options.items() for part in pair)]


class RunningServer:
    """A server in a process of its own, ready when this is made; a context manager that ends it.

    Raises `UsageError` where the port is in use, `BackendError` where it ends before it is ready, or is not ready in
    time. What it logs goes to `log`.
    """

    def __init__(self, command: Sequence[str], port: int, log: Path, ready_within_s: float = 300.0) -> None:
        self.url = f"http://{HOST}:{port}/v1"
        _require_free(port)
        with open(log, "wb", opener=open_private) as out:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        try:
            self._wait_until_ready(port, log, time.monotonic() + ready_within_s)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> RunningServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait(self) -> int:
        """Waits until the server ends by itself; its exit status."""
        return self._process.wait()

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wait_until_ready(self, port: int, log: Path, until: float) -> None:
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise BackendError(f"the model server ended with status {self._process.returncode}", hint=f"see {log}")
            if _is_healthy(port):
                return
            time.sleep(_POLL_S)
        raise BackendError("the model server was not ready in time", hint=f"see {log}")


def require_runtime() -> LlamaRuntime:
    """The installed runtime. Raises `UsageError` where there is none."""
    runtime = find_runtime()
    if runtime is None:
        raise UsageError("nothing here can run the model", hint=INSTALL_HINT)
    return runtime


def _require_free(port: int) -> None:
    """Another server on the port would answer in place of ours."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise UsageError(f"port {port} cannot be used: {error.strerror}", hint="choose another: --port") from None


def _is_healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/health", timeout=2) as reply:
            return reply.status == 200
    except (OSError, urllib.error.URLError):
        return False
