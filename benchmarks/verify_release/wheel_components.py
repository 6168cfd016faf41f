"""A CycloneDX list of components for each wheel: `python -m benchmarks.verify_release.wheel_components dist`.

`dist/X.whl.cdx.json` names the wheel with its SHA-256, the packages it declares with the pinned version that was tested,
and every file of weights it contains with its SHA-256. The same wheel gives the same bytes.
"""

import hashlib
import json
import sys
import zipfile
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement

from benchmarks.verify_release.supply_chain import ROOT, pins

_WEIGHT_SUFFIXES = (".bin", ".onnx", ".npy", ".npz", ".safetensors", ".xz", ".gguf")


def wheel_components(wheel: Path) -> dict[str, Any]:
    """The list of components of one wheel."""
    tested = {pin.name: pin.version for pin in pins(ROOT / "requirements" / "dev.txt")}
    with zipfile.ZipFile(wheel) as archive:
        (named,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = HeaderParser().parsestr(archive.read(named).decode())
        weights = [name for name in sorted(archive.namelist()) if name.endswith(_WEIGHT_SUFFIXES)]
        components = [
            *_libraries(metadata, tested),
            *(_file_component(name, archive.read(name)) for name in weights),
        ]
    own = f"pkg:pypi/{metadata['Name']}@{metadata['Version']}"
    bom: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": metadata["Name"],
                "version": metadata["Version"],
                "purl": own,
                "licenses": [{"license": {"id": metadata["License-Expression"]}}],
                "hashes": [_sha256(wheel.read_bytes())],
            }
        },
        "components": components,
        "dependencies": [{"ref": own, "dependsOn": [one["bom-ref"] for one in components]}],
    }
    bom["serialNumber"] = f"urn:uuid:{uuid5(NAMESPACE_URL, json.dumps(bom, sort_keys=True))}"
    return bom


def _libraries(metadata: Message, tested: dict[str, str]) -> list[dict[str, Any]]:
    """What the wheel declares, with its extras as optional; a version only where one was tested."""
    found: dict[str, dict[str, Any]] = {}
    for line in metadata.get_all("Requires-Dist") or ():
        wanted = Requirement(line)
        name = wanted.name.lower().replace("_", "-")
        is_required = wanted.marker is None or "extra" not in str(wanted.marker)
        version = metadata["Version"] if name.startswith("footnotary") else tested.get(name)
        purl = f"pkg:pypi/{name}@{version}" if version else f"pkg:pypi/{name}"
        one = {"type": "library", "bom-ref": purl, "name": name, "purl": purl}
        one |= {"version": version} if version else {}
        scope = "required" if is_required or found.get(name, {}).get("scope") == "required" else "optional"
        found[name] = one | {"scope": scope}
    return [found[name] for name in sorted(found)]


def _file_component(name: str, content: bytes) -> dict[str, Any]:
    return {"type": "machine-learning-model", "bom-ref": name, "name": name, "hashes": [_sha256(content)]}


def _sha256(content: bytes) -> dict[str, str]:
    return {"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}


def main(folder: str) -> int:
    wheels = sorted(Path(folder).glob("footnotary*.whl"))
    for wheel in wheels:
        to = wheel.with_name(f"{wheel.name}.cdx.json")
        to.write_text(json.dumps(wheel_components(wheel), indent=1) + "\n", encoding="utf-8")
        print(f"components: {to.name}")
    return 0 if wheels else 1


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
