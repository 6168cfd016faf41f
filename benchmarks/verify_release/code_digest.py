"""Which code is tried, so that what was found of it is not looked for again, and what was found of other code is."""

import hashlib
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".cache" / "prove"
# What a promise can depend on: pages and results may change without it.
TRIED = ("src", "tests", "benchmarks/verify_release", "requirements", "pyproject.toml")


def code_tried() -> str:
    """Names it: what was committed of it, and what was changed since."""
    try:
        told = [
            subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
            for words in (["rev-parse", *(f"HEAD:{part}" for part in TRIED)], ["diff", "HEAD", "--", *TRIED])
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return "-".join(hashlib.sha256(part).hexdigest()[:12] for part in told)
