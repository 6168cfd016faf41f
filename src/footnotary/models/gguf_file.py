"""Reads the header of a GGUF file: its keys, and the name, shape and position of each tensor."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import BinaryIO

from footnotary.errors import UsageError

F16 = 1
_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
# Formats of the other types of values, by their number in the file.
_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
# How many values the blocks of a type hold, and in how many bytes.
_BLOCKS = {
    0: (1, 4), F16: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84),
    11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 30: (1, 2),
}  # fmt: skip
# More than any model has: a broken file must not make us read forever.
_MOST = 10_000_000
_LONGEST = 100_000_000


@dataclass(frozen=True, slots=True)
class GgufTensor:
    """A tensor's shape, outermost dimension first, the number of its type, and where its data begins in the file."""

    shape: tuple[int, ...]
    kind: int
    begin: int

    @property
    def end(self) -> int:
        """Where its data ends; for an unknown type, where it begins."""
        values, size = _BLOCKS.get(self.kind, (1, 0))
        return self.begin + prod(self.shape) // values * size


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """Keys with plain values (lists are left out), and tensors by name."""

    keys: dict[str, str | int | float | bool]
    tensors: dict[str, GgufTensor]


def read_gguf_header(path: Path) -> GgufHeader:
    """Raises `UsageError` where the file is not GGUF, is truncated, or cannot be read."""
    try:
        with path.open("rb") as file:
            return _header(file)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint="check the path") from None
    except (ValueError, struct.error, UnicodeDecodeError, MemoryError, OverflowError) as error:
        raise UsageError(f"{path} is not a GGUF file: {error}", hint="use a .gguf file, whole and unpacked") from None


def _header(file: BinaryIO) -> GgufHeader:
    if file.read(4) != _MAGIC:
        raise ValueError("it does not begin with GGUF")
    version, tensors, keys = struct.unpack("<IQQ", _bytes(file, 20))
    if version not in _VERSIONS or max(tensors, keys) > _MOST:
        raise ValueError(f"it has version {version}, {tensors} tensors and {keys} keys")
    found: dict[str, str | int | float | bool] = {}
    for _ in range(keys):
        name = _string(file)
        value = _value(file, _number(file, "I"))
        if value is not None:
            found[name] = value
    listed: list[tuple[str, tuple[int, ...], int, int]] = []
    for _ in range(tensors):
        name = _string(file)
        shape = tuple(_number(file, "Q") for _ in range(_number(file, "I")))
        listed.append((name, shape[::-1], _number(file, "I"), _number(file, "Q")))
    aligned = int(found.get("general.alignment", 32))
    begin = -(-file.tell() // aligned) * aligned
    return GgufHeader(found, {name: GgufTensor(shape, kind, begin + at) for name, shape, kind, at in listed})


def _value(file: BinaryIO, kind: int) -> str | int | float | bool | None:
    if kind == _STRING:
        return _string(file)
    if kind == _ARRAY:
        of, count = struct.unpack("<IQ", _bytes(file, 12))
        if count > _MOST:
            raise ValueError(f"a list has {count} entries")
        if of in _NUMBERS:
            _bytes(file, count * struct.calcsize("<" + _NUMBERS[of]))
        else:
            for _ in range(count):
                _value(file, of)
        return None
    if kind not in _NUMBERS:
        raise ValueError(f"a value has the unknown type {kind}")
    return struct.unpack("<" + _NUMBERS[kind], _bytes(file, struct.calcsize("<" + _NUMBERS[kind])))[0]


def _number(file: BinaryIO, form: str) -> int:
    return struct.unpack("<" + form, _bytes(file, struct.calcsize("<" + form)))[0]


def _string(file: BinaryIO) -> str:
    return _bytes(file, _number(file, "Q")).decode("utf-8", "replace")


def _bytes(file: BinaryIO, count: int) -> bytes:
    if count > _LONGEST:
        raise ValueError(f"a value has {count} bytes")
    found = file.read(count)
    if len(found) != count:
        raise ValueError("it ends too early")
    return found
