"""Writes the adapter as servers read it, and checks that nothing was lost.

    python -m training.xl.export --pieces adapter0.npz adapter1.npz --base q.gguf --out adapter.gguf.xz
    python -m training.xl.export --gguf adapter.gguf.xz --peft FOLDER

The first writes llama.cpp's form (`--lora`); a name that ends in .xz is compressed, to about half. The second makes
the layout of PEFT (vLLM) from it. `lora_a` is rank x inputs, `lora_b` outputs x rank; Qwen2 needs no reordering.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

BASE = "Qwen/Qwen2.5-Coder-1.5B-Instruct"
PEFT_NAMES = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}  # fmt: skip
# The first and the second byte of a value are told apart: of a rounded one the second says little.
HALF_PRECISION = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 2, "lp": 1, "pb": 1}]
Adapter = dict[str, np.ndarray]


def write_gguf(adapter: Adapter, alpha: float, base_sha256: str, path: Path) -> None:
    """Tensors in F16: the rows of `lora_b` are shorter than a block of 8-bit integers."""
    from gguf import GGUFWriter

    plain = path.with_suffix("") if path.suffix == ".xz" else path
    writer = GGUFWriter(str(plain), "qwen2")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    writer.add_string("general.name", "footnotary-reader-xl")
    writer.add_string("general.license", "apache-2.0")
    writer.add_string("footnotary.base.name", BASE)
    writer.add_string("footnotary.base.sha256", base_sha256)
    for name, values in sorted(adapter.items()):
        stem, kind = name.rsplit(".", 1)
        writer.add_tensor(f"{stem}.weight.{kind}", np.ascontiguousarray(values, dtype=np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    if plain != path:
        with plain.open("rb") as given, lzma.open(path, "wb", filters=HALF_PRECISION) as packed:
            shutil.copyfileobj(given, packed)
        plain.unlink()


def read_gguf_adapter(path: Path) -> tuple[Adapter, float]:
    """The tensors by their names in training, and alpha."""
    from gguf import GGUFReader
    from gguf.quants import dequantize

    with tempfile.TemporaryDirectory() as folder:
        plain = path
        if path.suffix == ".xz":
            plain = Path(folder, "adapter.gguf")
            with lzma.open(path) as given, plain.open("wb") as out:
                shutil.copyfileobj(given, out)
        reader = GGUFReader(str(plain))
        alpha = float(reader.fields["adapter.lora.alpha"].parts[-1][0])
        adapter: Adapter = {}
        for stored in reader.tensors:
            shape = tuple(int(size) for size in reversed(stored.shape))
            values = np.asarray(dequantize(stored.data, stored.tensor_type), np.float32).reshape(shape)
            adapter[stored.name.replace(".weight.", ".")] = values.astype(np.float16)
        del reader, stored
    return adapter, alpha


def write_peft(adapter: Adapter, alpha: float, folder: Path) -> None:
    """`adapter_config.json` and `adapter_model.safetensors`, as PEFT saves them."""
    folder.mkdir(parents=True, exist_ok=True)
    rank = next(iter(values.shape[0] for name, values in adapter.items() if name.endswith("lora_a")))
    config: dict[str, Any] = {
        "peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": BASE, "r": rank,
        "lora_alpha": int(alpha), "lora_dropout": 0.0, "bias": "none", "fan_in_fan_out": False, "inference_mode": True,
        "init_lora_weights": True, "modules_to_save": None, "use_rslora": False, "use_dora": False,
        "target_modules": sorted(name.split(".")[1] for name in PEFT_NAMES.values()),
    }  # fmt: skip
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    tensors: Adapter = {}
    for name, values in adapter.items():
        _, layer, matrix, kind = name.split(".")
        letter = kind[-1].upper()
        tensors[f"base_model.model.model.layers.{layer}.{PEFT_NAMES[matrix]}.lora_{letter}.weight"] = values
    _write_safetensors(tensors, folder / "adapter_model.safetensors")


def _write_safetensors(tensors: Adapter, path: Path) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    at = 0
    for name in sorted(tensors):
        size = tensors[name].nbytes
        header[name] = {"dtype": "F16", "shape": list(tensors[name].shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
        for name in sorted(tensors):
            out.write(np.ascontiguousarray(tensors[name], dtype="<f2").tobytes())


def sha256(path: Path) -> str:
    with path.open("rb") as given:
        return hashlib.file_digest(given, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pieces", type=Path, nargs="+", help="what training wrote")
    parser.add_argument("--base", type=Path, help="the model's file, for its sha256")
    parser.add_argument("--out", type=Path, help="a .gguf or .gguf.xz file to write")
    parser.add_argument("--bits", type=int, default=5, help="kept after the leading one of each value")
    parser.add_argument("--gguf", type=Path, help="an adapter written before")
    parser.add_argument("--peft", type=Path, help="a folder to write PEFT's layout to")
    options = parser.parse_args()
    if options.pieces:
        from training.xl.model import ALPHA, load_pieces, rounded

        adapter, alpha = rounded(load_pieces(options.pieces), options.bits), ALPHA
        write_gguf(adapter, alpha, sha256(options.base), options.out)
        again, _ = read_gguf_adapter(options.out)
        if set(again) != set(adapter) or any((again[name] != adapter[name]).any() for name in adapter):
            raise ValueError("the written adapter differs from the trained one")
        print(options.out, options.out.stat().st_size, "bytes, sha256", sha256(options.out))
    else:
        adapter, alpha = read_gguf_adapter(options.gguf)
    if options.peft:
        write_peft(adapter, alpha, options.peft)
        print(options.peft, {path.name: path.stat().st_size for path in sorted(options.peft.iterdir())})


if __name__ == "__main__":
    main()
