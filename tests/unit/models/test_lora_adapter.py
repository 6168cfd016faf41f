"""The adapter in every form a server loads, unpacked whole or not at all."""

import hashlib
import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from footnotary.errors import BackendError, UsageError
from footnotary.models.lora_adapter import read_adapter, unpack_adapter, write_peft
from tests.support.gguf_files import write_adapter

A = np.arange(6, dtype=np.float16).reshape(2, 3)
B = np.arange(8, dtype=np.float16).reshape(4, 2)
STORED = {"blk.3.ffn_up.weight.lora_a": A, "blk.3.ffn_up.weight.lora_b": B}


@pytest.fixture
def packed(tmp_path: Path) -> tuple[Path, str]:
    path = tmp_path / "adapter.gguf.xz"
    path.write_bytes(lzma.compress(write_adapter(tmp_path / "a.gguf", STORED).read_bytes()))
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def test_it_is_unpacked_once_and_read_as_it_was_written(packed: tuple[Path, str], tmp_path: Path):
    file = unpack_adapter(*packed, tmp_path / "models")
    adapter, alpha = read_adapter(file)
    assert alpha == 4.0
    assert set(adapter) == {"blk.3.ffn_up.lora_a", "blk.3.ffn_up.lora_b"}
    np.testing.assert_array_equal(adapter["blk.3.ffn_up.lora_b"], B)
    packed[0].unlink()
    assert unpack_adapter(*packed, tmp_path / "models") == file


def test_a_missing_adapter_is_named_with_how_to_install_it(tmp_path: Path):
    with pytest.raises(UsageError, match="the adapter is not installed") as caught:
        unpack_adapter(tmp_path / "adapter.gguf.xz", "0" * 64, tmp_path / "models")
    assert "pip install footnotary-models-xl" in caught.value.hint


def test_an_adapter_of_another_hash_is_not_unpacked(packed: tuple[Path, str], tmp_path: Path):
    with pytest.raises(BackendError, match="has sha256"):
        unpack_adapter(packed[0], "0" * 64, tmp_path / "models")
    assert not (tmp_path / "models").exists()


def test_a_file_that_is_no_adapter_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="is not an adapter"):
        read_adapter(write_adapter(tmp_path / "a.gguf", STORED, kind="model"))


def test_the_peft_layout_names_every_matrix_and_keeps_its_values(packed: tuple[Path, str], tmp_path: Path):
    folder = tmp_path / "peft"
    write_peft(*read_adapter(unpack_adapter(*packed, tmp_path)), folder)
    config = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    assert (config["r"], config["lora_alpha"]) == (2, 4)
    assert "up_proj" in config["target_modules"]
    stored = (folder / "adapter_model.safetensors").read_bytes()
    size = int.from_bytes(stored[:8], "little")
    header = json.loads(stored[8 : 8 + size])
    entry = header["base_model.model.model.layers.3.mlp.up_proj.lora_B.weight"]
    start, end = entry["data_offsets"]
    assert entry["shape"] == [4, 2]
    np.testing.assert_array_equal(np.frombuffer(stored[8 + size :][start:end], "<f2").reshape(4, 2), B)
