"""The packages as a user gets them: built, installed in a clean environment without the checkout, and run there.

Dependencies come from wherever pip is configured to look, by hash; our own packages only from what was built here.
`FOOTNOTARY_TEST_PYTHON` names another interpreter for the environment.
"""

import hashlib
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest

from footnotary import __version__
from footnotary.models.model_packages import SHIPPED_MODELS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PYTHON = os.environ.get("FOOTNOTARY_TEST_PYTHON", sys.executable)
MODEL_PACKAGES = sorted({model.package for model in SHIPPED_MODELS.values()})
BASE_PACKAGES = sorted({model.package for model in SHIPPED_MODELS.values() if not model.optional})
# The public index takes no file above 100 MB.
LARGEST_FILE = 100_000_000
LARGEST_BASE_WHEEL = 5_000_000
# Libraries of extras that are not installed in the environment; a module that names one may fail to be imported there.
NOT_INSTALLED = {"haystack", "ir_measures", "langchain_core", "llama_index", "pytest"}

IMPORT_ALL = f"""
import importlib, pkgutil, footnotary
without, count = set(), 0
for module in pkgutil.walk_packages(footnotary.__path__, "footnotary."):
    if module.name.startswith("footnotary.testing."):
        continue
    try:
        importlib.import_module(module.name)
        count += 1
    except ModuleNotFoundError as error:
        if error.name.split(".")[0] not in {NOT_INSTALLED!r}:
            raise
        without.add(module.name)
print(count, *sorted(without))
"""
QUESTION = "What is the punishment for cheating and dishonestly inducing delivery of property?"
ASK_OVER_MCP = """
import asyncio, os, shutil, sys
from mcp import Client
from mcp.client.stdio import StdioServerParameters

async def ask():
    arguments = ["mcp", "--project", "demo"]
    server = StdioServerParameters(command=shutil.which("footnotary"), args=arguments, env=dict(os.environ))
    async with Client(server) as client:
        return await client.call_tool("answer_grounded", {"question": sys.argv[1]})

assert asyncio.run(ask()).structured_content["answered"]
"""
SERVE = """
import subprocess, time, urllib.error, urllib.request

def status(url):
    for _ in range(300):
        try:
            return opener.open(url, timeout=30).status
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionError):
                raise
            time.sleep(0.1)

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
process = subprocess.Popen(["footnotary", "serve", "--port", "0"], stderr=subprocess.PIPE, text=True)
try:
    port = next(line for line in process.stderr if "http://" in line).strip().rpartition(":")[2]
    for path in ("/healthz", "/openapi.json", "/"):
        assert status(f"http://127.0.0.1:{int(port)}{path}") == 200, path
finally:
    process.terminate()
    process.wait(30)
"""


