"""What `doctor` says of the programs that PDF files and scans are read with."""

import json

import pytest

from footnotary.cli import doctor


@pytest.fixture
def findings(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(doctor, "_LOOKS", tuple(look for look in doctor._LOOKS if look[0] in ("pdf", "scans")))

    def look():
        code = doctor.run_doctor(tmp_path, None, as_json=True)
        return code, {row["check"]: row for row in json.loads(capsys.readouterr().out)}

    return look


def test_the_languages_of_tesseract_are_named(findings, monkeypatch):
    monkeypatch.setattr(doctor, "installed", lambda: frozenset({"eng", "hin", "osd"}))
    monkeypatch.setattr(doctor, "version", lambda name: "9.9")
    code, found = findings()
    assert code == 0
    assert found["pdf"]["detail"] == "read with pypdfium2 9.9"
    assert found["scans"]["detail"] == "read with Tesseract in eng, hin"


def test_without_hindi_it_says_so(findings, monkeypatch):
    monkeypatch.setattr(doctor, "installed", lambda: frozenset({"eng", "osd"}))
    monkeypatch.setattr(doctor, "version", lambda name: "9.9")
    assert "Hindi cannot be read" in findings()[1]["scans"]["detail"]


def test_what_is_optional_and_missing_is_said_and_nothing_is_wrong(findings, monkeypatch):
    def missing(name):
        raise doctor.PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "installed", frozenset)
    monkeypatch.setattr(doctor, "version", missing)
    code, found = findings()
    assert code == 0
    assert [found[name]["ok"] for name in ("pdf", "scans")] == [None, None]
    assert "pip install 'footnotary[pdf]'" in found["pdf"]["detail"]
    assert "tesseract-ocr" in found["scans"]["detail"]


def test_languages_that_are_asked_for_and_not_there_are_wrong(findings, monkeypatch):
    monkeypatch.setenv("FOOTNOTARY_OCR_LANGUAGES", "eng+hin")
    monkeypatch.setattr(doctor, "installed", lambda: frozenset({"eng", "osd"}))
    code, found = findings()
    assert (code, found["scans"]["ok"]) == (1, False)
    assert "hin" in found["scans"]["detail"]
