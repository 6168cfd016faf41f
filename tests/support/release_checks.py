"""Runs a short batch of a harness of `benchmarks/verify_release` in a separate process, as it forks and kills children."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_release_check(name: str, count: int, *, seeded_bug: bool = False) -> dict:
    """The result of `count` attempts of a harness."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.verify_release.run_one",
        name,
        "1",
        str(count),
        *(["seeded-bug"] if seeded_bug else []),
    ]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.strip().rpartition("\n")[2])
