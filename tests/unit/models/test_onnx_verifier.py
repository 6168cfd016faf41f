"""Folders that hold no judge are refused before anything is judged."""

import json
from pathlib import Path

import pytest

from footnotary.errors import BackendError
from footnotary.models.onnx_verifier import OnnxVerifier
from footnotary.models.shipped import open_verifier


def test_a_folder_without_a_configuration_is_no_judge(tmp_path: Path):
    with pytest.raises(BackendError, match="not a folder of weights"):
        OnnxVerifier(tmp_path)


def test_weights_that_are_not_the_named_ones_are_refused(tmp_path: Path):
    hashes = {"model.onnx": "0" * 64, "tokenizer.json": "0" * 64}
    config = {"name": "judge", "max_tokens": 64, "words": 50, "weighing": {"model": 1.0}, "sha256": hashes}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "model.onnx").write_bytes(b"something else")
    judge = OnnxVerifier(tmp_path)
    assert judge.name.startswith("judge@")
    with pytest.raises(BackendError, match="sha256"):
        judge.support([("Boxes are kept.", ["Boxes are stored."])])


def test_what_is_longer_than_it_reads_is_neither_supported_nor_answerable():
    judge = open_verifier("small")
    assert isinstance(judge, OnnxVerifier)
    long = "How are boxes kept in the room" + " of which the owner said that it is dry" * 100 + "?"
    assert judge.answerable([(long, ["Boxes are kept dry."])]) == [0.0]
    assert judge.support([(long, ["Boxes are kept dry."])]) == [0.0]
