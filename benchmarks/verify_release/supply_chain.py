"""Supply chain checks: `python -m benchmarks.verify_release.supply_chain [pins|licences|sbom|bandit|images|wheel ...]`, by default all.

- `pins`: every requirement is pinned to one version with hashes, and all declared dependencies are included.
- `licences`: every installed package declares a licence that is compatible with ours; writes `licences.md`.
- `sbom`: writes a CycloneDX list of all components of an installation, with hashes, to `dist/`.
- `bandit`: no findings except those listed with a reason in `bandit_reviewed.json`.
- `images`: which base images of containers are pinned by digest; those that are not are reported, not refused.
- `wheel`: all wheels, built twice from the committed tree in two folders, are identical byte for byte.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "verify_release"
REVIEWED = Path(__file__).with_name("bandit_reviewed.json")
WEIGHTS = ROOT / "src" / "footnotary" / "weights"
_PIN = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\[[^\]]*\])?==([^\s;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
# Licences compatible with Apache-2.0 that require no more than attribution.
_ALLOWED = re.compile(
    r"apache|\bmit\b|\bbsd\b|0bsd|isc|python software foundation|psf|mozilla|mpl|unlicense|zlib|public domain|cc0|hpnd", re.IGNORECASE
)  # fmt: skip
_REFUSED = re.compile(r"\bA?GPL|GNU (?:Affero )?General Public|SSPL|Business Source|proprietary", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pin:
    """One requirement: the version, and the hashes of the files that may be installed for it."""

    name: str
    version: str
    hashes: tuple[str, ...]


def pins(path: Path) -> Iterator[Pin]:
    """The pinned requirements of a file. Raises `ValueError` for a line without a pinned version."""
    joined = path.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in joined.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _PIN.match(line)
        if found is None:
            raise ValueError(f"{path.name}: {line[:80]!r} is not a pinned version")
        yield Pin(_normal(found[1]), found[2], tuple(_HASH.findall(line)))


def check_pins() -> list[str]:
    wrong: list[str] = []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        try:
            found = list(pins(path))
        except ValueError as error:
            wrong.append(str(error))
            continue
        wrong += [f"{path.name}: {pin.name} has no hash" for pin in found if not pin.hashes]
        names = {pin.name for pin in found}
        # The documentation site does not need the product, and our model packages are installed from this tree.
        declared = [] if path.name in ("docs.txt", "build.txt") else map(_name, project["dependencies"])
        wrong += [
            f"{path.name}: {name} is missing"
            for name in declared
            if name not in names and not name.startswith("footnotary-")
        ]
        print(f"pins: {path.name}: {len(found)} versions, {sum(len(pin.hashes) for pin in found)} hashes")
    return wrong


def check_licences() -> list[str]:
    wrong, rows, unread = [], [], []
    for pin in pins(ROOT / "requirements" / "service.txt"):
        try:
            said = _licence(metadata.metadata(pin.name))
        except metadata.PackageNotFoundError:
            unread.append(pin.name)
            continue
        if _REFUSED.search(said) or not _ALLOWED.search(said):
            wrong.append(f"{pin.name}: {said or 'no licence declared'}")
        rows.append(f"| {pin.name} | {pin.version} | {said} |")
    lines = [
        "# Licences of what is installed with the service\n",
        "`python -m benchmarks.verify_release.supply_chain licences`, as declared by each package. Footnotary is Apache-2.0.\n",
        "| package | version | licence |",
        "|---|---|---|",
        *rows,
    ]
    if unread:  # extras not needed for development; the release workflow reads them in a separate installation
        print(f"licences: not installed, so not read: {', '.join(unread)}")
    else:
        (RESULTS / "licences.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"licences: {len(rows)} packages")
    return wrong


def write_sbom() -> list[str]:
    """Writes the list of components; the same bytes for the same tree, no timestamps."""
    from footnotary import __version__

    components = []
    for pin in pins(ROOT / "requirements" / "service.txt"):
        purl = f"pkg:pypi/{pin.name}@{pin.version}"
        components.append(
            {
                "type": "library", "bom-ref": purl, "name": pin.name, "version": pin.version, "purl": purl, "scope": "required",
                "externalReferences": [
                    {"type": "distribution", "url": f"https://pypi.org/project/{pin.name}/{pin.version}/", "hashes": [{"alg": "SHA-256", "content": digest}]}
                    for digest in pin.hashes
                ],
            }
        )  # fmt: skip
    for path in sorted(WEIGHTS.rglob("*")):
        if path.is_file() and path.suffix in (".bin", ".onnx", ".npy", ".json"):
            name = path.relative_to(WEIGHTS).as_posix()
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            components.append(
                {"type": "machine-learning-model", "bom-ref": f"weights/{name}", "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}
            )  # fmt: skip
    own = f"pkg:pypi/footnotary@{__version__}"
    bom = {
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": own, "name": "footnotary", "version": __version__, "purl": own, "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": components,
        "dependencies": [{"ref": own, "dependsOn": [component["bom-ref"] for component in components]}],
    }  # fmt: skip
    bom["serialNumber"] = f"urn:uuid:{uuid5(NAMESPACE_URL, json.dumps(bom, sort_keys=True))}"
    to = ROOT / "dist" / f"footnotary-{__version__}.cdx.json"
    to.parent.mkdir(exist_ok=True)
    to.write_text(json.dumps(bom, indent=1) + "\n", encoding="utf-8")
    print(f"sbom: {to.relative_to(ROOT)}: {len(components)} components")
    return [] if components else ["no components found"]


def check_bandit() -> list[str]:
    if shutil.which("bandit") is None and not _has("bandit"):
        return ["bandit is not installed: pip install bandit"]
    command = ["bandit"] if shutil.which("bandit") else [sys.executable, "-m", "bandit"]
    done = subprocess.run([*command, "-q", "-r", "src", "-f", "json"], cwd=ROOT, capture_output=True, text=True)
    reviewed = json.loads(REVIEWED.read_text(encoding="utf-8"))
    found = [
        result
        for result in json.loads(done.stdout)["results"]
        if result["test_id"] not in reviewed["everywhere"]
        and f"{result['test_id']} {result['filename'].removeprefix('src/footnotary/')}" not in reviewed["in"]
    ]
    print(f"bandit: {len(found)} findings that are not reviewed")
    return [f"{one['test_id']} {one['filename']}:{one['line_number']}: {one['issue_text']}" for one in found]


def check_images() -> list[str]:
    """Images are reported: a digest can only be looked up where a registry can be reached (`make image-digest`)."""
    files = (ROOT / "Dockerfile", ROOT / "compose.yaml", *sorted((ROOT / "docs").rglob("*.compose.yaml")))
    for path in files:
        for image in re.findall(r"^(?:ARG PYTHON_IMAGE=|\s*image: )(\S+)", path.read_text(encoding="utf-8"), re.M):
            if not image.startswith("footnotary:"):
                pinned = "pinned by digest" if "@sha256:" in image else "NOT pinned by digest, by version only"
                print(f"images: {path.name}: {image}: {pinned}")
    return []


def check_wheel() -> list[str]:
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        one, other = (_built(Path(folder) / name, commit) for name in ("one", "a/longer/path"))
    for name in sorted(one | other):
        print(f"wheel: {name}: sha256 {one.get(name)}, second build {other.get(name)}")
    return [] if one == other else ["two builds of the same tree differ"]


def _built(folder: Path, commit: str) -> dict[str, str]:
    """The SHA-256 of each wheel by its file name."""
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    when = subprocess.run(
        ["git", "log", "-1", "--format=%ct", commit], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    environment = os.environ | {"SOURCE_DATE_EPOCH": when.strip()}
    for package in (folder, *sorted((folder / "packages").iterdir())):
        command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "made", str(package)]
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    return {wheel.name: hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in (folder / "made").glob("*.whl")}


def _licence(of: metadata.PackageMetadata) -> str:
    said = of.get("License-Expression") or ""
    classified = [c.rpartition(" :: ")[2] for c in of.get_all("Classifier") or () if c.startswith("License ::")]
    plain = (of.get("License") or "").strip().splitlines()
    return said or ", ".join(c for c in classified if c != "OSI Approved") or (plain[0][:60] if plain else "")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _name(requirement: str) -> str:
    return _normal(re.split(r"[\[<>=!~; ]", requirement, maxsplit=1)[0])


def _has(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


CHECKS: dict[str, Callable[[], list[str]]] = {
    "pins": check_pins,
    "licences": check_licences,
    "sbom": write_sbom,
    "bandit": check_bandit,
    "images": check_images,
    "wheel": check_wheel,
}


def main(*names: str) -> int:
    wrong = [(name, what) for name in names or tuple(CHECKS) for what in CHECKS[name]()]
    for name, what in wrong:
        print(f"✗ {name}: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
