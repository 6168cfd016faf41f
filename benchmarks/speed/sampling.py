"""A sampling profiler without dependencies: what runs, every few milliseconds, by function and by library."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

INTERVAL_S = 0.003
# Where a thread waits, it does nothing.
_WAITING = frozenset(
    "wait _wait_for_tstate_lock join acquire get select poll epoll sleep _worker recv_into accept readinto".split()
)
_WAITING_FILES = ("threading.py", "selectors.py", "queue.py", "socket.py", "connection.py")


@dataclass(slots=True)
class Samples:
    """How often each function of ours was the innermost one, and which package of ours or library it ran."""

    functions: Counter[str] = field(default_factory=lambda: Counter[str]())
    packages: Counter[str] = field(default_factory=lambda: Counter[str]())
    taken: int = 0


@contextmanager
def sampled(*, skip_own_thread: bool = False) -> Iterator[Samples]:
    """Samples all threads but waiting ones while the block runs; without that of the block if `skip_own_thread`."""
    samples, over, own = Samples(), threading.Event(), threading.get_ident()
    skipped = {own} if skip_own_thread else set[int]()
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)

    def sample() -> None:
        skipped.add(threading.get_ident())
        while not over.is_set():
            for thread, frame in sys._current_frames().items():
                if thread not in skipped:
                    _add(samples, frame)
            time.sleep(INTERVAL_S)

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    try:
        yield samples
    finally:
        over.set()
        sampler.join()
        sys.setswitchinterval(before)


def _add(samples: Samples, frame: FrameType) -> None:
    file, name = frame.f_code.co_filename, frame.f_code.co_name
    if name in _WAITING and file.endswith(_WAITING_FILES):
        return
    library, here = "", frame
    while "/footnotary/" not in here.f_code.co_filename:
        library = _library(here.f_code.co_filename) or library
        if here.f_back is None:
            if library:  # the server's own work, such as reading requests
                samples.taken += 1
                samples.functions[f"({library})"] += 1
                samples.packages[f"({library})"] += 1
            return
        here = here.f_back
    path = here.f_code.co_filename.rpartition("/footnotary/")[2].removesuffix(".py")
    samples.taken += 1
    samples.functions[f"{path}:{here.f_code.co_name}" + (f" → {library}" if library else "")] += 1
    samples.packages[path.partition("/")[0]] += 1


def _library(file: str) -> str:
    if "site-packages/" in file:
        return file.rpartition("site-packages/")[2].partition("/")[0].removesuffix(".py")
    return ""
