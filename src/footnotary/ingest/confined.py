"""The parser sandbox: child processes with resource limits, so that a file that breaks its parser fails alone."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import cast

from footnotary.errors import DocumentError
from footnotary.ingest.archive import Unpacked
from footnotary.ingest.parsed import Parsed
from footnotary.ingest.sniff import JSONL, MARKDOWN, TEXT, Sniffed
from footnotary.ingest.wire import (
    ERROR,
    OUT_OF_MEMORY,
    PROGRESS,
    RESULT,
    Limits,
    OverLimit,
    Request,
    read_frame,
    write_frame,
)

Result = Parsed | Unpacked
PagesDone = Callable[[int, int], None]

# Our own Python parsers read these, in time and memory proportional to the file; a short file costs less than
# starting a process.
_HARMLESS = frozenset({TEXT, MARKDOWN, JSONL})
_SHORT = 1_000_000
_LONG = 2_000_000  # characters, some 500 pages
_SURROUNDINGS = {  # one thread each: the cores are used for files and pages, and threads cost address space
    "OMP_THREAD_LIMIT": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}


def needs_confinement(data: bytes, sniffed: Sniffed) -> bool:
    """Whether a file must be parsed in a sandboxed process."""
    return sniffed.media_type not in _HARMLESS or len(data) > _SHORT


class Workers:
    """A pool of parser processes, one per core, started on demand and reused.

    A context manager: on exit, and on Ctrl-C, all processes are killed. A process that crashes, hangs or exceeds a
    limit fails the file it was parsing and is replaced. `start` is the code a child runs; only tests change it.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        count: int | None = None,
        start: str = "from footnotary.ingest.worker import main; main()",
        ocr_languages: str = "auto",
    ) -> None:
        self.limits = limits or Limits()
        self.count = count or os.cpu_count() or 1
        # With our own search path: the child must not import modules from the current folder.
        path = [entry or str(Path.cwd()) for entry in sys.path]
        self._command = (sys.executable, "-P", "-c", f"import sys; sys.path[:] = {path!r}; {start}")
        self._ocr_languages = ocr_languages
        self._threads = ThreadPoolExecutor(self.count, thread_name_prefix="parse")
        self._lock = threading.Lock()
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._closed = False

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closed = True
            running = tuple(self._all)
        for worker in running:
            worker.end()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in running:
            worker.close()

    def parse(self, data: bytes, sniffed: Sniffed, pages_done: PagesDone | None = None) -> "Future[Result]":
        """The parsed file, as a future; `pages_done` is called from another thread meanwhile.

        The future raises `DocumentError`: its parser's own, or `parse_limit`, `parse_timeout`, `parser_crashed`.
        """
        request = Request(data, sniffed, self.limits, self._ocr_languages)
        return self._threads.submit(self._run, request, pages_done)

    def _run(self, request: Request, pages_done: PagesDone | None) -> Result:
        worker = self._borrowed()
        try:
            result = worker.ask(request, pages_done)
        except BaseException:
            if worker.is_alive:
                self._give_back(worker)
            else:
                worker.close()
            raise
        if isinstance(result, Parsed) and len(result.text) > _LONG:
            worker.close()  # frees the memory that a long file has fragmented
        else:
            self._give_back(worker)
        return result

    def _borrowed(self) -> "_Worker":
        with self._lock:
            if self._closed:
                raise DocumentError("the ingest was stopped", reason="interrupted", hint="run it again")
            worker = self._idle.pop() if self._idle else _Worker(self._command)
            self._all = {other for other in self._all if other.is_alive} | {worker}
            return worker

    def _give_back(self, worker: "_Worker") -> None:
        with self._lock:
            self._idle.append(worker)


class _Worker:
    """One child process with its time limits."""

    def __init__(self, command: Sequence[str]) -> None:
        # In its own session, so that Ctrl-C reaches only the parent, and the child's children can be killed with it.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_SURROUNDINGS},
            start_new_session=True,
        )
        self._is_alive = True
        self._is_late = False

    @property
    def is_alive(self) -> bool:
        return self._is_alive

    def ask(self, request: Request, pages_done: PagesDone | None) -> Result:
        assert self._process.stdin
        assert self._process.stdout
        limits = request.limits
        ends = time.monotonic() + limits.total_s
        watch = self._watched(limits.stall_s)
        try:
            write_frame(self._process.stdin, b"q", request, sys.maxsize)
            while True:
                kind, value = read_frame(self._process.stdout, limits.output_bytes)
                watch.cancel()
                if kind != PROGRESS:
                    break
                if pages_done:
                    pages_done(*cast("tuple[int, int]", value))
                watch = self._watched(min(limits.stall_s, ends - time.monotonic()))
        except OverLimit as over:
            self.end()
            raise DocumentError(
                f"the parsed result takes {over}", reason="parse_limit", hint="split the file"
            ) from None
        except (EOFError, OSError):
            raise self._obituary(limits, len(request.data)) from None
        except BaseException:
            self.end()
            raise
        finally:
            watch.cancel()
        if kind == ERROR:
            reason, message, hint = cast("tuple[str, str, str]", value)
            if reason == "parse_limit":
                self.end()
            raise DocumentError(message, reason=reason, hint=hint)
        assert kind == RESULT
        assert isinstance(value, Parsed | Unpacked)
        return value

    def end(self) -> None:
        """Kills the process and its children, and waits for it to exit."""
        self._is_alive = False
        if self._process.returncode is not None:
            return
        try:
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()

    def close(self) -> None:
        """Kills the process and closes its pipes; only when nobody reads from them any more."""
        self.end()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            with suppress(OSError):  # unsent data is of no use any more
                pipe.close()

    def _watched(self, seconds: float) -> threading.Timer:
        watch = threading.Timer(max(seconds, 0.0), self._end_late)
        watch.daemon = True
        watch.start()
        return watch

    def _end_late(self) -> None:
        self._is_late = True
        self.end()

    def _obituary(self, limits: Limits, size: int) -> DocumentError:
        with suppress(subprocess.TimeoutExpired):  # it has closed its pipe, but may not have exited yet
            self._process.wait(1.0)
        self.end()
        code = self._process.returncode
        hint = "the file is corrupt or malicious; if it is neither, please report it"
        if self._is_late:
            seen = f"parsing made no progress for {limits.stall_s:g} s, or took over {limits.total_s:g} s"
            return DocumentError(seen, reason="parse_timeout", hint=hint)
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        if name == "SIGXCPU":
            seen = f"parsing took over {limits.cpu_s} s of CPU time"
            return DocumentError(seen, reason="parse_limit", hint=hint)
        # Native libraries abort when an allocation fails, and the system kills when it runs out of memory.
        if name in ("SIGABRT", "SIGKILL") or code == OUT_OF_MEMORY:
            allowed = limits.memory_for(size) >> 20
            seen = f"parsing needs more memory than the {allowed:,} MB allowed ({name})"
            return DocumentError(seen, reason="parse_limit", hint=hint)
        return DocumentError(f"the parser crashed ({name})", reason="parser_crashed", hint=hint)
