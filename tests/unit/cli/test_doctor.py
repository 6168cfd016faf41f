"""What `doctor` says of the programs that PDF files and scans are read with, and of the model packages."""

import hashlib
import json
from pathlib import Path

import pytest

from footnotary import __version__
from footnotary.cli.operations import doctor
from footnotary.errors import UsageError
from footnotary.models import cache
from footnotary.models.model_packages import SHIPPED_MODELS, InstalledModel
from footnotary.models.onnx_session import check_files


@pytest.fixture
def findings(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        doctor, "_CHECKS", tuple(look for look in doctor._CHECKS if look[0] in ("pdf", "scans", "models"))
    )

    def look():
        code = doctor.run_doctor(tmp_path, None, as_json=True)
        return code, {row["check"]: row for row in json.loads(capsys.readouterr().out)}

    return look


def test_the_languages_of_tesseract_are_named(findings, monkeypatch):
    monkeypatch.setattr(doctor, "installed_languages", lambda: frozenset({"eng", "hin", "osd"}))
    monkeypatch.setattr(doctor, "version", lambda name: "9.9")
    code, found = findings()
    assert code == 0
    assert found["pdf"]["detail"] == "read with pypdfium2 9.9"
    assert found["scans"]["detail"] == "read with Tesseract in eng, hin"


def test_without_hindi_it_says_so(findings, monkeypatch):
    monkeypatch.setattr(doctor, "installed_languages", lambda: frozenset({"eng", "osd"}))
    monkeypatch.setattr(doctor, "version", lambda name: "9.9")
    assert "Hindi cannot be read" in findings()[1]["scans"]["detail"]


def test_what_is_optional_and_missing_is_said_and_nothing_is_wrong(findings, monkeypatch):
    def missing(name):
        raise doctor.PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "installed_languages", frozenset)
    monkeypatch.setattr(doctor, "version", missing)
    code, found = findings()
    assert code == 0
    assert [found[name]["ok"] for name in ("pdf", "scans")] == [None, None]
    assert "pip install 'footnotary[pdf]'" in found["pdf"]["detail"]
    assert "tesseract-ocr" in found["scans"]["detail"]


def test_languages_that_are_asked_for_and_not_there_are_wrong(findings, monkeypatch):
    monkeypatch.setenv("FOOTNOTARY_OCR_LANGUAGES", "eng+hin")
    monkeypatch.setattr(doctor, "installed_languages", lambda: frozenset({"eng", "osd"}))
    code, found = findings()
    assert (code, found["scans"]["ok"]) == (1, False)
    assert "hin" in found["scans"]["detail"]


def installed_as(version):
    return lambda name: InstalledModel(SHIPPED_MODELS[name], Path("/site/footnotary_models") / name, version)


def test_model_packages_are_listed_with_their_versions_and_folders(findings, monkeypatch):
    monkeypatch.setattr(doctor, "find_model", installed_as(__version__))
    monkeypatch.setattr(doctor, "check_files", lambda folder: None)
    found = findings()[1]["models"]
    assert found["ok"] is True
    assert (
        f"footnotary-models-small {__version__} (verifier-small, injection-small, reader-hindi), "
        f"footnotary-models-xl {__version__} (reader-xl) in /site/footnotary_models" in found["detail"]
    )


def test_models_of_a_checkout_are_named_as_such(findings, monkeypatch):
    monkeypatch.setattr(doctor, "find_model", installed_as(None))
    monkeypatch.setattr(doctor, "check_files", lambda folder: None)
    assert (
        "the checkout (footnotary-30m, static-multilingual, verifier-large, verifier-small, injection-small, reader-hindi, reader-xl) in"
        in findings()[1]["models"]["detail"]
    )


def test_a_model_package_of_another_version_is_wrong(findings, monkeypatch):
    monkeypatch.setattr(doctor, "find_model", installed_as("0.0.9"))
    code, found = findings()
    assert (code, found["models"]["ok"]) == (1, False)
    assert (
        f"footnotary-models-embedders is version 0.0.9, footnotary is version {__version__}"
        in found["models"]["detail"]
    )


def test_a_missing_model_package_is_named_with_how_to_install_it(findings, monkeypatch):
    def missing(name):
        raise UsageError(f"the model {name} is not installed", hint="")

    monkeypatch.setattr(doctor, "find_model", missing)
    code, found = findings()
    assert (code, found["models"]["ok"]) == (0, None)
    assert "pip install footnotary-models-embedders footnotary-models-verifier-large" in found["models"]["detail"]


def test_weights_that_changed_since_their_hash_was_compared_are_found(findings, monkeypatch, tmp_path):
    monkeypatch.setenv("FOOTNOTARY_CACHE", str(tmp_path / "cache"))
    weights = tmp_path / "weights"
    weights.mkdir()
    (weights / "table.bin").write_bytes(b"right")
    digest = hashlib.sha256(b"right").hexdigest()
    (weights / "config.json").write_text(json.dumps({"name": "tiny", "sha256": {"table.bin": digest}}))
    check_files(weights)
    before = (weights / "table.bin").stat()
    (weights / "table.bin").write_bytes(b"wrong")
    # As if the disk had lost it: nothing that the list of compared files knows has changed.
    monkeypatch.setattr(cache, "_appearance", lambda path: [5, before.st_ino, before.st_mtime_ns, before.st_ctime_ns])
    model = SHIPPED_MODELS["static-multilingual"]
    monkeypatch.setattr(doctor, "find_model", lambda name: InstalledModel(model, weights, None))
    code, found = findings()
    assert (code, found["models"]["ok"]) == (1, False)
    assert "table.bin" in found["models"]["detail"]
