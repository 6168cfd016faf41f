"""Writes the adapter as servers read it, and checks that nothing was lost.

    python -m training.xl.export --pieces adapter0.npz adapter1.npz --base q.gguf --out adapter.gguf.xz
    python -m training.xl.export --gguf adapter.gguf.xz --peft FOLDER

The first writes llama.cpp's form (`--lora`); a name that ends in .xz is compressed, to about half. The second makes
the layout of PEFT (vLLM) from it. `lora_a` is rank x inputs, `lora_b` outputs x rank; Qwen2 needs no reordering.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import shutil
import tempfile
from pathlib import Path

import numpy as np

from footnotary.models.lora_adapter import PEFT_BASE, read_adapter, unpack_adapter, write_peft

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
    writer.add_string("footnotary.base.name", PEFT_BASE)
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


def read_packed(path: Path) -> tuple[Adapter, float]:
    """The tensors of a .gguf or .gguf.xz file by their names in training, and alpha."""
    if path.suffix != ".xz":
        return read_adapter(path)
    with tempfile.TemporaryDirectory() as folder:
        return read_adapter(unpack_adapter(path, sha256(path), Path(folder)))


def sha256(path: Path) -> str:
    with path.open("rb") as given:
        return hashlib.file_digest(given, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pieces", type=Path, nargs="+", help="what training wrote")
    parser.add_argument("--base", type=Path, help="the model's file, for its sha256")
    parser.add_argument("--out", type=Path, help="a .gguf or .gguf.xz file to write")
    parser.add_argument("--gguf", type=Path, help="an adapter written before")
    parser.add_argument("--peft", type=Path, help="a folder to write PEFT's layout to")
    options = parser.parse_args()
    if options.pieces:
        from training.xl.model import ALPHA, load_pieces, rounded

        adapter, alpha = rounded(load_pieces(options.pieces)), ALPHA
        write_gguf(adapter, alpha, sha256(options.base), options.out)
        again, _ = read_packed(options.out)
        if set(again) != set(adapter) or any((again[name] != adapter[name]).any() for name in adapter):
            raise ValueError("the written adapter differs from the trained one")
        print(options.out, options.out.stat().st_size, "bytes, sha256", sha256(options.out))
    else:
        adapter, alpha = read_packed(options.gguf)
    if options.peft:
        write_peft(adapter, alpha, options.peft)
        print(options.peft, {path.name: path.stat().st_size for path in sorted(options.peft.iterdir())})


if __name__ == "__main__":
    main()
