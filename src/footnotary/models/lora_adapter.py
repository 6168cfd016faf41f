"""The adapter of the largest reader in the forms that servers load: GGUF for llama.cpp, PEFT's layout for vLLM."""

from __future__ import annotations

import hashlib
import json
import lzma
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.durable import make_private_folder, open_private
from footnotary.errors import BackendError, UsageError
from footnotary.models.gguf_file import F16, read_gguf_header

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Adapter = dict[str, NDArray[np.float16]]

PEFT_BASE = "Qwen/Qwen2.5-Coder-1.5B-Instruct"
PEFT_NAMES = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}  # fmt: skip
_MISSING_HINT = "pip install footnotary-models-xl"


def unpack_adapter(packed: Path, sha256: str, folder: Path) -> Path:
    """The unpacked GGUF file in `folder`, written if it is missing, completely or not at all.

    Raises `UsageError` where the packed file is missing, `BackendError` where it has another hash.
    """
    path = folder / f"reader-xl-{sha256[:12]}.gguf"
    if path.is_file():
        return path
    try:
        content = packed.read_bytes()
    except OSError:
        raise UsageError(f"the adapter is not installed: there is no {packed}", hint=_MISSING_HINT) from None
    if (seen := hashlib.sha256(content).hexdigest()) != sha256:
        raise BackendError(
            f"{packed} has sha256 {seen[:12]}…, its config.json names {sha256[:12]}…", hint=f"{_MISSING_HINT} again"
        )
    write_whole(path, lzma.decompress(content))
    return path


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file atomically: it gets its name when it is complete."""
    make_private_folder(path.parent)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(part, "wb", opener=open_private) as file:
            file.write(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read_adapter(path: Path) -> tuple[Adapter, float]:
    """The matrices of an unpacked GGUF adapter by name (`blk.0.attn_q.lora_a`), and alpha."""
    import numpy as np

    header = read_gguf_header(path)
    alpha = header.keys.get("adapter.lora.alpha")
    if header.keys.get("general.type") != "adapter" or not isinstance(alpha, float):
        raise UsageError(f"{path} is not an adapter", hint="use the file that footnotary-models-xl holds, unpacked")
    adapter: Adapter = {}
    for name, tensor in header.tensors.items():
        if tensor.kind != F16:
            raise UsageError(f"{name} in {path} is not in half precision", hint="export the adapter again")
        count = int(np.prod(tensor.shape))
        values = np.fromfile(path, "<f2", count, offset=tensor.begin)
        if len(values) != count:
            raise UsageError(f"{path} ends in the middle of {name}", hint="unpack the adapter again")
        adapter[name.replace(".weight.", ".")] = values.reshape(tensor.shape)
    return adapter, alpha


def write_peft(adapter: Adapter, alpha: float, folder: Path) -> None:
    """`adapter_config.json` and `adapter_model.safetensors`, as PEFT saves them."""
    rank = next(iter(values.shape[0] for name, values in adapter.items() if name.endswith("lora_a")))
    config: dict[str, Any] = {
        "peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": PEFT_BASE, "r": rank,
        "lora_alpha": int(alpha), "lora_dropout": 0.0, "bias": "none", "fan_in_fan_out": False, "inference_mode": True,
        "init_lora_weights": True, "modules_to_save": None, "use_rslora": False, "use_dora": False,
        "target_modules": sorted(name.split(".")[1] for name in PEFT_NAMES.values()),
    }  # fmt: skip
    tensors: Adapter = {}
    for name, values in adapter.items():
        _, layer, matrix, kind = name.split(".")
        letter = kind[-1].upper()
        tensors[f"base_model.model.model.layers.{layer}.{PEFT_NAMES[matrix]}.lora_{letter}.weight"] = values
    write_whole(folder / "adapter_model.safetensors", _safetensors(tensors))
    write_whole(folder / "adapter_config.json", (json.dumps(config, indent=2) + "\n").encode())


def _safetensors(tensors: Adapter) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    parts: list[bytes] = []
    at = 0
    for name in sorted(tensors):
        data = tensors[name].astype("<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensors[name].shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
        parts.append(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)
