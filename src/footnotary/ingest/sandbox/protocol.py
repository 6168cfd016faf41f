"""The protocol between Footnotary and its parser processes: frames of a kind, a length and a value."""

import io
import pickle
import struct
from dataclasses import dataclass
from typing import IO, cast

from footnotary.ingest.file_type import DetectedFormat

PROGRESS, RESULT, ERROR = b"p", b"r", b"e"

_BASE_MEMORY_BYTES = 512 << 20  # OCR of two pages in parallel at 300 dpi takes half of it
_MEMORY_BYTES_PER_FILE_BYTE = 64
_HEADER = struct.Struct(">cQ")
_ALLOWED_PACKAGES = ("footnotary.domain.", "footnotary.ingest.")
_ALLOWED_ARRAY_GLOBALS = frozenset({("array", "array"), ("array", "_array_reconstructor")})


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Resource limits for one file. Times are between two progress reports (a page done); `total_s` is for the file.

    `memory_bytes` is the limit for the largest file; a small one gets less, as only a decompression bomb needs more.
    """

    memory_bytes: int = 1 << 30
    cpu_s: int = 300
    stall_s: float = 300.0
    total_s: float = 3600.0
    output_bytes: int = 256_000_000

    def memory_limit_bytes(self, size: int) -> int:
        """The memory limit for a file of `size` bytes, including the parser itself."""
        return min(self.memory_bytes, _BASE_MEMORY_BYTES + _MEMORY_BYTES_PER_FILE_BYTE * size)


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """One file to be parsed, or unpacked if it is an archive."""

    data: bytes
    sniffed: DetectedFormat
    limits: ParseLimits
    ocr_languages: str = "auto"


OUT_OF_MEMORY_EXIT_CODE = 66  # exit code of a child without enough memory to report it


class FrameTooLongError(Exception):
    """A frame is longer than allowed."""


def write_frame(stream: IO[bytes], kind: bytes, value: object, max_bytes: int) -> None:
    """Raises `OverLimit`, with nothing written, if the value is too long."""
    payload = pickle.dumps(value, protocol=5)
    if len(payload) > max_bytes:
        raise FrameTooLongError(f"{len(payload):,} bytes")
    stream.write(_HEADER.pack(kind, len(payload)))
    stream.write(payload)
    stream.flush()


def read_frame(stream: IO[bytes], max_bytes: int) -> tuple[bytes, object]:
    """The next frame. Raises `EOFError` at the end of the stream, `OverLimit` before reading a value that is too long.

    Only our own types and arrays are unpickled: a parser compromised by a file cannot make us load others.
    """
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        raise EOFError
    kind, length = cast("tuple[bytes, int]", _HEADER.unpack(header))
    if length > max_bytes:
        raise FrameTooLongError(f"{length:,} bytes")
    payload = stream.read(length)
    if len(payload) < length:
        raise EOFError
    return kind, _RestrictedUnpickler(io.BytesIO(payload)).load()


class _RestrictedUnpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> object:
        if (module_name, global_name) in _ALLOWED_ARRAY_GLOBALS:
            return super().find_class(module_name, global_name)
        found = super().find_class(module_name, global_name) if module_name.startswith(_ALLOWED_PACKAGES) else None
        if not isinstance(found, type) or not hasattr(found, "__dataclass_fields__"):
            raise pickle.UnpicklingError(f"{module_name}.{global_name} is not an allowed type")
        return found
