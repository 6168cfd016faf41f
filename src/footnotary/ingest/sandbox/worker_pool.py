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
from footnotary.ingest.file_type import CSV, JSONL, MARKDOWN, TEXT, TSV, DetectedFormat
from footnotary.ingest.parse.zip_archive import UnpackedArchive
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.sandbox.protocol import (
    ERROR,
    OUT_OF_MEMORY_EXIT_CODE,
    PROGRESS,
    RESULT,
    FrameTooLongError,
    ParseLimits,
    ParseRequest,
    read_frame,
    write_frame,
)

ParseResult = ParsedFile | UnpackedArchive
PageProgressCallback = Callable[[int, int], None]

# Our own Python parsers read these, in time and memory proportional to the file; a short file costs less than
# starting a process.
_TRUSTED_MEDIA_TYPES = frozenset({TEXT, MARKDOWN, JSONL, CSV, TSV})
_MAX_UNSANDBOXED_BYTES = 1_000_000
_RESTART_AFTER_CHARS = 2_000_000  # characters, some 500 pages
_CHILD_ENVIRONMENT = {  # one thread each: the cores are used for files and pages, and threads cost address space
    "OMP_THREAD_LIMIT": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}


def needs_sandbox(data: bytes, sniffed: DetectedFormat) -> bool:
    """Whether a file must be parsed in a sandboxed process."""
    return sniffed.media_type not in _TRUSTED_MEDIA_TYPES or len(data) > _MAX_UNSANDBOXED_BYTES


class ParserPool:
    """A pool of parser processes, one per core, started on demand and reused.

    A context manager: on exit, and on Ctrl-C, all processes are killed. A process that crashes, hangs or exceeds a
    limit fails the file it was parsing and is replaced. `start` is the code a child runs; only tests change it.
    """

    def __init__(
        self,
        limits: ParseLimits | None = None,
        *,
        count: int | None = None,
        start: str = "from footnotary.ingest.sandbox.worker import main; main()",
        ocr_languages: str = "auto",
    ) -> None:
        self.limits = limits or ParseLimits()
        self.count = count or os.cpu_count() or 1
        # With our own search path: the child must not import modules from the current folder.
        path = [entry or str(Path.cwd()) for entry in sys.path]
        self._command = (sys.executable, "-P", "-c", f"import sys; sys.path[:] = {path!r}; {start}")
        self._ocr_languages = ocr_languages
        self._threads = ThreadPoolExecutor(self.count, thread_name_prefix="parse")
        self._lock = threading.Lock()
        self._idle: list[_ParserProcess] = []
        self._all: set[_ParserProcess] = set()
        self._closed = False

    def __enter__(self) -> "ParserPool":
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

    def parse(
        self, data: bytes, sniffed: DetectedFormat, on_page_done: PageProgressCallback | None = None
    ) -> "Future[ParseResult]":
        """The parsed file, as a future; `pages_done` is called from another thread meanwhile.

        The future raises `DocumentError`: its parser's own, or `parse_limit`, `parse_timeout`, `parser_crashed`.
        """
        request = ParseRequest(data, sniffed, self.limits, self._ocr_languages)
        return self._threads.submit(self._run, request, on_page_done)

    def _run(self, request: ParseRequest, on_page_done: PageProgressCallback | None) -> ParseResult:
        worker = self._acquire_worker()
        try:
            result = worker.ask(request, on_page_done)
        except BaseException:
            if worker.is_alive:
                self._release_worker(worker)
            else:
                worker.close()
            raise
        if isinstance(result, ParsedFile) and len(result.text) > _RESTART_AFTER_CHARS:
            worker.close()  # frees the memory that a long file has fragmented
        else:
            self._release_worker(worker)
        return result

    def _acquire_worker(self) -> "_ParserProcess":
        with self._lock:
            if self._closed:
                raise DocumentError("the ingest was stopped", reason="interrupted", hint="run it again")
            worker = self._idle.pop() if self._idle else _ParserProcess(self._command)
            self._all = {other for other in self._all if other.is_alive} | {worker}
            return worker

    def _release_worker(self, worker: "_ParserProcess") -> None:
        with self._lock:
            self._idle.append(worker)


class _ParserProcess:
    """One child process with its time limits."""

    def __init__(self, command: Sequence[str]) -> None:
        # In its own session, so that Ctrl-C reaches only the parent, and the child's children can be killed with it.
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_CHILD_ENVIRONMENT},
            start_new_session=True,
        )
        self._is_alive = True
        self._timed_out = False

    @property
    def is_alive(self) -> bool:
        return self._is_alive

    def ask(self, request: ParseRequest, on_page_done: PageProgressCallback | None) -> ParseResult:
        assert self._process.stdin
        assert self._process.stdout
        limits = request.limits
        ends = time.monotonic() + limits.total_s
        watch = self._start_watchdog(limits.stall_s)
        try:
            write_frame(self._process.stdin, b"q", request, sys.maxsize)
            while True:
                kind, value = read_frame(self._process.stdout, limits.output_bytes)
                watch.cancel()
                if kind != PROGRESS:
                    break
                if on_page_done:
                    on_page_done(*cast("tuple[int, int]", value))
                watch = self._start_watchdog(min(limits.stall_s, ends - time.monotonic()))
        except FrameTooLongError as over:
            self.end()
            raise DocumentError(
                f"the parsed result takes {over}", reason="parse_limit", hint="split the file"
            ) from None
        except (EOFError, OSError):
            raise self._crash_report(limits, len(request.data)) from None
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
        assert isinstance(value, ParsedFile | UnpackedArchive)
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

    def _start_watchdog(self, seconds: float) -> threading.Timer:
        watch = threading.Timer(max(seconds, 0.0), self._kill_on_timeout)
        watch.daemon = True
        watch.start()
        return watch

    def _kill_on_timeout(self) -> None:
        self._timed_out = True
        self.end()

    def _crash_report(self, limits: ParseLimits, size: int) -> DocumentError:
        with suppress(subprocess.TimeoutExpired):  # it has closed its pipe, but may not have exited yet
            self._process.wait(1.0)
        self.end()
        code = self._process.returncode
        hint = "the file is corrupt or malicious; if it is neither, please report it"
        if self._timed_out:
            seen = f"parsing made no progress for {limits.stall_s:g} s, or took over {limits.total_s:g} s"
            return DocumentError(seen, reason="parse_timeout", hint=hint)
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        if name == "SIGXCPU":
            seen = f"parsing took over {limits.cpu_s} s of CPU time"
            return DocumentError(seen, reason="parse_limit", hint=hint)
        # Native libraries abort when an allocation fails, and the system kills when it runs out of memory.
        if name in ("SIGABRT", "SIGKILL") or code == OUT_OF_MEMORY_EXIT_CODE:
            allowed = limits.memory_limit_bytes(size) >> 20
            seen = f"parsing needs more memory than the {allowed:,} MB allowed ({name})"
            return DocumentError(seen, reason="parse_limit", hint=hint)
        return DocumentError(f"the parser crashed ({name})", reason="parser_crashed", hint=hint)
