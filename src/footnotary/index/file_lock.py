"""A lock between processes (and threads) that the operating system releases when its holder dies."""

import contextlib
import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from footnotary.durable import open_private

_POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class FileLock:
    """Each `held` is a separate holder, so it also excludes other threads of the process; it is not re-entrant."""

    path: Path

    @contextmanager
    def held(self, wait_s: float) -> Generator[bool]:
        """Whether the lock was acquired within `wait_s`; it is held until the block ends."""
        descriptor = open_private(self.path, os.O_RDWR | os.O_CREAT)
        try:
            got = _acquire(descriptor, wait_s)
            if got:
                # The process id only helps those who wait; a full disk must not cost the holder the lock.
                with contextlib.suppress(OSError):
                    _write_process_id(descriptor)
            yield got
        finally:
            os.close(descriptor)

    def holder(self) -> str:
        """The id of the process that took the lock last, for messages; empty if unknown."""
        try:
            return self.path.read_text(encoding="utf-8").strip()
        except OSError:
            return ""


def _write_process_id(descriptor: int) -> None:
    """Writes our process id unless it is there already: a changed file costs a disk access at every commit."""
    name = str(os.getpid()).encode()
    if os.pread(descriptor, 32, 0) != name:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, name, 0)


def _acquire(descriptor: int, wait_s: float) -> bool:
    deadline = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
