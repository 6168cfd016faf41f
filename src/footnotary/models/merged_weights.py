"""The matrices of a reader as the 8-bit integers that run, made from the shipped base and its trained update.

The package ships a base in 4 or 8 bits, a low-rank update of each matrix, and a graph without the matrices; what runs
is `base + up @ down`, rounded to 7 bits with a scale for each output. Merging takes about a second, so the result is
kept in the user's cache folder, named after the weights it was made from, and mapped into memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from footnotary.models.cache import cache_folder, has_sha256, write_file

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrices = dict[str, NDArray[np.generic]]

INDEX: Final = "reader.json"
UPDATE: Final = "reader.npz"
GRAPH: Final = "reader.onnx"
# Of follow-ups: over the same base and the reader's update.
FOLLOW_UP_UPDATE: Final = "follow_up.npz"
FOLLOW_UP_GRAPH: Final = "follow_up.onnx"
# Products of unsigned 8-bit inputs and 7-bit weights fit 16 bits in pairs: the same sums on every processor.
LARGEST_INTEGER: Final = 63
_ALIGNED: Final = 64


def merged_matrices(folder: Path, name: str, updates: Sequence[str] = (UPDATE,)) -> Matrices:
    """The initializers that a graph of a folder of weights lacks, by name: its base with all these updates.

    `name` identifies the weights and the updates exactly. Where the cache folder cannot be written, or holds something
    else than was written there, they are merged again.
    """
    import numpy as np

    kept = cache_folder() / f"{name.replace('@', '-')}.bin"
    if not _is_intact(kept) and not _store(folder, kept, updates):
        return dict(_merged(folder, updates))
    mapped = np.memmap(kept, np.uint8, "r")
    return {
        entry: mapped[offset : offset + length].view(kind).reshape(shape)
        for entry, offset, kind, shape, length in _layout(folder)
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


def _is_intact(kept: Path) -> bool:
    try:
        return has_sha256(kept, _hash_file(kept).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return False


def _hash_file(kept: Path) -> Path:
    return kept.with_suffix(".sha256")


def _store(folder: Path, path: Path, updates: Sequence[str]) -> bool:
    """Writes the matrices, all or nothing; returns whether it succeeded."""
    parts = (content for _, array in _merged(folder, updates) for content in _padded(array.tobytes()))
    try:
        digest = write_file(path, parts)
        write_file(_hash_file(path), [digest.encode()])
    except OSError:
        return False
    return True


def _padded(content: bytes) -> tuple[bytes, bytes]:
    return content, b"\0" * (-len(content) % _ALIGNED)


def _index(folder: Path) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", json.loads((folder / INDEX).read_text(encoding="utf-8")))


def _merged(folder: Path, updates: Sequence[str]) -> Iterator[tuple[str, NDArray[np.generic]]]:
    import numpy as np

    with ExitStack() as stack:
        held = [stack.enter_context(np.load(folder / update)) for update in updates]
        for matrix in _index(folder):
            weight = _base(folder, matrix)
            layer = matrix["layer"]
            for update in held:
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
