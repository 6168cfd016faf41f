"""Plants each bug in turn and runs its quick tests, which must notice: `python -m benchmarks.verify_release.mutation.run [NAME ...]`.

Writes `benchmarks/results/planted-bugs.md` with the test that caught each. With names, only those are tried again, with
`rest` those that are not caught yet; without any, all of them, or those an interrupted run of the same code did not reach.
A bug whose tests cannot run here (no Qdrant server, say) is told and not counted.
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

from benchmarks.verify_release.code_digest import KEPT as RUNS
from benchmarks.verify_release.code_digest import ROOT, code_tried
from benchmarks.verify_release.mutation.seeded_bugs import BUGS, SeededBug

PAGE = ROOT / "benchmarks" / "results" / "planted-bugs.md"
KEPT = PAGE.with_suffix(".json")
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
    run = RUNS / f"planted-{code_tried()}.json"
    known = _read(KEPT if names else run)
    wanted = [bug.name for bug in BUGS if not known.get(bug.name)] if names in ((), ("rest",)) else names
    chosen = [bug for bug in BUGS if bug.name in wanted]
    os.environ |= {
        "FOOTNOTARY_VERIFIER": "lexical",
        "FOOTNOTARY_TEST_QDRANT_WHOLE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    for library in LIBRARIES:  # once, for all the processes that are forked from this one
        import_module(library)
    # A slow machine is no bug.
    hypothesis.settings.register_profile("planted", deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
    hypothesis.settings.load_profile("planted")
    for bug, by in each_caught(chosen, int(os.environ.get("JOBS", "2"))):
        if by is None:
            known.pop(bug.name, None)
            print(f"· {bug.name}: not tried, its tests are skipped here", flush=True)
            continue
        known[bug.name] = by
        print(f"{'✓' if by else '✗'} {bug.name}: {by or 'NOT CAUGHT'}", flush=True)
        _write(run, _read(run) | {bug.name: by})
    _write(KEPT, known)
    tried = [bug for bug in BUGS if bug.name in known]
    PAGE.write_text(page(tried, [known[bug.name] for bug in tried]), encoding="utf-8")
    return 0 if all(known.values()) else 1


def _read(path: Path) -> dict[str, str]:
    """What was found of the bugs there still are."""
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {bug.name: found[bug.name] for bug in BUGS if bug.name in found}


def _write(path: Path, found: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def each_caught(bugs: list[SeededBug], jobs: int) -> Iterator[tuple[SeededBug, str | None]]:
    """Each bug with the first test that fails when it is planted; empty where none does, None where none could run.

    A test that fails where none is planted catches nothing: each is run without as well, once for all bugs it caught.
    """
    waiting, running = [(bug, "") for bug in reversed(bugs)], dict[int, tuple[SeededBug, str, Path]]()
    passes: dict[str, bool] = {}
    with tempfile.TemporaryDirectory() as folder:
        while waiting or running:
            while waiting and len(running) < jobs:
                bug, by = waiting.pop()
                if _whole(by) in passes:
                    yield bug, by if passes[_whole(by)] else ""
                    continue
                said = Path(folder) / f"{BUGS.index(bug)}{' without' * bool(by)}"
                running[_without_bug(by, said) if by else _with_bug(bug, said)] = bug, by, said
            if not running:
                continue
            child, status = os.wait()
            bug, by, said = running.pop(child)
            if by:
                passes[_whole(by)] = os.waitstatus_to_exitcode(status) == 0
                yield bug, by if passes[_whole(by)] else ""
                continue
            told = said.read_text(encoding="utf-8", errors="replace")
            if caught := _caught(bug, os.waitstatus_to_exitcode(status), told):
                waiting.append((bug, caught))
            else:
                yield bug, caught


def _with_bug(bug: SeededBug, said: Path) -> int:
    return _tests_forked(["-p", "benchmarks.verify_release.mutation.pytest_plugin", *bug.tests.split()], said, bug.name)


def _without_bug(test: str, said: Path) -> int:
    return _tests_forked([_whole(test)], said)


def _whole(test: str) -> str:
    """A test with all of its cases."""
    return test.partition("[")[0]


def _tests_forked(more: list[str], said: Path, planted: str = "") -> int:
    child = os.fork()
    if child:
        return child
    # Programs that a test starts plant the bug as well, or none.
    os.environ.pop("FOOTNOTARY_PLANTED", None)
    if planted:
        os.environ["FOOTNOTARY_PLANTED"] = planted
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
                "# Planted bugs\n",
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
