"""Metrics summed over workers: each writes its own to a file periodically, and the one that is scraped adds them up."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from footnotary.durable import open_private

_INTERVAL_S = 0.5
_SAMPLE = re.compile(r"^([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)$")
_TYPE = re.compile(r"^# TYPE (\S+) (\S+)$")
# These are not summed: they are the same in every worker, or the time of the first one.
_SAME = ("footnotary_build_info", "python_info", "process_max_fds", "process_start_time_seconds")
_FORMER = "former.prom"


class MetricsFiles:
    """The files of one service. `begin` writes this worker's metrics until `close`; `summed` adds up all workers'."""

    def __init__(self, folder: Path, worker: int, exposition: Callable[[], bytes]) -> None:
        self._folder = folder
        self._path = folder / f"metrics-{worker}.prom"
        self._exposition = exposition
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="metrics", daemon=True)

    def begin(self) -> None:
        self._write()
        self._thread.start()

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()
        self._write()

    def summed(self) -> bytes:
        self._write()
        texts = [path.read_text(encoding="utf-8") for path in sorted(self._folder.glob("*.prom"))]
        return sum_expositions(texts).encode()

    def _loop(self) -> None:
        while not self._stopping.wait(_INTERVAL_S):
            self._write()

    def _write(self) -> None:
        with suppress(OSError):  # a full disk loses metrics, but does not stop the service
            _replace(self._path, self._exposition().decode())


def keep_counts(folder: Path, worker: int) -> None:
    """Keeps the counters of a worker that has ended; its gauges are dropped."""
    path = folder / f"metrics-{worker}.prom"
    with suppress(FileNotFoundError):
        former = folder / _FORMER
        texts = [one.read_text(encoding="utf-8") for one in (former, path) if one.exists()]
        _replace(former, sum_expositions(texts, counts_only=True))
        path.unlink()


def sum_expositions(texts: Iterable[str], *, counts_only: bool = False) -> str:
    """Adds up metrics in Prometheus' text format, series by series; comments and order are those of the first."""
    families: dict[str, tuple[list[str], dict[str, float]]] = {}
    for text in texts:
        family, kind = "", ""
        for line in text.splitlines():
            if found := _TYPE.match(line):
                family, kind = found[1], found[2]
            if line.startswith("#"):
                comments, _ = families.setdefault(line.split(" ", 3)[2], ([], {}))
                if line not in comments:
                    comments.append(line)
            elif (sample := _SAMPLE.match(line)) and not (counts_only and kind == "gauge"):
                series = families.setdefault(family, ([], {}))[1]
                series[sample[1]] = _added(sample[1], series.get(sample[1]), float(sample[2]))
    lines: list[str] = []
    for comments, series in families.values():
        if series or not counts_only:
            lines += [*comments, *(f"{name} {value}" for name, value in series.items())]
    return "".join(f"{line}\n" for line in lines)


def _added(name: str, held: float | None, more: float) -> float:
    if held is None:
        return more
    return min(held, more) if name.startswith(_SAME) else held + more


def _replace(path: Path, text: str) -> None:
    temporary = path.with_suffix(f".{os.getpid()}")
    with open(temporary, "w", encoding="utf-8", opener=open_private) as file:
        file.write(text)
    temporary.replace(path)
