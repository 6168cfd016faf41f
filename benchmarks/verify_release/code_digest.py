"""A digest of the tested code, so that cached results are used for the same code only."""

import hashlib
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache" / "verify-release"
# What a promise can depend on; documents and results are not part of it.
TESTED = ("src", "tests", "harness", "benchmarks/verify_release", "requirements", "pyproject.toml")


def code_digest() -> str:
    """The digest of the committed code, and of what was changed since."""
    try:
        parts = [
            subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
            for words in (["rev-parse", *(f"HEAD:{part}" for part in TESTED)], ["diff", "HEAD", "--", *TESTED])
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return "-".join(hashlib.sha256(part).hexdigest()[:12] for part in parts)
