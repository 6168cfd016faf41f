"""One event loop for all calls to model servers, on its own thread: connections outlive the call that made them."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

_starting = Lock()
_running: dict[int, asyncio.AbstractEventLoop] = {}


def run(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns or raises. The caller may be inside an event loop of its own; interrupted, the work ends."""
    waiting = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return waiting.result()
    except BaseException:
        waiting.cancel()
        raise


def start(loop: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
    """Begins `work` on `loop` and waits for nothing; without effect where that loop does not run."""
    if loop in _running.values() and os.getpid() in _running and not loop.is_closed():
        asyncio.run_coroutine_threadsafe(work(), loop)


def _loop() -> asyncio.AbstractEventLoop:
    # A forked process inherits the loop and not its thread.
    own = os.getpid()
    with _starting:
        if own not in _running:
            _running.clear()
            _running[own] = asyncio.new_event_loop()
            Thread(target=_running[own].run_forever, name="model calls", daemon=True).start()
        return _running[own]
