"""Only a file that the adapter fits on is taken as base model, and nothing is left behind of any other."""

import hashlib
import os
from pathlib import Path

import pytest

from footnotary.errors import UsageError
from footnotary.models import base_model
from footnotary.models.base_model import add_base, find_base, require_base
from footnotary.models.gguf_file import read_gguf_header
from tests.support.gguf_files import write_base


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return write_base(tmp_path / "q.gguf")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


def test_a_header_is_read(base: Path):
    header = read_gguf_header(base)
    assert header.keys["general.architecture"] == "qwen2"
    assert header.tensors["blk.27.ffn_down.weight"].shape == (1536, 8960)
    assert "tokenizer.ggml.tokens" not in header.keys


def test_the_file_it_was_trained_on_is_known_by_its_hash(base: Path, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(base_model, "BASE_SHA256", hashlib.sha256(base.read_bytes()).hexdigest())
    found = add_base(base, folder)
    assert found.exact
    assert "the file the adapter was trained on" in found.described
    assert find_base(folder) == found


def test_another_file_of_the_same_shapes_is_taken_and_said_to_be_that(base: Path, folder: Path):
    found = add_base(base, folder)
    assert not found.exact
    assert "not the file the adapter was trained on, but of the same shapes" in found.described


def test_a_model_of_another_name_is_taken_with_a_warning(tmp_path: Path, folder: Path):
    found = add_base(write_base(tmp_path / "m.gguf", **{"general.name": "Qwen2.5 Math 1.5B"}), folder)
    assert "it calls itself 'Qwen2.5 Math 1.5B'" in found.described


def test_it_outlives_the_file_it_was_added_from(base: Path, folder: Path):
    added = add_base(base, folder)
    base.unlink()
    assert find_base(folder) == added


def test_on_another_file_system_it_stays_where_it_is(base: Path, folder: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise OSError("another file system")

    monkeypatch.setattr(os, "link", refuse)
    assert add_base(base, folder).path == str(base)
    base.unlink()
    assert find_base(folder) is None
    with pytest.raises(UsageError, match="no longer exists"):
        require_base(folder)


def test_without_one_the_command_is_named(folder: Path):
    with pytest.raises(UsageError, match="no base model yet") as caught:
        require_base(folder)
    assert "footnotary models add" in caught.value.hint


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.write_bytes(b"not a model"), "does not begin with GGUF"),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "ends too early"),
        (lambda path: path.write_bytes(b"GGUF" + b"\xff" * 20), "is not a GGUF file"),
        (lambda path: write_base(path, layers=27), "blk.27.attn_q.weight is missing"),
        (lambda path: write_base(path, layers=29), "more than 28 layers"),
        (lambda path: write_base(path, **{"general.architecture": "llama"}), "the kind 'llama'"),
        (lambda path: write_base(path, **{"general.type": "adapter"}), "of the type 'adapter'"),
        (lambda path: write_base(path, kind=12), "is truncated"),
        (lambda path: path.unlink(), "cannot be read"),
    ],
)
def test_a_wrong_file_is_an_error_and_changes_nothing(base: Path, folder: Path, spoil, message: str):
    kept = add_base(write_base(base.with_name("good.gguf")), folder)
    before = sorted(path.name for path in folder.iterdir())
    spoil(base)
    with pytest.raises(UsageError, match=message):
        add_base(base, folder)
    assert find_base(folder) == kept
    assert sorted(path.name for path in folder.iterdir()) == before
