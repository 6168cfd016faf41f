"""The child process that parses, one file after the other, within limits.

It gets its files through standard input and needs neither network nor disk. Whatever a file does to it, running out
of memory or time, crashing or writing without end, it does to this process only.
"""

import os
import sys
from pathlib import Path
from typing import IO

from footnotary.errors import FootnotaryError
from footnotary.ingest.archive import unpacked
from footnotary.ingest.parse import parse
from footnotary.ingest.sniff import ZIP
from footnotary.ingest.under_way import UnderWay, under_way
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

if sys.platform != "win32":
    import resource

_MAX_OPEN_FILES = 256
_MAX_REQUEST = 1 << 32
_SMALL = 1 << 20
_LEAST_ROOM = 256 << 20


def main() -> None:
    """Serves requests until standard input ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no reply
    while True:
        try:
            _, request = read_frame(sys.stdin.buffer, _MAX_REQUEST)
        except EOFError:
            return
        assert isinstance(request, Request)
        try:
            if not _serve(request, replies):
                return
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def _serve(request: Request, replies: IO[bytes]) -> bool:
    """Whether the process is fit for another file."""
    limits = request.limits
    # What an earlier, larger file has left behind is not held against this one.
    memory = max(limits.memory_for(len(request.data)), min(_held() + _LEAST_ROOM, limits.memory_bytes))
    _confine(limits, memory)

    def progress(done: int, of: int) -> None:
        _allow_cpu(limits)
        write_frame(replies, PROGRESS, (done, of), _SMALL)

    try:
        with under_way(UnderWay(progress, request.ocr_languages)):
            is_archive = request.sniffed.media_type == ZIP
            result = unpacked(request.data) if is_archive else parse(request.data, request.sniffed)
        write_frame(replies, RESULT, result, limits.output_bytes)
    except FootnotaryError as error:
        reason = getattr(error, "reason", "parse_failed")
        write_frame(replies, ERROR, (reason, error.message, error.hint), _SMALL)
    except MemoryError:
        seen = f"reading it takes more memory than the {memory >> 20:,} MB allowed"
        write_frame(replies, ERROR, ("parse_limit", seen, "split it, or leave it out if you do not know it"), _SMALL)
        return False
    except OverLimit as error:
        seen = f"what was read takes {error}, and the limit is {limits.output_bytes:,}"
        write_frame(replies, ERROR, ("parse_limit", seen, "split it"), _SMALL)
    except Exception as error:  # a file we did not think of must not stop the others
        seen = f"reading it failed with {type(error).__name__}: {error}"
        hint = "the file is broken, or this is a fault of Footnotary: please report it with the file"
        write_frame(replies, ERROR, ("parse_failed", seen[:2000], hint), _SMALL)
    return True


def _confine(limits: Limits, memory: int) -> None:
    """Sets the limits of this process; where the system has none, those that the parent watches remain."""
    if sys.platform != "win32":
        for kind, most in (
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_NOFILE, _MAX_OPEN_FILES),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            _, hard = resource.getrlimit(kind)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, hard))
    _allow_cpu(limits)


def _held() -> int:
    """How much address space this process has already; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _allow_cpu(limits: Limits) -> None:
    """From now on `cpu_s` more seconds of this process's own time."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        soft = int(used.ru_utime + used.ru_stime) + limits.cpu_s + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
