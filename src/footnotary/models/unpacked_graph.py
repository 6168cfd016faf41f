"""A graph whose 8-bit weights are unpacked to float32 once, when it is loaded, instead of in every run.

onnxruntime unpacks the weights of a `MatMulNBits` with float32 products again for every text. For a sentence of twenty
tokens that takes longer than the products themselves. The values are the same, so scores are too, up to the order of
additions; the unpacked weights take four times the memory. They are written to a file, because onnxruntime keeps a
second copy of weights that are inside a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from footnotary.errors import BackendError
from footnotary.models.onnx_session import REINSTALL_HINT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Field numbers of onnx.proto, which never change.
_GRAPH = 7
_NODE, _INITIALIZER = 1, 5
_INPUT, _OUTPUT, _NODE_NAME, _OP_TYPE, _ATTRIBUTE = 1, 2, 3, 4, 5
_ATTRIBUTE_NAME, _ATTRIBUTE_INT = 1, 3
_DIMS, _DATA_TYPE, _TENSOR_NAME, _RAW_DATA, _EXTERNAL_DATA, _DATA_LOCATION = 1, 2, 8, 9, 13, 14
_KEY, _VALUE = 1, 2
_FLOAT = 1
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_PACKED = "MatMulNBits"
_NO_ZERO_POINT = 128
_SUFFIX = ".unpacked"
_EXTERNAL = 1
_WEIGHTS_FILE, _SMALLEST_IN_FILE, _ALIGNED = "unpacked.bin", 1024, 4096


@dataclass(slots=True)
class _Tensor:
    """An initializer: its name, its bytes wherever they are, and the fields that say what they mean."""

    name: str = ""
    data: bytes = b""
    fields: bytes = b""
    is_float: bool = False


@dataclass(slots=True)
class _Node:
    """A node as far as it matters here."""

    inputs: list[str] = field(default_factory=lambda: list[str]())
    outputs: list[str] = field(default_factory=lambda: list[str]())
    name: str = ""
    op_type: str = ""
    numbers: dict[str, int] = field(default_factory=lambda: dict[str, int]())

    @property
    def is_packed(self) -> bool:
        """Whether this is a product with symmetric 8-bit weights."""
        return self.op_type == _PACKED and self.numbers.get("bits") == 8 and len([*filter(None, self.inputs)]) == 3


def write_unpacked(model: bytes, files: Mapping[str, bytes], folder: Path) -> Path:
    """Writes the model with plain products into a folder, its weights next to it, and returns the model's path.

    `files` are those that the model refers to, by name. Raises `BackendError` where the model cannot be read, `OSError`
    where the folder cannot be written.
    """
    path = folder / "unpacked.onnx"
    try:
        with (folder / _WEIGHTS_FILE).open("wb") as weights:
            parts = [
                _written(number, _unpacked_graph(_bytes(value), files, weights)) if number == _GRAPH else raw
                for number, value, raw in _fields(model)
            ]
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise BackendError(f"the weights of a model could not be unpacked: {error!r}", hint=REINSTALL_HINT) from error
    path.write_bytes(b"".join(parts))
    return path


def _unpacked_graph(graph: bytes, files: Mapping[str, bytes], weights: BinaryIO) -> bytes:
    parts = [*_fields(graph)]
    tensors = {
        tensor.name: tensor
        for number, value, _ in parts
        if number == _INITIALIZER
        for tensor in [_tensor(_bytes(value), files)]
    }
    nodes = {at: _node(_bytes(value)) for at, (number, value, _) in enumerate(parts) if number == _NODE}
    packed = {at: node for at, node in nodes.items() if node.is_packed}
    still_used = {name for at, node in nodes.items() if at not in packed for name in node.inputs}
    out: list[bytes] = []
    for at, (number, _, raw) in enumerate(parts):
        if at in packed:
            out.append(_written(_NODE, _product(packed[at])))
        elif number != _INITIALIZER:
            out.append(raw)
    replaced = {name for node in packed.values() for name in node.inputs[1:]} - still_used
    out += [_initializer(tensor, weights) for name, tensor in tensors.items() if name not in replaced]
    unpacked = {node.inputs[1]: node for node in packed.values()}
    out += [_initializer(_unpacked(node, tensors), weights) for node in unpacked.values()]
    return b"".join(out)


def _product(node: _Node) -> bytes:
    texts = [(_INPUT, node.inputs[0]), (_INPUT, node.inputs[1] + _SUFFIX), (_OUTPUT, node.outputs[0])]
    texts += [(_NODE_NAME, node.name), (_OP_TYPE, "MatMul")]
    return b"".join(_written(number, text.encode()) for number, text in texts)


def _unpacked(node: _Node, tensors: Mapping[str, _Tensor]) -> _Tensor:
    """The weights of a product as a matrix of float32, inputs by outputs."""
    import numpy as np

    inputs, outputs, block = node.numbers["K"], node.numbers["N"], node.numbers["block_size"]
    values, scales = tensors[node.inputs[1]], tensors[node.inputs[2]]
    if not scales.is_float:
        raise ValueError(f"{scales.name} is not float32")
    steps: NDArray[np.uint8] = np.frombuffer(values.data, np.uint8).reshape(outputs, -1, block)
    matrix = steps.astype(np.float32)
    matrix -= np.float32(_NO_ZERO_POINT)
    matrix *= np.frombuffer(scales.data, np.float32).reshape(outputs, -1, 1)
    matrix = matrix.reshape(outputs, -1)[:, :inputs]
    fields = _number(_DIMS, inputs) + _number(_DIMS, outputs) + _number(_DATA_TYPE, _FLOAT)
    return _Tensor(values.name + _SUFFIX, np.ascontiguousarray(matrix.T).tobytes(), fields)


def _initializer(tensor: _Tensor, weights: BinaryIO) -> bytes:
    """A tensor, whose data is appended to the file of weights unless it is small."""
    data = _written(_RAW_DATA, tensor.data) if tensor.data else b""
    if len(tensor.data) >= _SMALLEST_IN_FILE:
        weights.write(bytes(-weights.tell() % _ALIGNED))
        place = {"location": _WEIGHTS_FILE, "offset": str(weights.tell()), "length": str(len(tensor.data))}
        entries = [_written(_KEY, key.encode()) + _written(_VALUE, value.encode()) for key, value in place.items()]
        data = b"".join(_written(_EXTERNAL_DATA, entry) for entry in entries) + _number(_DATA_LOCATION, _EXTERNAL)
        weights.write(tensor.data)
    return _written(_INITIALIZER, tensor.fields + _written(_TENSOR_NAME, tensor.name.encode()) + data)


def _tensor(message: bytes, files: Mapping[str, bytes]) -> _Tensor:
    found, kept, where = _Tensor(), list[bytes](), dict[str, str]()
    for number, value, raw in _fields(message):
        if number == _TENSOR_NAME:
            found.name = _bytes(value).decode()
        elif number == _RAW_DATA:
            found.data = _bytes(value)
        elif number == _EXTERNAL_DATA:
            entry = {place: _bytes(text).decode() for place, text, _ in _fields(_bytes(value))}
            where[entry[_KEY]] = entry[_VALUE]
        elif number != _DATA_LOCATION:
            found.is_float = found.is_float or (number == _DATA_TYPE and value == _FLOAT)
            kept.append(raw)
    if where:
        file, start = files[where["location"]], int(where.get("offset", 0))
        found.data = file[start : start + int(where["length"])] if "length" in where else file[start:]
    found.fields = b"".join(kept)
    return found


def _node(message: bytes) -> _Node:
    found = _Node()
    for number, value, _ in _fields(message):
        if number == _INPUT:
            found.inputs.append(_bytes(value).decode())
        elif number == _OUTPUT:
            found.outputs.append(_bytes(value).decode())
        elif number == _NODE_NAME:
            found.name = _bytes(value).decode()
        elif number == _OP_TYPE:
            found.op_type = _bytes(value).decode()
        elif number == _ATTRIBUTE:
            held = {place: what for place, what, _ in _fields(_bytes(value))}
            if isinstance(whole := held.get(_ATTRIBUTE_INT), int):
                found.numbers[_bytes(held[_ATTRIBUTE_NAME]).decode()] = whole
    return found


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes, bytes]]:
    """Each field of a protobuf message: its number, its value, and all of it as it is written."""
    at = 0
    while at < len(message):
        start = at
        tag, at = _varint(message, at)
        kind, value = tag & 7, b""
        if kind == _VARINT:
            whole, at = _varint(message, at)
            yield tag >> 3, whole, message[start:at]
            continue
        if kind == _BYTES:
            size, at = _varint(message, at)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise ValueError(f"unknown kind {kind} of field")
        if at + size > len(message):
            raise ValueError("a field is longer than its message")
        value, at = message[at : at + size], at + size
        yield tag >> 3, value, message[start:at]


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def _bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise TypeError("a number where text or a message should be")
    return value


def _written(number: int, content: bytes) -> bytes:
    return _encoded(number << 3 | _BYTES) + _encoded(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _encoded(number << 3 | _VARINT) + _encoded(value)


def _encoded(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
