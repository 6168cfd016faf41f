"""A virtual environment for each peer, made by the command: seconds of the install and megabytes on disk."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
MODELS = ("packages/footnotary-models-embedders", "packages/footnotary-models-small")
MODELS += ("packages/footnotary-models-verifier-large",)
PACKAGES = {
    "llamaindex": ("llama-index-core", "llama-index-llms-openai-like", "numpy"),
    "haystack": ("haystack-ai", "numpy"),
    "langchain": ("langchain-core", "langchain-openai", "numpy"),
    "chroma": ("chromadb",),
    "lancedb": ("lancedb", "numpy"),
    "faiss": ("faiss-cpu",),
    "footnotary": tuple(str(ROOT / part) for part in ("", *MODELS)),
}
TIMEOUT_S = 600


def made(name: str, folder: Path) -> dict[str, Any]:
    """What is known of the environment of a system, which is made where it is not there yet.

    `error` says why it could not be made. Packages are downloaded again, so that the seconds are those of a first install.
    """
    home = folder / name
    about = home / "installed.json"
    if about.is_file():
        return json.loads(about.read_text("utf-8"))
    shutil.rmtree(home, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    empty = _megabytes(home)
    install = [str(python_of(home)), "-m", "pip", "install", "-q", "--no-cache-dir", *PACKAGES[name]]
    began = time.perf_counter()
    try:
        done = subprocess.run(install, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return {"error": f"not installed within {TIMEOUT_S} s"}
    if done.returncode:
        return {"error": f"pip: {(done.stderr.strip() or 'failed').splitlines()[-1][:160]}"}
    found = {"install_s": time.perf_counter() - began, "install_mb": _megabytes(home) - empty}
    found["versions"] = _versions(home, PACKAGES[name])
    about.write_text(json.dumps(found), encoding="utf-8")
    return found


def python_of(home: Path) -> Path:
    return home / "bin" / "python"


def _megabytes(home: Path) -> float:
    return sum(path.lstat().st_size for path in home.rglob("*") if path.is_file()) / 1e6


def _versions(home: Path, packages: tuple[str, ...]) -> list[str]:
    names = [name for name in packages if name != "numpy" and "/" not in name]
    code = f"from importlib.metadata import version as v\nprint(*(p + ' ' + v(p) for p in {names!r}), sep='\\n')"
    return subprocess.run([python_of(home), "-c", code], capture_output=True, text=True, check=True).stdout.split("\n")[
        : len(names)
    ]
