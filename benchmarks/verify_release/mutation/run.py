"""Mutation testing: seeds one bug at a time and runs the quick tests that must find it.

`python -m benchmarks.verify_release.mutation.run [NAME ...]` writes the page of seeded bugs with the test that caught each.
With names, only those bugs are run again; `rest` runs those that are not caught yet; without names, all bugs run, or
those that an interrupted run of the same code did not reach. A bug whose tests cannot run here (for example without a
Qdrant server) is reported and not counted.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import hypothesis
import pytest

from benchmarks.verify_release.code_digest import CACHE, ROOT, code_digest
from benchmarks.verify_release.mutation.seeded_bugs import BUGS, SeededBug

PAGE = ROOT / "benchmarks" / "results" / "verify_release" / "seeded-bugs.md"
RESULTS = PAGE.with_suffix(".json")
LIBRARIES = (
    "numpy",
    "pydantic",
    "hypothesis",
    "typer",
    "rich",
    "fastapi",
    "starlette.testclient",
    "uvicorn",
    "snowballstemmer",
    "tantivy",
)


def main(*names: str) -> int:
    run = CACHE / f"seeded-bugs-{code_digest()}.json"
    known = _read(RESULTS if names else run)
    wanted = [bug.name for bug in BUGS if not known.get(bug.name)] if names in ((), ("rest",)) else names
    chosen = [bug for bug in BUGS if bug.name in wanted]
    os.environ |= {
        "FOOTNOTARY_VERIFIER": "lexical",
        "FOOTNOTARY_TEST_QDRANT_WHOLE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    for library in LIBRARIES:  # once, for all forked processes
        import_module(library)
    # A slow machine is not a bug.
    hypothesis.settings.register_profile(
        "seeded-bug", deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
    )
    hypothesis.settings.load_profile("seeded-bug")
    for bug, by in each_caught(chosen, int(os.environ.get("JOBS", "2"))):
        if by is None:
            known.pop(bug.name, None)
            print(f"· {bug.name}: not run, its tests are skipped here", flush=True)
            continue
        known[bug.name] = by
        print(f"{'✓' if by else '✗'} {bug.name}: {by or 'NOT CAUGHT'}", flush=True)
        _write(run, _read(run) | {bug.name: by})
    _write(RESULTS, known)
    run_here = [bug for bug in BUGS if bug.name in known]
    PAGE.write_text(page(run_here, [known[bug.name] for bug in run_here]), encoding="utf-8")
    return 0 if all(known.values()) else 1


def _read(path: Path) -> dict[str, str]:
    """The recorded results of the bugs that still exist."""
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {bug.name: found[bug.name] for bug in BUGS if bug.name in found}


def _write(path: Path, found: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def each_caught(bugs: list[SeededBug], jobs: int) -> Iterator[tuple[SeededBug, str | None]]:
    """Each bug with the first test that fails with it; empty if none fails, None if none could run.

    A test that also fails without a bug catches nothing: each test runs without a bug too, once for all bugs it caught.
    """
    waiting, running = [(bug, "") for bug in reversed(bugs)], dict[int, tuple[SeededBug, str, Path]]()
    passes: dict[str, bool] = {}
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and len(running) < jobs:
                bug, by = waiting.pop()
                if _without_parameters(by) in passes:
                    yield bug, by if passes[_without_parameters(by)] else ""
                    continue
                said = Path(folder) / f"{BUGS.index(bug)}{' without' * bool(by)}"
                running[_without_bug(by, said) if by else _with_bug(bug, said)] = bug, by, said
            if not running:
                continue
            child, status = os.wait()
            bug, by, said = running.pop(child)
            if by:
                passes[_without_parameters(by)] = os.waitstatus_to_exitcode(status) == 0
                yield bug, by if passes[_without_parameters(by)] else ""
                continue
            output = said.read_text(encoding="utf-8", errors="replace")
            if caught := _caught(bug, os.waitstatus_to_exitcode(status), output):
                waiting.append((bug, caught))
            else:
                yield bug, caught


def _with_bug(bug: SeededBug, said: Path) -> int:
    return _tests_forked(["-p", "benchmarks.verify_release.mutation.pytest_plugin", *bug.tests.split()], said, bug.name)


def _without_bug(test: str, said: Path) -> int:
    return _tests_forked([_without_parameters(test)], said)


def _without_parameters(test: str) -> str:
    """A test with all of its parameters."""
    return test.partition("[")[0]


def _tests_forked(more: list[str], said: Path, seeded_bug: str = "") -> int:
    child = os.fork()
    if child:
        return child
    # Programs started by a test get the same bug, or none.
    os.environ.pop("FOOTNOTARY_SEEDED_BUG", None)
    if seeded_bug:
        os.environ["FOOTNOTARY_SEEDED_BUG"] = seeded_bug
    output = os.open(said, os.O_WRONLY | os.O_CREAT)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(ROOT)
    status = pytest.main(["-x", "-q", "-p", "no:cacheprovider", *more])
    sys.stdout.flush()
    os._exit(int(status))


def _caught(bug: SeededBug, status: int, said: str) -> str | None:
    found = re.search(r"^(?:FAILED|ERROR) (\S+::[^\n]*?)(?: - .*)?$", said, re.MULTILINE)
    if status == 1 and found:
        return found[1]
    if status in (0, 5) and " skipped" in said and " passed" not in said:
        return None
    if status not in (0, 1):
        print(f"{bug.name}: {said[-600:]}", file=sys.stderr)
    return ""


def page(bugs: list[SeededBug], caught: list[str]) -> str:
    rows = [
        f"| {bug.name} | `{bug.module.removeprefix('footnotary.')}` | {f'`{by}`' if by else '**not caught**'} |"
        for bug, by in zip(bugs, caught, strict=True)
    ]
    return (
        "\n".join(
            [
                "# Seeded bugs\n",
                f"`python -m benchmarks.verify_release.mutation.run`: {sum(map(bool, caught))} of {len(bugs)} caught, each by a quick test.\n",
                "| bug | module | first test that caught it |",
                "|---|---|---|",
                *rows,
            ]
        )
        + "\n"
    )


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
