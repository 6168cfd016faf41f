"""Plants each bug in turn and runs its quick tests, which must notice: `python -m benchmarks.prove.mutants [NAME ...]`.

Writes `benchmarks/results/planted-bugs.md` with the test that caught each. With names, only those are tried again.
"""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.prove.planted_bugs import BUGS, Bug

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "benchmarks" / "results" / "planted-bugs.md"
KEPT = PAGE.with_suffix(".json")


def main(*names: str) -> int:
    known = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() and names else {}
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        chosen = [
            bug for bug in BUGS if not names or bug.name in names or (names == ("rest",) and not known.get(bug.name))
        ]
        for bug, by in zip(chosen, pool.map(caught_by, chosen), strict=True):
            known[bug.name] = by
            print(f"{'✓' if by else '✗'} {bug.name}: {by or 'NOT CAUGHT'}", flush=True)
            KEPT.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    tried = [bug for bug in BUGS if bug.name in known]
    PAGE.write_text(page(tried, [known[bug.name] for bug in tried]), encoding="utf-8")
    return 0 if all(known.values()) else 1


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


def page(bugs: list[Bug], caught: list[str]) -> str:
    rows = [
        f"| {bug.name} | `{bug.module.removeprefix('footnotary.')}` | {f'`{by}`' if by else '**not caught**'} |"
        for bug, by in zip(bugs, caught, strict=True)
    ]
    return (
        "\n".join(
            [
                "# Planted bugs\n",
                f"`python -m benchmarks.prove.mutants`: {sum(map(bool, caught))} of {len(bugs)} caught, each by a quick test.\n",
                "| bug | module | first test that caught it |",
                "|---|---|---|",
                *rows,
            ]
        )
        + "\n"
    )


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
