"""No pinned version is one that is known to be bad; the list is checked in and grows by hand."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
KNOWN_BAD = json.loads((ROOT / "requirements" / "known_bad.json").read_text())
FILES = sorted((ROOT / "requirements").glob("*.txt"))


def pinned(text):
    return re.findall(r"^([a-z0-9][\w.-]*)==([^\s;\\]+)", text, re.M)


def bad(pins):
    return [
        f"{name} {version}: {entry['why']}"
        for name, version in pins
        for entry in KNOWN_BAD
        if name == entry["package"] and SpecifierSet(entry["versions"], prereleases=True).contains(version)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_pinned_version_is_known_to_be_bad(path):
    pins = pinned(path.read_text())
    assert pins
    assert bad(pins) == []


def test_a_bad_version_would_be_found():
    assert bad([("h11", "0.14.0"), ("h11", "0.16.0"), ("starlette", "0.46.0")]) == [
        "h11 0.14.0: " + next(one["why"] for one in KNOWN_BAD if one["package"] == "h11"),
        *(f"starlette 0.46.0: {one['why']}" for one in KNOWN_BAD[2:4]),
    ]


def test_every_entry_names_a_package_versions_and_a_reason():
    for entry in KNOWN_BAD:
        assert set(entry) == {"package", "versions", "why"}
        assert SpecifierSet(entry["versions"])
        assert entry["package"] == entry["package"].lower()
        assert len(entry["why"]) > 10


def test_the_declared_build_backend_is_the_pinned_one():
    declared = {
        tuple(tomllib.loads(path.read_text())["build-system"]["requires"])
        for path in (ROOT / "pyproject.toml", *(ROOT / "packages").glob("*/pyproject.toml"))
    }
    assert declared == {("hatchling>=1.26",)}
    versions = dict(pinned((ROOT / "requirements" / "build.txt").read_text()))
    assert SpecifierSet(">=1.26").contains(versions["hatchling"])
