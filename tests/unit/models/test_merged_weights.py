"""Merged matrices: the shipped base plus its update, as integers, kept in a cache folder."""

import json
from pathlib import Path

import numpy as np
import pytest

from footnotary.models.cache import cache_folder
from footnotary.models.merged_weights import LARGEST_INTEGER, merged_matrices

OUTPUTS, INPUTS, BLOCK = 4, 64, 32


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one matrix of 4-bit integers and an update of rank 2."""
    monkeypatch.setenv("FOOTNOTARY_CACHE", str(tmp_path / "cache"))
    rng = np.random.default_rng(3)
    folder = tmp_path / "weights"
    folder.mkdir()
    packed = rng.integers(0, 256, OUTPUTS * INPUTS // 2, dtype=np.uint8)
    scales = rng.random((OUTPUTS, INPUTS // BLOCK), dtype=np.float32)
    (folder / "model.1.bin").write_bytes(packed.tobytes() + scales.tobytes())
    entry = {"name": "w0", "layer": "blocks.0.ao", "outputs": OUTPUTS, "inputs": INPUTS, "bits": 4, "block": BLOCK}
    entry |= {"file": "model.1.bin", "offset": 0, "scales_file": "model.1.bin", "scales_offset": packed.size}
    (folder / "reader.json").write_text(json.dumps([entry]))
    up, down = rng.random((OUTPUTS, 2)).astype(np.float16), rng.random((2, INPUTS)).astype(np.float16)
    np.savez(folder / "reader.npz", **{"blocks.0.ao.up": up, "blocks.0.ao.down": down})
    values = np.stack([packed & 15, packed >> 4], -1).reshape(OUTPUTS, INPUTS // BLOCK, BLOCK).astype(np.float32) - 8
    expected = (values * scales[..., None]).reshape(OUTPUTS, INPUTS) + up.astype(np.float32) @ down.astype(np.float32)
    np.save(folder / "expected.npy", expected)
    return folder


def restored(matrices: dict) -> np.ndarray:
    return (matrices["w0.values"].astype(np.float32) * matrices["w0.scales"]).T


def test_the_integers_stand_for_the_base_plus_its_update(weights: Path):
    matrices = merged_matrices(weights, "reader@1")
    expected = np.load(weights / "expected.npy")
    assert matrices["w0.values"].shape == (INPUTS, OUTPUTS)
    assert np.abs(matrices["w0.values"]).max() == LARGEST_INTEGER
    assert np.abs(restored(matrices) - expected).max() <= matrices["w0.scales"].max() / 2 + 1e-5


def test_a_further_update_is_added_to_the_first(weights: Path):
    up, down = np.full((OUTPUTS, 1), 2, np.float16), np.ones((1, INPUTS), np.float16)
    np.savez(weights / "further.npz", **{"blocks.0.ao.up": up, "blocks.0.ao.down": down})
    matrices = merged_matrices(weights, "reader@1-further", ("reader.npz", "further.npz"))
    expected = np.load(weights / "expected.npy") + 2
    assert np.abs(restored(matrices) - expected).max() <= matrices["w0.scales"].max() / 2 + 1e-5


def test_what_was_merged_once_is_read_from_the_cache(weights: Path):
    first = restored(merged_matrices(weights, "reader@1")).copy()
    (weights / "reader.npz").unlink()
    assert sorted(file.name for file in cache_folder().glob("reader*")) == ["reader-1.bin", "reader-1.sha256"]
    assert (restored(merged_matrices(weights, "reader@1")) == first).all()


def test_a_cached_file_that_is_cut_short_is_made_again(weights: Path):
    first = restored(merged_matrices(weights, "reader@1")).copy()
    kept = cache_folder() / "reader-1.bin"
    kept.write_bytes(kept.read_bytes()[:-7])
    assert (restored(merged_matrices(weights, "reader@1")) == first).all()


def test_without_a_cache_folder_it_merges_every_time(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    expected = restored(merged_matrices(weights, "reader@1")).copy()
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FOOTNOTARY_CACHE", str(tmp_path / "file"))
    assert (restored(merged_matrices(weights, "reader@1")) == expected).all()


def test_a_cached_file_whose_content_changed_is_made_again(weights: Path):
    first = restored(merged_matrices(weights, "reader@1")).copy()
    kept = cache_folder() / "reader-1.bin"
    kept.write_bytes(b"\0" * len(kept.read_bytes()))
    assert (restored(merged_matrices(weights, "reader@1")) == first).all()
