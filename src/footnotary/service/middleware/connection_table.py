"""Who may stay connected: limits in total and per client address, and room made by those that wait the longest."""

import resource
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import Protocol, TypeAlias

# New connections accepted at once, before any of them is counted.
BACKLOG = 128
# File descriptors that connections never use: databases, uploads, child processes, model servers; and those connections
# that are accepted and not counted yet, or evicted and not closed yet.
RESERVED_FILES = 256 + 2 * BACKLOG
_LEAST_CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections there may be, and how long each may keep the service waiting.

    A request head must be complete `head_timeout_s` after the connection was made, or after its first byte on a
    connection in use; a response must be read within `write_timeout_s` whenever the buffers are full.
    """

    max_connections: int = 2000
    per_client: int = 256
    head_timeout_s: float = 10.0
    idle_timeout_s: int = 10
    write_timeout_s: float = 20.0


class Connection(Protocol):
    """A connection as the table sees it."""

    def evict(self) -> None:
        """Closes the connection at once."""
        ...


_Queue: TypeAlias = OrderedDict[Connection, None]


class ConnectionTable:
    """The open connections of one process. Those that wait for a request can be evicted, the longest waiting first;
    those whose request is being answered cannot."""

    def __init__(self, max_connections: int, per_client: int) -> None:
        self._max_connections = max_connections
        self._per_client = per_client
        self._clients: dict[Connection, str] = {}
        self._open: Counter[str] = Counter()
        self._waiting: _Queue = OrderedDict()
        self._waiting_of: dict[str, _Queue] = {}

    def __len__(self) -> int:
        return len(self._clients)

    def enter(self, one: Connection, client: str) -> bool:
        """Whether a new connection may stay; to make room, the one that has waited longest is evicted."""
        while self._open[client] >= self._per_client:
            if not self._evict(self._waiting_of.get(client)):
                return False
        while len(self._clients) >= self._max_connections:
            if not self._evict(self._waiting):
                return False
        self._clients[one] = client
        self._open[client] += 1
        self.wait(one)
        return True

    def wait(self, one: Connection) -> None:
        """The connection waits for a request from now on."""
        if (client := self._clients.get(one)) is not None:
            self.work(one)
            self._waiting[one] = None
            self._waiting_of.setdefault(client, OrderedDict())[one] = None

    def work(self, one: Connection) -> None:
        """A request of the connection is being read or answered from now on."""
        if self._waiting.pop(one, one) is None:
            client = self._clients[one]
            del self._waiting_of[client][one]
            if not self._waiting_of[client]:
                del self._waiting_of[client]

    def leave(self, one: Connection) -> None:
        """The connection is closed, or about to be."""
        self.work(one)
        if (client := self._clients.pop(one, None)) is not None:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]

    def _evict(self, queue: _Queue | None) -> bool:
        if not queue:
            return False
        oldest = next(iter(queue))
        self.leave(oldest)
        oldest.evict()
        return True


def raise_file_limit() -> int:
    """Raises the soft limit of open files to the hard one; returns the limit in force."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return wanted if soft == resource.RLIM_INFINITY else soft


def connection_capacity(wanted: int, file_limit: int) -> int:
    """How many connections may be open under a limit of files: those reserved for accepted work are left alone."""
    return max(min(wanted, file_limit - RESERVED_FILES), min(_LEAST_CONNECTIONS, wanted))
