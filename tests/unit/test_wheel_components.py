"""The list of components of a wheel names what it needs, what it contains, and the wheel itself by its hash."""

import hashlib
import json
import zipfile

import pytest

from benchmarks.verify_release.wheel_components import main, wheel_components

METADATA = """Metadata-Version: 2.4
Name: footnotary-models-tiny
Version: 1.2.3
License-Expression: Apache-2.0
Requires-Dist: numpy>=1.26
Requires-Dist: footnotary-models-small
Requires-Dist: fastapi>=0.100 ; extra == "service"
Requires-Dist: numpy>=2 ; extra == "service"
Requires-Dist: nowhere-pinned

A description.
"""


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "footnotary_models_tiny-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("footnotary_models_tiny-1.2.3.dist-info/METADATA", METADATA)
        archive.writestr("footnotary_models/tiny/reader.onnx", b"weights")
        archive.writestr("footnotary_models/tiny/code.py", b"")
    return path


def test_the_wheel_its_weights_and_its_requirements_are_listed(wheel):
    bom = wheel_components(wheel)
    own = bom["metadata"]["component"]
    assert (own["name"], own["version"]) == ("footnotary-models-tiny", "1.2.3")
    assert own["hashes"][0]["content"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    listed = {one["name"]: one for one in bom["components"]}
    assert set(listed) == {
        "fastapi", "footnotary-models-small", "nowhere-pinned", "numpy", "footnotary_models/tiny/reader.onnx"
    }  # fmt: skip
    assert (listed["numpy"]["scope"], listed["fastapi"]["scope"]) == ("required", "optional")
    assert listed["footnotary-models-small"]["version"] == "1.2.3"
    assert "version" not in listed["nowhere-pinned"]
    weights = listed["footnotary_models/tiny/reader.onnx"]
    assert weights["hashes"][0]["content"] == hashlib.sha256(b"weights").hexdigest()
    assert bom["dependencies"][0]["dependsOn"] == [one["bom-ref"] for one in bom["components"]]


def test_the_same_wheel_gives_the_same_bytes_next_to_it(wheel):
    written = wheel.with_name(f"{wheel.name}.cdx.json")
    seen = set()
    for _ in range(2):
        assert main(str(wheel.parent)) == 0
        seen.add(written.read_bytes())
    assert len(seen) == 1
    assert json.loads(written.read_text())["bomFormat"] == "CycloneDX"


def test_a_folder_without_wheels_is_a_failure(tmp_path):
    assert main(str(tmp_path)) == 1
