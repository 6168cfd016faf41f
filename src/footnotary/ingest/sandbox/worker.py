"""The parser process: parses one file after the other, within resource limits.

It gets its files through standard input and needs neither network nor disk. If a file makes it run out of memory or
time, crash or write without end, only this process is affected.
"""

import os
import sys
from pathlib import Path
from typing import IO

from footnotary.errors import FootnotaryError
from footnotary.ingest.file_type import ZIP
from footnotary.ingest.parse.zip_archive import unpack_archive
from footnotary.ingest.parse_context import ParseContext, use_parse_context
from footnotary.ingest.parser_selection import parse
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

if sys.platform != "win32":
    import resource

_MAX_OPEN_FILES = 256
_MAX_REQUEST_BYTES = 1 << 32
_MAX_STATUS_BYTES = 1 << 20
_MIN_HEADROOM_BYTES = 256 << 20


def main() -> None:
    """Serves requests until standard input ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # library output must not mix with replies
    while True:
        try:
            _, request = read_frame(sys.stdin.buffer, _MAX_REQUEST_BYTES)
        except EOFError:
            return
        assert isinstance(request, ParseRequest)
        try:
            if not _serve(request, replies):
                return
        except MemoryError:
            os._exit(OUT_OF_MEMORY_EXIT_CODE)


def _serve(request: ParseRequest, replies: IO[bytes]) -> bool:
    """Serves one request; returns whether the process can take another."""
    limits = request.limits
    # Memory still held from an earlier, larger file does not count against this one.
    memory = max(
        limits.memory_limit_bytes(len(request.data)),
        min(_address_space_bytes() + _MIN_HEADROOM_BYTES, limits.memory_bytes),
    )
    _set_resource_limits(limits, memory)

    def progress(done: int, of: int) -> None:
        _extend_cpu_limit(limits)
        write_frame(replies, PROGRESS, (done, of), _MAX_STATUS_BYTES)

    try:
        with use_parse_context(ParseContext(progress, request.ocr_languages)):
            is_archive = request.sniffed.media_type == ZIP
            result = unpack_archive(request.data) if is_archive else parse(request.data, request.sniffed)
        write_frame(replies, RESULT, result, limits.output_bytes)
    except FootnotaryError as error:
        reason = getattr(error, "reason", "parse_failed")
        write_frame(replies, ERROR, (reason, error.message, error.hint), _MAX_STATUS_BYTES)
    except MemoryError:
        seen = f"parsing needs more memory than the {memory >> 20:,} MB allowed"
        write_frame(
            replies, ERROR, ("parse_limit", seen, "split it, or leave it out if you do not trust it"), _MAX_STATUS_BYTES
        )
        return False
    except FrameTooLongError as error:
        seen = f"the parsed result takes {error}; the limit is {limits.output_bytes:,}"
        write_frame(replies, ERROR, ("parse_limit", seen, "split it"), _MAX_STATUS_BYTES)
    except Exception as error:  # an unforeseen file must not stop the others
        seen = f"parsing failed with {type(error).__name__}: {error}"
        hint = "the file is corrupt, or this is an internal error: please report it with the file"
        write_frame(replies, ERROR, ("parse_failed", seen[:2000], hint), _MAX_STATUS_BYTES)
    return True


def _set_resource_limits(limits: ParseLimits, memory: int) -> None:
    """Sets the limits of this process; on systems without them, the parent still enforces its own."""
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
    _extend_cpu_limit(limits)


def _address_space_bytes() -> int:
    """The address space this process already uses; 0 if the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_bytes().split()[0])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _extend_cpu_limit(limits: ParseLimits) -> None:
    """Allows this process `cpu_s` more seconds of CPU time."""
    if sys.platform != "win32":
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        soft = int(used.ru_utime + used.ru_stime) + limits.cpu_s + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))
