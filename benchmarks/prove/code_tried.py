"""Which code is tried, so that what was found of it is not looked for again, and what was found of other code is."""

import hashlib
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".cache" / "prove"


def code_tried() -> str:
    """Names it: the commit, and what was changed since."""
    try:
        told = [
            subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
            for words in (["rev-parse", "HEAD"], ["diff", "HEAD", "--", "src", "tests", "benchmarks/prove"])
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{told[0].decode().strip()[:12]}-{hashlib.sha256(told[1]).hexdigest()[:8]}"
