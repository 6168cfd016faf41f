"""Folders that hold no reader are refused before anything is read, and the shipped weights keep the port's promises."""

import json
from pathlib import Path

import pytest

from footnotary.errors import BackendError
from footnotary.ports import Reader
from footnotary.reader.onnx_reader import OnnxReader
from footnotary.reader.shipped import open_verifier
from footnotary.testing.reader_conformance import ReaderConformance

CONFIG = {"name": "reader", "max_tokens": 64, "words": 50, "weighing": {"model": 1.0}, "sha256": {}}


def test_a_folder_without_a_configuration_is_no_reader(tmp_path: Path):
    with pytest.raises(BackendError, match="not a folder of weights"):
        OnnxReader(tmp_path)


def test_weights_that_are_not_the_named_ones_are_refused(tmp_path: Path):
    hashes = {"model.onnx": "0" * 64, "tokenizer.json": "0" * 64}
    (tmp_path / "config.json").write_text(json.dumps(CONFIG | {"sha256": hashes}), encoding="utf-8")
    (tmp_path / "model.onnx").write_bytes(b"something else")
    reader = OnnxReader(tmp_path)
    assert reader.name.startswith("reader@")
    with pytest.raises(BackendError, match="sha256"):
        reader.support([("Boxes are kept.", ["Boxes are stored."])])


@pytest.mark.parametrize("calibration", [{"answers": {"slope": -1.0}}, {"guesses": {}}, {"support": 1}])
def test_a_calibration_that_is_none_is_refused(tmp_path: Path, calibration: object):
    (tmp_path / "config.json").write_text(json.dumps(CONFIG | {"calibration": calibration}), encoding="utf-8")
    with pytest.raises(BackendError, match="not a folder of weights"):
        OnnxReader(tmp_path)


@pytest.mark.trained
class TestOnnxReader(ReaderConformance):
    @pytest.fixture
    def reader(self) -> Reader:
        found = open_verifier("small")
        assert isinstance(found, OnnxReader)
        return found
