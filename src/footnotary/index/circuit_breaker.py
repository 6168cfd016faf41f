"""A circuit breaker for a server: after a few failures in a row, requests fail at once for a while."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

DEFAULT_FAILURE_LIMIT = 5
DEFAULT_PAUSE_S = 10.0


@dataclass(slots=True)
class CircuitBreaker:
    """Opens after `failures` in a row, for `pause_s`; then one caller may try while it stays open for the others.

    Safe to share between threads. `clock` counts seconds and never goes backwards.
    """

    failures: int = DEFAULT_FAILURE_LIMIT
    pause_s: float = DEFAULT_PAUSE_S
    clock: Callable[[], float] = time.monotonic
    _failed: int = 0
    _until: float = 0.0
    _guard: Lock = field(default_factory=Lock)

    def remaining_pause_s(self) -> float:
        """How long to wait before the next request; 0 if the caller may send one, and must then report the result."""
        with self._guard:
            now = self.clock()
            if self._failed < self.failures:
                return 0.0
            if now < self._until:
                return self._until - now
            self._until = now + self.pause_s  # this caller is the one who tries
            return 0.0

    def succeeded(self) -> None:
        with self._guard:
            self._failed = 0

    def failed(self) -> None:
        with self._guard:
            self._failed += 1
            self._until = self.clock() + self.pause_s
