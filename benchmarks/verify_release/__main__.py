"""Tests every promise at length: `python -m benchmarks.verify_release [--only NAME ...] [--share 0.01] [--jobs 2]`.

Each harness first runs with a seeded bug, which it must find. Then all harnesses run in batches, several at a time. The
results of each batch are stored in `.cache/verify-release/`, so that an interrupted run continues where it stopped as
long as the code is the same. One line per promise: attempts, failures, and if none of n attempts failed the upper bound
3/n on the failure rate (95 %). Exits with 1 if a promise was broken, could not be tested, or its seeded bug was not found.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock

from benchmarks.verify_release.code_digest import CACHE, ROOT, code_digest
from benchmarks.verify_release.promises import PROMISES, Promise
from benchmarks.verify_release.tally import Tally

RESULTS = ROOT / "benchmarks" / "results" / "verify_release"
LIMIT_S = 1800
_SEEDED_BUG = "seeded-bug"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options.add_argument(
        "--share", type=float, default=1.0, help="share of the batches of each promise to run, at least one batch"
    )
    options.add_argument("--batch-size", type=int, help="attempts per batch, instead of the promise's own")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--fresh", action="store_true", help="ignore the results of an interrupted run")
    given = options.parse_args()
    if unknown := set(given.only) - {promise.name for promise in PROMISES}:
        options.error(
            f"unknown promises: {', '.join(sorted(unknown))}; choose from {', '.join(p.name for p in PROMISES)}"
        )
    cache = _BatchCache(CACHE / f"{code_digest()}.json", fresh=given.fresh)
    wanted = [promise for promise in PROMISES if not given.only or promise.name in given.only]
    # One queue for the batches of all promises, so that no core idles behind a promise that is a single batch; a second
    # one for low-priority batches, which run while the others wait for disks and clocks.
    pools = {low_priority: ThreadPoolExecutor(given.jobs) for low_priority in (False, True)}
    rows = []
    try:
        seeded = {one.name: pools[one.low_priority].submit(_seeded_bug, one, cache) for one in wanted}
        batches = {one.name: _batches(one, given, cache, pools[one.low_priority]) for one in wanted}
        for promise in wanted:
            found = [one.result() for one in batches[promise.name]]
            rows.append(_row(promise, seeded[promise.name].result(), found))
            print(_line(rows[-1]), flush=True)
            for note in rows[-1]["notes"]:
                print(f"    {note}", flush=True)
            _write(rows)
    finally:
        for pool in pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
    return 0 if all(row["kept"] for row in rows) else 1


def _seeded_bug(promise: Promise, cache: "_BatchCache") -> tuple[Tally, float]:
    run = partial(_run_batch, promise, 0, promise.seeded_bug_attempts, seeded_bug=True)
    return cache.get_or_run(f"{promise.name} {_SEEDED_BUG}", run)


def _batches(
    promise: Promise, given: argparse.Namespace, cache: "_BatchCache", pool: ThreadPoolExecutor
) -> "list[Future[tuple[Tally, float]]]":
    size = given.batch_size or promise.batch_size
    return [
        pool.submit(cache.get_or_run, f"{promise.name} {n} x {size}", partial(_run_batch, promise, n, size))
        for n in range(max(round(promise.batches * given.share), 1))
    ]


def _row(promise: Promise, seeded_bug: tuple[Tally, float], batches: list[tuple[Tally, float]]) -> dict:
    total = Tally(skipped=seeded_bug[0].skipped)
    for tally, _ in batches:
        total.add(tally)
    found_it = seeded_bug[0].failed > 0 and not seeded_bug[0].broken  # a harness that crashes finds nothing
    return {
        "name": promise.name,
        "row": promise.row,
        "statement": promise.statement,
        "seeded_bug_found": found_it,
        "kept": total.failed == 0 and total.attempts > 0 and found_it,
        "full_run_attempts": promise.batches * promise.batch_size,
        "seconds": round(seeded_bug[1] + sum(seconds for _, seconds in batches), 1),
        "seeded_bug_cpu_s": seeded_bug[0].cpu_s,
        **asdict(total),
    }


def _run_batch(promise: Promise, seed: int, count: int, *, seeded_bug: bool = False) -> Tally:
    command = [sys.executable, "-m", "benchmarks.verify_release.run_one", promise.name, str(seed), str(count)]
    environment = os.environ | {"FOOTNOTARY_VERIFIER": "lexical"}
    try:
        done = subprocess.run(
            [*command, *([_SEEDED_BUG] if seeded_bug else [])],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT_S,
        )  # fmt: skip
        return Tally(**json.loads(done.stdout.strip().rpartition("\n")[2]))
    except subprocess.TimeoutExpired:
        return Tally(attempts=1, failed=1, notes=[f"not finished within {LIMIT_S} s"], broken=True)
    except (ValueError, TypeError):
        return Tally(attempts=1, failed=1, notes=[f"the harness crashed: {done.stderr[-1500:]}"], broken=True)


def _line(row: dict) -> str:
    if row["skipped"]:
        return f"- {row['row']}: {row['statement']}: not run, {row['skipped']}"
    bound = "" if row["failed"] or not row["attempts"] else f", bound {3 / row['attempts']:.2g}"
    bug = "seeded bug found" if row["seeded_bug_found"] else "SEEDED BUG NOT FOUND"
    seen = "".join(f", {count:,} {name}" for name, count in row["seen"].items() if "status" not in name)
    mark = "✓" if row["kept"] else "✗"
    return f"{mark} {row['row']}: {row['statement']}: {row['attempts']:,} attempts, {row['failed']} failed{bound}; {bug}{seen}; {row['seconds']} s"


class _BatchCache:
    """The results of batches for exactly this code, in a file; batches that crashed or failed are run again."""

    def __init__(self, path: Path, *, fresh: bool) -> None:
        self._path, self._guard = path, Lock()
        self._found = {} if fresh or not path.exists() else json.loads(path.read_text(encoding="utf-8"))

    def get_or_run(self, name: str, run: Callable[[], Tally]) -> tuple[Tally, float]:
        """The result of a batch, and the seconds it took."""
        if name not in self._found:
            started = time.monotonic()
            tally = run()
            took = time.monotonic() - started
            if tally.broken or (tally.failed and _SEEDED_BUG not in name):
                return tally, took
            with self._guard:
                self._found[name] = [asdict(tally), took]
                self._path.parent.mkdir(parents=True, exist_ok=True)
                whole = self._path.with_suffix(".new")
                whole.write_text(json.dumps(self._found), encoding="utf-8")
                whole.replace(self._path)
        tally, took = self._found[name]
        return Tally(**tally), took


def _write(rows: list[dict]) -> None:
    RESULTS.mkdir(exist_ok=True)
    page = RESULTS / "verify-release.json"
    earlier = (
        {row["name"]: row for row in json.loads(page.read_text(encoding="utf-8"))["promises"]} if page.exists() else {}
    )
    for row in rows:
        row["day"], row["machine"] = (
            datetime.now(UTC).date().isoformat(),
            f"{platform.machine()}, {os.cpu_count()} cores",
        )
        earlier[row["name"]] = row
    ordered = [earlier[promise.name] for promise in PROMISES if promise.name in earlier]
    page.write_text(json.dumps({"promises": ordered}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    page.with_suffix(".md").write_text(_page(ordered), encoding="utf-8")


def _page(rows: list[dict]) -> str:
    lines = [
        "# Promises, tested at length\n",
        "`make verify-release`. Attempts are those of the recorded run. If none of n attempts failed, the failure rate is "
        "below 3/n (95 %). Answers are verified in lexical mode, without the entailment model.\n",
        "| FAULTS | promise | attempts | failed | bound | seeded bug | attempts of a full run | CPU minutes of a full run |",
        "|---|---|--:|--:|--:|---|--:|--:|",
    ]
    for row in rows:
        bound = f"{3 / row['attempts']:.2g}" if row["attempts"] and not row["failed"] else "–"
        bug = row["skipped"] or ("found" if row["seeded_bug_found"] else "**not found**")
        full = f"{row['full_run_attempts']:,}" if row["full_run_attempts"] > 1 else "all"
        lines.append(
            f"| {row['row']} | {row['statement']} | {row['attempts']:,} | {row['failed']} | {bound} | {bug} | {full} | {_full_run_minutes(row)} |"
        )
    seen = [
        f"- {row['row']}: " + ", ".join(f"{count:,} {name}" for name, count in row["seen"].items())
        for row in rows
        if row["seen"]
    ]
    faults = [f"- {row['row']}: {note}" for row in rows for note in row["notes"]]
    lines += ["", "Counts:\n", *seen, *(["", "Failures:\n", *faults] if faults else [])]
    return "\n".join(lines) + "\n"


def _full_run_minutes(row: dict) -> str:
    """The processor time of the recorded run, extrapolated to a full run."""
    if "seeded_bug_cpu_s" not in row or not row["attempts"]:
        return "–"
    times = row["full_run_attempts"] / row["attempts"] if row["full_run_attempts"] > 1 else 1
    return f"{(row['seeded_bug_cpu_s'] + row['cpu_s'] * times) / 60:.1f}"


if __name__ == "__main__":
    raise SystemExit(main())
