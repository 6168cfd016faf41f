"""A path of the product at two sizes: the least processor time of a few interleaved repetitions of each."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.speed.stopwatch import forget_texts

Work = Callable[[], object]
# Shorter than this, a repetition does the work several times.
LEAST_S = 0.03
MOST_LOOPS = 200


@dataclass(frozen=True, slots=True)
class GrowthPath:
    """Work on input of a size. What `prepare` does before it yields the work is not measured.

    `is_repeatable` says that the same work can be done again; otherwise it is prepared for every repetition.
    """

    name: str
    n: int
    unit: str
    prepare: Callable[[int, Path], AbstractContextManager[Work]]
    is_repeatable: bool = True


@dataclass(frozen=True, slots=True)
class GrowthResult:
    """Processor seconds of the work at n and at 2n, without the time that it takes on hardly any input."""

    name: str
    n: int
    unit: str
    cpu_s: tuple[float, float]
    wall_s: tuple[float, float]

    @property
    def ratio(self) -> float:
        return self.cpu_s[1] / self.cpu_s[0]


def measure(path: GrowthPath, repeats: int) -> GrowthResult:
    """Both sizes in turn, so that other load affects both; the least time of each counts."""
    sizes = (path.n, 2 * path.n)
    times: dict[int, list[tuple[float, float]]] = {size: [] for size in sizes}
    with ExitStack() as kept:
        folder = Path(kept.enter_context(TemporaryDirectory()))
        work, loops = dict[int, Work](), 1
        if path.is_repeatable:
            for size in sizes:
                work[size] = kept.enter_context(path.prepare(size, folder / str(size)))
            _timed(work[path.n], 1)  # loads what is loaded once
            loops = min(MOST_LOOPS, int(LEAST_S / max(_timed(work[path.n], 1)[0], 1e-6)) + 1)
        for number in range(repeats):
            for size in sizes:
                if path.is_repeatable:
                    times[size].append(_timed(work[size], loops))
                    continue
                with path.prepare(size, folder / f"{size}-{number}") as fresh:
                    times[size].append(_timed(fresh, 1))
    best = [tuple(min(one[kind] for one in times[size]) / loops for size in sizes) for kind in (0, 1)]
    return GrowthResult(path.name, path.n, path.unit, (best[0][0], best[0][1]), (best[1][0], best[1][1]))


def _timed(work: Work, loops: int) -> tuple[float, float]:
    forget_texts()
    wall, cpu = time.perf_counter(), _processor_s()
    for _ in range(loops):
        work()
    return _processor_s() - cpu, time.perf_counter() - wall


def _processor_s() -> float:
    """Of this process and of those that it has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + used.ru_utime + used.ru_stime
