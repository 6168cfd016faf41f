"""The replies of a model server while an outcome was derived: collected for its record, and replayed from it.

Other readers need no record: their weights are local and reproduce the same results.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import wraps
from itertools import count
from typing import ParamSpec

from footnotary.domain.outcome import Outcome

P = ParamSpec("P")

_collected: ContextVar[tuple[int, dict[str, float]] | None] = ContextVar("collected_readings", default=None)
_recorded: ContextVar[Mapping[str, float] | None] = ContextVar("recorded_readings", default=None)
_numbers = count(1)


@contextmanager
def collecting_readings() -> Generator[dict[str, float]]:
    """Yields the readings requested inside the block, and in blocks nested in it, by the hash of the request."""
    outer = _collected.get()
    found: dict[str, float] = {}
    token = _collected.set((next(_numbers), found))
    try:
        yield found
    finally:
        _collected.reset(token)
        if outer is not None:
            outer[1].update(found)


def with_readings(derive: Callable[P, Outcome]) -> Callable[P, Outcome]:
    """Wraps a function so that its outcome carries the readings it was derived with."""

    @wraps(derive)
    def collected(*args: P.args, **kwargs: P.kwargs) -> Outcome:
        with collecting_readings() as found:
            outcome = derive(*args, **kwargs)
        return replace(outcome, readings=tuple(sorted(found.items()))) if found else outcome

    return collected


@contextmanager
def replaying_readings(recorded: Mapping[str, float]) -> Generator[None]:
    """Inside the block readings come from the record alone: no server is asked."""
    token = _recorded.set(recorded)
    try:
        yield
    finally:
        _recorded.reset(token)


def note_readings(readings: Mapping[str, float]) -> None:
    """Adds readings to the current collection, if there is one."""
    collected = _collected.get()
    if collected is not None:
        collected[1].update(readings)


def recorded_readings() -> Mapping[str, float] | None:
    """The readings to replay; None if a server may be asked."""
    return _recorded.get()


def collection() -> int | None:
    """The number of the innermost `collecting_readings`: a cache shared by several questions has it in its key."""
    collected = _collected.get()
    return None if collected is None else collected[0]
