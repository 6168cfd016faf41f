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
# Context for one request; the server caches the prefix of the last one.
CONTEXT_TOKENS = 8192
INSTALL_HINT = (
    "pip install 'footnotary[xl]', or install llama.cpp so that `llama-server` is on the PATH, or "
    "pip install 'llama-cpp-python[server]'"
)
_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class OptionNames:
    """The names of a server's options, and further options that it needs."""

    model: str = "-m"
    alias: str = "--alias"
    context: str = "-c"
    adapter: str = "--lora"
    more: tuple[str, ...] = ("-np", "1")


# Its server answers one request at a time, and has log-probabilities only if it keeps the logits of all tokens.
_LLAMA_CPP_PYTHON = OptionNames("--model", "--model_alias", "--n_ctx", "--lora_path", ("--logits_all", "true"))


@dataclass(frozen=True, slots=True)
class LlamaRuntime:
    """A build of llama.cpp: its name, the command that its arguments follow, and their names."""

    name: str
    command: tuple[str, ...]
    options: OptionNames = OptionNames()


def find_runtime() -> LlamaRuntime | None:
    """`llama-server` if it is on the PATH, else the package xllamacpp, else llama-cpp-python with its server."""
    if (program := shutil.which("llama-server")) is not None:
        return LlamaRuntime("llama-server", (program,))
    if find_spec("xllamacpp") is not None:
        return LlamaRuntime("xllamacpp", (sys.executable, "-m", "footnotary.models.xllamacpp_server"))
    # The server is an extra of the package: without these it cannot start.
    if all(find_spec(name) is not None for name in ("llama_cpp", "uvicorn", "starlette_context", "pydantic_settings")):
        return LlamaRuntime("llama-cpp-python", (sys.executable, "-m", "llama_cpp.server"), _LLAMA_CPP_PYTHON)
    return None


def server_command(runtime: LlamaRuntime, base: Path, adapter: Path | None, alias: str, port: int) -> list[str]:
    """The whole command of a runtime."""
    names = runtime.options
    options = {names.model: base, names.alias: alias, names.context: CONTEXT_TOKENS, "--host": HOST, "--port": port}
    if adapter is not None:
        options[names.adapter] = adapter
    return [*runtime.command, *(str(part) for pair in options.items() for part in pair), *names.more]


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
        raise UsageError("no llama.cpp runtime is installed", hint=INSTALL_HINT)
    return runtime


def _require_free(port: int) -> None:
    """Raises if the port is in use: another server would answer in place of ours."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise UsageError(f"port {port} cannot be used: {error.strerror}", hint="choose another: --port") from None


def _is_healthy(port: int) -> bool:
    """Whether `/health` says so; llama-cpp-python has no such route, and lists its model once it is loaded."""
    for path in ("health", "v1/models"):
        try:
            with urllib.request.urlopen(f"http://{HOST}:{port}/{path}", timeout=2) as reply:
                return reply.status == 200
        except urllib.error.HTTPError as error:
            if error.code != 404:
                return False
        except OSError:
            return False
    return False
