"""A recording proxy between a client and a server: every byte the server sent, as it was on the wire."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class SocketRecorder:
    """Forwards connections to a server on loopback, and records what the server sent.

    A context manager; clients use `url` instead of the server's. `sent` is everything the server has sent so far, the
    responses of all connections one after the other.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._parts: list[bytes] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    @property
    def sent(self) -> bytes:
        return b"".join(self._parts)

    def __enter__(self) -> Self:
        self._accepting.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Closing alone does not wake a thread blocked in accept.
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._accepting.join()
        for thread in self._threads:
            thread.join(5)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._port))
            self._start(client, server, record=False)
            self._start(server, client, record=True)

    def _start(self, source: socket.socket, target: socket.socket, *, record: bool) -> None:
        thread = threading.Thread(target=self._pass_on, args=(source, target, record), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _pass_on(self, source: socket.socket, target: socket.socket, record: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if record:
                    self._parts.append(data)
                target.sendall(data)
        for end in (source, target):  # each thread closes its own source; the other one is only woken up
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()
