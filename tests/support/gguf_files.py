"""Writes small GGUF files: a header with keys and tensors, and their data."""

import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np

LAYER = {
    "attn_q": (1536, 1536), "attn_k": (256, 1536), "attn_v": (256, 1536), "attn_output": (1536, 1536),
    "ffn_gate": (8960, 1536), "ffn_up": (8960, 1536), "ffn_down": (1536, 8960),
}  # fmt: skip
# A type whose size nobody knows: its tensors take no room in the file.
UNKNOWN = 99


def string(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def key(name: str, value: object) -> bytes:
    if isinstance(value, str):
        return string(name) + struct.pack("<I", 8) + string(value)
    if isinstance(value, float):
        return string(name) + struct.pack("<If", 6, value)
    if isinstance(value, int):
        return string(name) + struct.pack("<II", 4, value)
    assert isinstance(value, list)
    listed = b"".join(string(one) for one in value)
    return string(name) + struct.pack("<IIQ", 9, 8, len(value)) + listed


def gguf(keys: Mapping[str, object], tensors: Mapping[str, tuple[tuple[int, ...], int, bytes]]) -> bytes:
    """A whole file; of each tensor the shape, outermost first, the type and the data."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys)) + b"".join(key(k, v) for k, v in keys.items())
    data = b""
    for name, (shape, kind, content) in tensors.items():
        head += string(name) + struct.pack("<I", len(shape))
        head += b"".join(struct.pack("<Q", size) for size in reversed(shape)) + struct.pack("<IQ", kind, len(data))
        data += content + b"\0" * (-len(content) % 32)
    return head + b"\0" * (-len(head) % 32) + data


def write_base(path: Path, layers: int = 28, kind: int = UNKNOWN, **changes: object) -> Path:
    """A file with the header of the base model and nothing else."""
    keys = {"general.architecture": "qwen2", "general.type": "model", "general.name": "Qwen2.5 Coder 1.5B Instruct"}
    tensors = {f"blk.{n}.{m}.weight": (shape, kind, b"") for n in range(layers) for m, shape in LAYER.items()}
    path.write_bytes(gguf(keys | changes | {"tokenizer.ggml.tokens": ["a", "b"]}, tensors))
    return path


def write_adapter(path: Path, adapter: Mapping[str, np.ndarray], alpha: float = 4.0, kind: str = "adapter") -> Path:
    keys = {"general.type": kind, "general.architecture": "qwen2", "adapter.lora.alpha": alpha}
    tensors = {name: (values.shape, 1, values.astype("<f2").tobytes()) for name, values in adapter.items()}
    path.write_bytes(gguf(keys, tensors))
    return path
