"""The matrices of a reader as the 8-bit integers that run, merged from the shipped base and its trained update.

A base in 4 or 8 bits, an update of two thin matrices for each of its matrices, and a graph without them are shipped;
what runs is `base + up @ down`, rounded to 7 bits with a scale for each output. Merging takes about a second, so the
result is kept in the user's cache folder, named after the weights it was made from, and mapped into memory.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from footnotary.durable import make_private_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrices = dict[str, NDArray[np.generic]]

INDEX: Final = "reader.json"
UPDATE: Final = "reader.npz"
GRAPH: Final = "reader.onnx"
# Products of unsigned 8-bit inputs and 7-bit weights fit 16 bits in pairs: the same sums on every processor.
LARGEST_INTEGER: Final = 63
_ALIGNED: Final = 64


def cache_folder() -> Path:
    """Where merged weights are kept: `FOOTNOTARY_CACHE`, or the user's cache folder of the platform."""
    if chosen := os.environ.get("FOOTNOTARY_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "footnotary" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "footnotary"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "footnotary"


def merged_matrices(folder: Path, name: str) -> Matrices:
    """The initializers that the graph of a folder of weights lacks, by name.

    `name` identifies the weights exactly. Where the cache folder cannot be written they are merged every time.
    """
    import numpy as np

    kept = cache_folder() / f"{name.replace('@', '-')}.bin"
    layout = _layout(folder)
    size = layout[-1][1] + layout[-1][4]
    if not (kept.is_file() and kept.stat().st_size == size) and not _store(folder, kept):
        return dict(_merged(folder))
    mapped = np.memmap(kept, np.uint8, "r")
    return {
        entry: mapped[offset : offset + length].view(kind).reshape(shape)
        for entry, offset, kind, shape, length in layout
    }


def _layout(folder: Path) -> list[tuple[str, int, str, tuple[int, ...], int]]:
    """(name, offset, kind, shape, bytes) of each array in the cached file."""
    found: list[tuple[str, int, str, tuple[int, ...], int]] = []
    offset = 0
    for matrix in _index(folder):
        outputs, inputs = int(matrix["outputs"]), int(matrix["inputs"])
        arrays = (("values", "int8", (inputs, outputs)), ("scales", "float32", (outputs,)))
        for part, kind, shape in arrays:
            length = (inputs if part == "values" else 4) * outputs
            found.append((f"{matrix['name']}.{part}", offset, kind, shape, length))
            offset += -(-length // _ALIGNED) * _ALIGNED
    return found


def _store(folder: Path, path: Path) -> bool:
    """Writes the merged matrices, all or nothing; whether that was possible."""
    try:
        make_private_folder(path.parent)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.stem, delete=False) as out:
            try:
                for _, array in _merged(folder):
                    content = array.tobytes()
                    out.write(content + b"\0" * (-len(content) % _ALIGNED))
                out.truncate(_layout(folder)[-1][1] + _layout(folder)[-1][4])
            except BaseException:
                Path(out.name).unlink()
                raise
        Path(out.name).replace(path)
    except OSError:
        return False
    return True


def _index(folder: Path) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", json.loads((folder / INDEX).read_text(encoding="utf-8")))


def _merged(folder: Path) -> Iterator[tuple[str, NDArray[np.generic]]]:
    import numpy as np

    with np.load(folder / UPDATE) as update:
        for matrix in _index(folder):
            weight = _base(folder, matrix)
            layer = matrix["layer"]
            weight += update[f"{layer}.up"].astype(np.float32) @ update[f"{layer}.down"].astype(np.float32)
            scale = np.maximum(np.abs(weight).max(axis=1) / LARGEST_INTEGER, 1e-9).astype(np.float32)
            values: NDArray[np.int8] = np.rint(weight / scale[:, None]).astype(np.int8)
            yield f"{matrix['name']}.values", np.ascontiguousarray(values.T)
            yield f"{matrix['name']}.scales", scale


def _base(folder: Path, matrix: dict[str, Any]) -> NDArray[np.float32]:
    """A matrix (outputs, inputs) of the base: signed integers in blocks along a row, times a scale for each block."""
    import numpy as np

    outputs, inputs, bits, block = (int(matrix[key]) for key in ("outputs", "inputs", "bits", "block"))
    stored = np.memmap(folder / matrix["file"], np.uint8, "r")
    length = outputs * inputs * bits // 8
    packed = stored[matrix["offset"] : matrix["offset"] + length]
    scales = np.memmap(folder / matrix["scales_file"], np.uint8, "r")[matrix["scales_offset"] :]
    scale = scales[: outputs * inputs // block * 4].view(np.float32).reshape(outputs, inputs // block, 1)
    if bits == 4:
        values = np.stack([packed & 15, packed >> 4], -1).astype(np.float32) - 8
    else:
        values = packed.astype(np.float32) - 128
    return (values.reshape(outputs, inputs // block, block) * scale).reshape(outputs, inputs)
