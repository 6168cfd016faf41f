"""`footnotary serve` as a process of its own on loopback, and requests to it, each on a new connection."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class ServedProcess:
    """A running service. With workers, `worker_pids` are those that were ready, as its messages name them."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process = process
        self.port = port
        self.said: list[str] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        self.said.extend([])
        for line in self.process.stderr:
            self.said.append(line.rstrip("\n"))

    @property
    def worker_pids(self) -> list[int]:
        """The processes of the workers that are ready and alive."""
        ready = [int(line.split("process ")[1].split(")")[0]) for line in self.said if line.endswith(" is ready")]
        return [pid for pid in ready if _is_alive(pid)]

    def wait_for_workers(self, number: int, within_s: float = 120.0, without: tuple[int, ...] = ()) -> list[int]:
        ends = time.monotonic() + within_s
        while len(found := [pid for pid in self.worker_pids if pid not in without]) < number:
            assert time.monotonic() < ends, self.said[-20:]
            assert self.process.poll() is None, self.said[-20:]
            time.sleep(0.05)
        return found

    def ask(
        self, method: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None, wait_s: float = 120.0
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers (lower case) and body. Raises `OSError` or `HTTPException` where there is no response."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=wait_s)
        try:
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            given = {"Content-Type": "application/json", "Connection": "close", **(headers or {})}
            connection.request(method, path, sent, given)
            response = connection.getresponse()
            said = {name.lower(): value for name, value in response.getheaders()}
            return response.status, said, response.read()
        finally:
            connection.close()

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(90)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._thread.join(10)
        if self.process.stderr is not None:
            self.process.stderr.close()
        return self.process.returncode


@contextmanager
def served(home: Path, *options: str, environ: dict[str, str] | None = None) -> Iterator[ServedProcess]:
    """A service on a free port, stopped when the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "footnotary.cli.main", "serve", "--home", str(home), "--port", str(port), *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environ or {})})
    running = ServedProcess(process, port)
    try:
        for _ in range(1200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, running.said
            time.sleep(0.1)
        yield running
    finally:
        running.stop()


def _is_alive(pid: int) -> bool:
    """Whether the process runs; one that has ended and was not waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
