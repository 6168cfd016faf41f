"""The file of an ANN index: next to the matrix it was built from, under the same name, and useless without it.

Valid rows of a matrix never change, and every build of a matrix has its own name. So a file with the same name that
covers no more rows than are valid is correct for these rows, however many were added or deleted since. It is written
to a temporary file and renamed: it exists completely or not at all. Small parts are verified when it is opened, the
codes group by group when they are first probed, so that opening reads only a few megabytes. A file in the format of an
earlier version counts as absent: a new one is built in its place.
"""

import json
import mmap
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from footnotary.durable import open_private
from footnotary.index.embedded.ivf_index import IvfIndex

_MAGIC = b"footnotary ANN index 2\n"
_ARRAYS = (
    ("axes", "<f4"),
    ("centres", "<f4"),
    ("steps", "<f4"),
    ("starts", "<i8"),
    ("rows", "<i4"),
    ("sums", "<u4"),
    ("fine_sums", "<u4"),
    ("codes", "<i1"),
    ("fine_codes", "<u1"),
)
_LARGE_ARRAYS = ("codes", "fine_codes")
_ALIGNMENT_BYTES = 64


@dataclass(frozen=True, slots=True)
class IvfIndexFile:
    """The ANN index file of the matrix `name` in `folder`; `dimensions` are the matrix's."""

    folder: Path
    name: str
    dimensions: int

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}.first"

    def write(self, first: IvfIndex) -> None:
        """Replaces any earlier file; on disk when this returns."""
        arrays = {part: np.ascontiguousarray(getattr(first, part), kind) for part, kind in _ARRAYS}
        head = {
            "matrix": self.name,
            "shapes": {part: array.shape for part, array in arrays.items()},
            "sums": {
                part: zlib.crc32(_array_bytes(array)) for part, array in arrays.items() if part not in _LARGE_ARRAYS
            },
        }
        said = json.dumps(head).encode()
        temporary = self.path.with_suffix(".first.new")
        with open(temporary, "wb", opener=open_private) as file:
            file.write(_MAGIC + len(said).to_bytes(4, "little") + zlib.crc32(said).to_bytes(4, "little") + said)
            for array in arrays.values():
                file.write(bytes(-file.tell() % _ALIGNMENT_BYTES))
                file.write(_array_bytes(array))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self.path)

    def read(self, rows: int) -> IvfIndex | None:
        """The ANN index for a matrix with `rows` valid rows; None if there is none, or it cannot be trusted."""
        try:
            with self.path.open("rb") as file:
                content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            first = _parse(content, self.name)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return first if _covers_matrix(first, rows, self.dimensions) else None


def _parse(content: memoryview, name: str) -> IvfIndex:
    start = len(_MAGIC) + 8
    size, said_sum = (int.from_bytes(content[start - 8 + i : start - 4 + i], "little") for i in (0, 4))
    said = bytes(content[start : start + size])
    if bytes(content[: len(_MAGIC)]) != _MAGIC or zlib.crc32(said) != said_sum:
        raise ValueError("not an ANN index")
    head = json.loads(said)
    if head["matrix"] != name:
        raise ValueError("of another matrix")
    arrays: dict[str, NDArray[Any]] = {}
    at = start + size
    for part, kind in _ARRAYS:
        shape = tuple(head["shapes"][part])
        count = int(np.prod(shape))
        at += -at % _ALIGNMENT_BYTES
        array = np.frombuffer(content, kind, count, at).reshape(shape)
        if part not in _LARGE_ARRAYS and zlib.crc32(_array_bytes(array)) != head["sums"][part]:
            raise ValueError(f"{part} are damaged")
        arrays[part], at = array, at + array.nbytes
    if at != len(content):
        raise ValueError("of another length")
    return IvfIndex(**arrays)


def _covers_matrix(first: IvfIndex, rows: int, dimensions: int) -> bool:
    return 0 < first.count <= rows and first.axes.shape[0] == dimensions


def _array_bytes(array: NDArray[Any]) -> memoryview | bytes:
    return np.ascontiguousarray(array).data.cast("B") if array.size else b""
