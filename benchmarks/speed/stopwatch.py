"""Measures where the time of a call goes, stage by stage, without a line in the product for it."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

# What remembers as many entries as this remembers words or the names of laws, not passages.
WORDS = 10_000


class Stopwatch:
    """Own time per stage: what a stage spends in another one counts for that other one.

    `laps` holds one entry per call of `lap`: seconds by stage, the whole under "total" and its processor time under
    "cpu". Stages have no processor time: asking for it can take milliseconds, more than most of them.
    """

    def __init__(self) -> None:
        self.laps: list[dict[str, float]] = []
        self._inner: list[float] = []

    def around(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            self._inner.append(0.0)
            try:
                return function(*args, **kwargs)
            finally:
                spent = time.perf_counter() - started
                within = self._inner.pop()
                if self.laps:
                    self.laps[-1][stage] += spent - within
                if self._inner:
                    self._inner[-1] += spent

        return timed

    @contextmanager
    def lap(self) -> Iterator[None]:
        self.laps.append(defaultdict(float))
        cpu, wall = time.process_time(), time.perf_counter()
        yield
        self.laps[-1]["total"] = time.perf_counter() - wall
        self.laps[-1]["cpu"] = time.process_time() - cpu

    @contextmanager
    def watching(self, module: object, stages: Mapping[str, str]) -> Iterator[None]:
        """Times functions of a module, by name, for as long as the block runs."""
        with ExitStack() as patches:
            for name, stage in stages.items():
                patches.enter_context(patch.object(module, name, self.around(stage, getattr(module, name))))
            yield


def forget_texts() -> None:
    """Empties what the product remembers of passages and questions; words and names of laws stay known, as in a server."""
    for name, module in list(sys.modules.items()):
        if name.startswith("footnotary"):
            for value in vars(module).values():
                info = getattr(value, "cache_info", None)
                if info is not None and (info().maxsize or WORDS) < WORDS:
                    value.cache_clear()


class TimedProxy:
    """An object some of whose methods are timed; everything else is as it was."""

    def __init__(self, thing: object, stages: Mapping[str, str], watch: Stopwatch) -> None:
        self._thing = thing
        for name, stage in stages.items():
            setattr(self, name, watch.around(stage, getattr(thing, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._thing, name)
