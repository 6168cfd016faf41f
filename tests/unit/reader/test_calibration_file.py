"""A model behind an endpoint is not asked without a calibration made for it, with the same request."""

import json
from pathlib import Path

import pytest

from footnotary.errors import UsageError
from footnotary.reader.calibration import PlattScaling
from footnotary.reader.language_model.calibration_file import calibration_content, open_calibrated_model
from footnotary.reader.language_model.server import VerifierServer

FITTED = {"support": PlattScaling(0.5, -1.0), "answers": PlattScaling(2.0, 0.25)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(calibration_content("qwen-7b", ("en", "hi"), FITTED, {"rows": 3})))
    return path


def test_it_is_read_as_it_was_written(file: Path):
    model = open_calibrated_model(VerifierServer(model="qwen-7b", calibration=file))
    assert (model.served_as, model.languages) == ("qwen-7b", ("en", "hi"))
    assert model.name.startswith("qwen-7b@")
    assert model.calibration.support == FITTED["support"]
    assert model.calibration.answers == FITTED["answers"]


def test_another_calibration_is_another_name(file: Path):
    first = open_calibrated_model(VerifierServer(model="qwen-7b", calibration=file)).name
    file.write_text(json.dumps(calibration_content("qwen-7b", ("en",), FITTED, {})))
    assert open_calibrated_model(VerifierServer(model="qwen-7b", calibration=file)).name != first


def refused(server: VerifierServer) -> UsageError:
    with pytest.raises(UsageError) as caught:
        open_calibrated_model(server)
    return caught.value


def test_without_a_calibration_it_is_refused_with_the_command():
    error = refused(VerifierServer(model="qwen-7b"))
    assert "no calibration for the model 'qwen-7b'" in error.message
    assert "footnotary calibrate --endpoint" in error.hint


def test_without_a_model_the_setting_is_named(file: Path):
    assert "verifier_model" in refused(VerifierServer(calibration=file)).hint


def test_a_calibration_of_another_model_is_refused(file: Path):
    error = refused(VerifierServer(model="qwen-14b", calibration=file))
    assert "made for the model 'qwen-7b', and verifier_model is 'qwen-14b'" in error.message


def changed(file: Path, **changes: object) -> Path:
    content = json.loads(file.read_text()) | changes
    file.write_text(json.dumps({key: value for key, value in content.items() if value is not None}))
    return file


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"prompt_sha256": "0" * 64}, "with another request"),
        ({"format": "something else"}, "is not a calibration"),
        ({"calibration": None}, "is not a calibration"),
        ({"calibration": {"support": {"slope": -1.0, "intercept": 0.0}}}, "slope above 0"),
        ({"calibration": {"unknown": {}}}, "is not a calibration"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(file: Path, changes: dict[str, object], message: str):
    assert message in refused(VerifierServer(model="qwen-7b", calibration=changed(file, **changes))).message


@pytest.mark.parametrize("content", ["", "[]", "1", "no"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: str):
    path = tmp_path / "calibration.json"
    path.write_text(content)
    assert "is not a calibration" in refused(VerifierServer(model="m", calibration=path)).message


def test_a_missing_file_is_named(tmp_path: Path):
    assert "cannot be read" in refused(VerifierServer(model="m", calibration=tmp_path / "none.json")).message
