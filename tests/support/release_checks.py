"""A short stretch of a harness of `benchmarks/verify_release`, in a process of its own: it forks, and kills what it forked."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def proved(name: str, count: int, *planted: str) -> dict:
    """What the harness found in `count` tries."""
    command = [sys.executable, "-m", "benchmarks.verify_release.run_one", name, "1", str(count), *planted]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.strip().rpartition("\n")[2])
