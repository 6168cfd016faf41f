"""Plants each bug in turn and runs its quick tests, which must notice: `python -m benchmarks.prove.mutants [NAME ...]`.

Writes `benchmarks/results/planted-bugs.md` with the test that caught each.
"""

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.prove.planted_bugs import BUGS, Bug

ROOT = Path(__file__).parents[2]
RESULT = ROOT / "benchmarks" / "results" / "planted-bugs.md"


def main(*names: str) -> int:
    bugs = [bug for bug in BUGS if not names or bug.name in names]
    started = time.monotonic()
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        caught = []
        for bug, by in zip(bugs, pool.map(caught_by, bugs), strict=True):
            caught.append(by)
            print(f"{'✓' if by else '✗'} {bug.name}: {by or 'NOT CAUGHT'}", flush=True)
    if not names:
        RESULT.write_text(page(bugs, caught, time.monotonic() - started), encoding="utf-8")
    return 0 if all(caught) else 1


def caught_by(bug: Bug) -> str:
    """The first test that fails with the bug planted; empty where none does."""
    command = [
        sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "benchmarks.prove.planted_plugin", *bug.tests.split(),
    ]  # fmt: skip
    environment = os.environ | {"FOOTNOTARY_PLANTED": bug.name, "FOOTNOTARY_JUDGE": "words"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    found = re.search(r"^(?:FAILED|ERROR) (\S+::[^\n]*?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if done.returncode == 1 and found:
        return found[1]
    if done.returncode not in (0, 1):
        print(f"{bug.name}: {(done.stdout + done.stderr)[-600:]}", file=sys.stderr)
    return ""


def page(bugs: list[Bug], caught: list[str], seconds: float) -> str:
    rows = [
        f"| {bug.name} | `{bug.module.removeprefix('footnotary.')}` | {f'`{by}`' if by else '**not caught**'} |"
        for bug, by in zip(bugs, caught, strict=True)
    ]
    return (
        "\n".join(
            [
                "# Planted bugs\n",
                f"`python -m benchmarks.prove.mutants`: {sum(map(bool, caught))} of {len(bugs)} caught, each by a quick test; {seconds:.0f} s.\n",
                "| bug | module | first test that caught it |",
                "|---|---|---|",
                *rows,
            ]
        )
        + "\n"
    )


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
