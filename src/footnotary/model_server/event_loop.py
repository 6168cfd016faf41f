"""One event loop for all calls to model servers, on its own thread: connections outlive the call that opened them."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

_starting = Lock()
_running: dict[int, asyncio.AbstractEventLoop] = {}


def run(work: Coroutine[Any, Any, T]) -> T:
    """Returns or raises what `work` does. The caller may be inside another event loop; an interrupt cancels `work`."""
    waiting = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return waiting.result()
    except BaseException:
        waiting.cancel()
        raise


def start(loop: asyncio.AbstractEventLoop, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
    """Starts `work` on `loop` without waiting; does nothing where that loop is not running."""
    if loop in _running.values() and os.getpid() in _running and not loop.is_closed():
        asyncio.run_coroutine_threadsafe(work(), loop)


def _loop() -> asyncio.AbstractEventLoop:
    # A forked process inherits the loop but not its thread.
    own = os.getpid()
    with _starting:
        if own not in _running:
            _running.clear()
            _running[own] = asyncio.new_event_loop()
            Thread(target=_running[own].run_forever, name="model calls", daemon=True).start()
        return _running[own]