def run(*command: object, cwd: Path, environment: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make wheels` makes: each wheel is built from its sdist."""
    to = tmp_path_factory.mktemp("dist")
    for package in (ROOT, *sorted((ROOT / "packages").iterdir())):
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", to, package, cwd=ROOT)
    return to


def wheel_of(dist: Path, package: str) -> Path:
    return dist / f"{package.replace('-', '_')}-{__version__}-py3-none-any.whl"


def test_there_is_a_wheel_and_an_sdist_of_every_package(dist: Path):
    stems = {f"{name.replace('-', '_')}-{__version__}" for name in ("footnotary", *MODEL_PACKAGES)}
    assert {file.name for file in dist.iterdir() if file.suffix in (".whl", ".gz")} == {
        f"{stem}{end}" for stem in stems for end in ("-py3-none-any.whl", ".tar.gz")
    }
    for file in dist.iterdir():
        assert file.stat().st_size < LARGEST_FILE, file.name


def test_the_base_wheel_is_small_typed_and_without_weights(dist: Path):
    wheel = wheel_of(dist, "footnotary")
    assert wheel.stat().st_size < LARGEST_BASE_WHEEL
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        metadata = HeaderParser().parsestr(opened.read(f"footnotary-{__version__}.dist-info/METADATA").decode())
    assert "footnotary/py.typed" in names
    assert not [name for name in names if name.endswith((".onnx", ".bin", ".npy")) or "/weights/" in name]
    required = set(metadata.get_all("Requires-Dist", []))
    assert {f"{package}=={__version__}" for package in BASE_PACKAGES} <= required
    assert metadata["Requires-Python"] == ">=3.11"


@pytest.mark.parametrize("package", MODEL_PACKAGES)
def test_a_model_wheel_holds_its_models_whole_and_no_code(dist: Path, package: str):
    with zipfile.ZipFile(wheel_of(dist, package)) as wheel:
        names = {name for name in wheel.namelist() if not name.startswith(package.replace("-", "_") + "-")}
        assert not [name for name in names if name.endswith(".py")]
        for model in (model.name for model in SHIPPED_MODELS.values() if model.package == package):
            folder = f"footnotary_models/{model}"
            config = json.loads(wheel.read(f"{folder}/config.json"))
            for file, digest in config["sha256"].items():
                assert hashlib.sha256(wheel.read(f"{folder}/{file}")).hexdigest() == digest
            assert wheel.read(f"{folder}/MODEL_CARD.md")


def test_an_sdist_holds_files_and_no_links(dist: Path):
    for file in dist.glob("*.tar.gz"):
        with tarfile.open(file) as opened:
            assert all(member.isfile() or member.isdir() for member in opened.getmembers()), file.name


@pytest.fixture(scope="module")
def away(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder away from the checkout, and the variables of an environment that has the wheels and nothing of ours else."""
    folder = tmp_path_factory.mktemp("away")
    ours = ("PYTHON", "FOOTNOTARY_", "VIRTUAL_ENV", "COV_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    run(PYTHON, "-m", "venv", folder / "env", cwd=folder, environment=environment)
    pip = (folder / "env" / "bin" / "pip", "install", "-q", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements" / "service.txt", cwd=folder, environment=environment)
    wheels = ("--no-index", "--find-links", dist, f"footnotary[mcp]=={__version__}")
    run(*pip, *wheels, cwd=folder, environment=environment)
    environment["PATH"] = f"{folder / 'env' / 'bin'}{os.pathsep}{environment['PATH']}"
    environment["FOOTNOTARY_HOME"] = str(folder / "home")
    return folder, environment


def test_what_is_installed_fits_together(away: tuple[Path, dict[str, str]]):
    folder, environment = away
    run("pip", "check", cwd=folder, environment=environment)


def test_every_module_can_be_imported(away: tuple[Path, dict[str, str]]):
    folder, environment = away
    count, *without = run("python", "-W", "error", "-c", IMPORT_ALL, cwd=folder, environment=environment).split()
    assert int(count) > 300
    assert len(without) <= 6, without


def test_the_demo_runs(away: tuple[Path, dict[str, str]]):
    folder, environment = away
    assert "IPC_420_0" in run("footnotary", "demo", cwd=folder, environment=environment)


def test_doctor_finds_the_model_packages(away: tuple[Path, dict[str, str]]):
    folder, environment = away
    findings = json.loads(run("footnotary", "doctor", "--json", cwd=folder, environment=environment))
    found = {one["check"]: one for one in findings}
    assert found["models"]["ok"] is True
    for package in BASE_PACKAGES:
        assert f"{package} {__version__}" in found["models"]["detail"]
    assert "the checkout" not in found["models"]["detail"]


def test_the_service_starts(away: tuple[Path, dict[str, str]]):
    folder, environment = away
    run("python", "-c", SERVE, cwd=folder, environment=environment)


def test_a_question_is_answered_over_mcp(away: tuple[Path, dict[str, str]]):
    folder, environment = away
    run("footnotary", "demo", cwd=folder, environment=environment)
    profile = {"FOOTNOTARY_PROFILE": "legal"}
    run("python", "-c", ASK_OVER_MCP, QUESTION, cwd=folder, environment=environment | profile)


def test_without_a_model_package_the_error_names_it(away: tuple[Path, dict[str, str]]):
    """Last: it takes a package away."""
    folder, environment = away
    run("pip", "uninstall", "-q", "-y", "footnotary-models-verifier-large", cwd=folder, environment=environment)
    command = ["footnotary", "ask", QUESTION, "--project", "demo", "--profile", "legal"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install footnotary-models-verifier-large" in done.stderr
