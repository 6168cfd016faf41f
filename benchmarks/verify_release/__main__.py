"""Tries every promise: `python -m benchmarks.verify_release [--only NAME ...] [--share 0.01] [--jobs 2]`, or `make prove`.

Each harness first runs with a bug planted for it, and is of no use unless it finds that. Then all run in stretches, some at
a time; what each found is kept in `.cache/prove/`, so that an interrupted run goes on where it stopped as long as the code is the
same. One line per promise: tried, failed, and with no failure in n tries the bound 3/n on the share that would fail (95 %).
Ends with 1 where a promise was not kept, could not be tried or its planted bug was not found.
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

from benchmarks.verify_release.code_digest import KEPT, ROOT, code_tried
from benchmarks.verify_release.promises import PROMISES, Promise
from benchmarks.verify_release.tally import Tally

RESULTS = ROOT / "benchmarks" / "results"
LIMIT_S = 1800


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options.add_argument("--share", type=float, default=1.0, help="of the stretches of each promise, at least one")
    options.add_argument("--each", type=int, help="tries in a stretch, instead of the promise's own")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--afresh", action="store_true", help="forget what an earlier run found")
    given = options.parse_args()
    if unknown := set(given.only) - {promise.name for promise in PROMISES}:
        options.error(f"no promise is called {', '.join(sorted(unknown))}")
    kept = _Kept(KEPT / f"{code_tried()}.json", afresh=given.afresh)
    wanted = [promise for promise in PROMISES if not given.only or promise.name in given.only]
    # All stretches wait in one line, so that no core idles behind a promise that is tried in one piece; the patient ones
    # in a second, beside it, so that none idles where the others wait for disks and clocks.
    pools = {patient: ThreadPoolExecutor(given.jobs) for patient in (False, True)}
    rows = []
    try:
        planted = {promise.name: pools[promise.patient].submit(_planted, promise, kept) for promise in wanted}
        stretches = {promise.name: _stretches(promise, given, kept, pools[promise.patient]) for promise in wanted}
        for promise in wanted:
            found = [one.result() for one in stretches[promise.name]]
            rows.append(_row(promise, planted[promise.name].result(), found))
            print(_line(rows[-1]), flush=True)
            for note in rows[-1]["notes"]:
                print(f"    {note}", flush=True)
            _write(rows)
    finally:
        for pool in pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
    return 0 if all(row["kept"] for row in rows) else 1


def _planted(promise: Promise, kept: "_Kept") -> tuple[Tally, float]:
    return kept.or_run(f"{promise.name} planted", lambda: _one(promise, 0, promise.planted, planted=True))


def _stretches(
    promise: Promise, given: argparse.Namespace, kept: "_Kept", pool: ThreadPoolExecutor
) -> "list[Future[tuple[Tally, float]]]":
    each = given.each or promise.each
    return [
        pool.submit(kept.or_run, f"{promise.name} {n} x {each}", partial(_one, promise, n, each))
        for n in range(max(round(promise.slices * given.share), 1))
    ]


def _row(promise: Promise, planted: tuple[Tally, float], stretches: list[tuple[Tally, float]]) -> dict:
    total = Tally(skipped=planted[0].skipped)
    for tally, _ in stretches:
        total.add(tally)
    found_it = planted[0].failed > 0 and not planted[0].broken  # a harness that breaks finds nothing
    return {
        "name": promise.name,
        "row": promise.row,
        "says": promise.says,
        "planted_bug_found": found_it,
        "kept": total.failed == 0 and total.tried > 0 and found_it,
        "asked": promise.slices * promise.each,
        "seconds": round(planted[1] + sum(seconds for _, seconds in stretches), 1),
        "planted_cpu_s": planted[0].cpu_s,
        **asdict(total),
    }


def _one(promise: Promise, seed: int, count: int, *, planted: bool = False) -> Tally:
    command = [sys.executable, "-m", "benchmarks.verify_release.run_one", promise.name, str(seed), str(count)]
    environment = os.environ | {"FOOTNOTARY_VERIFIER": "lexical"}
    try:
        done = subprocess.run(
            [*command, *(["planted"] if planted else [])],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=LIMIT_S,
        )  # fmt: skip
        return Tally(**json.loads(done.stdout.strip().rpartition("\n")[2]))
    except subprocess.TimeoutExpired:
        return Tally(tried=1, failed=1, notes=[f"not done within {LIMIT_S} s"], broken=True)
    except (ValueError, TypeError):
        return Tally(tried=1, failed=1, notes=[f"the harness broke: {done.stderr[-1500:]}"], broken=True)


def _line(row: dict) -> str:
    if row["skipped"]:
        return f"- {row['row']}: {row['says']}: not tried, {row['skipped']}"
    bound = "" if row["failed"] or not row["tried"] else f", bound {3 / row['tried']:.2g}"
    bug = "planted bug found" if row["planted_bug_found"] else "PLANTED BUG NOT FOUND"
    seen = "".join(f", {count:,} {name}" for name, count in row["seen"].items() if "status" not in name)
    mark = "✓" if row["kept"] else "✗"
    return f"{mark} {row['row']}: {row['says']}: {row['tried']:,} tried, {row['failed']} failed{bound}; {bug}{seen}; {row['seconds']} s"


class _Kept:
    """What stretches of this very code found, in a file; those that broke or found a fault are run again."""

    def __init__(self, path: Path, *, afresh: bool) -> None:
        self._path, self._guard = path, Lock()
        self._found = {} if afresh or not path.exists() else json.loads(path.read_text(encoding="utf-8"))

    def or_run(self, name: str, run: Callable[[], Tally]) -> tuple[Tally, float]:
        """What a stretch found, and the seconds it took."""
        if name not in self._found:
            started = time.monotonic()
            tally = run()
            took = time.monotonic() - started
            if tally.broken or (tally.failed and "planted" not in name):
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
    page = RESULTS / "prove.json"
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
    lines = [
        "# Promises, tried at length\n",
        "`make prove`. Sizes are those of the run kept here; `asked` is that of a whole run. With no failure in n tries the share "
        "that would fail is below 3/n (95 %). Answers are verified by guards and words, without the trained judge.\n",
        "| FAULTS | promise | tried | failed | bound | planted bug | asked | CPU minutes of a whole run |",
        "|---|---|--:|--:|--:|---|--:|--:|",
    ]
    for row in ordered:
        bound = f"{3 / row['tried']:.2g}" if row["tried"] and not row["failed"] else "–"
        bug = row["skipped"] or ("found" if row["planted_bug_found"] else "**not found**")
        asked = f"{row['asked']:,}" if row["asked"] > 1 else "all"
        lines.append(
            f"| {row['row']} | {row['says']} | {row['tried']:,} | {row['failed']} | {bound} | {bug} | {asked} | {_whole_minutes(row)} |"
        )
    seen = [
        f"- {row['row']}: " + ", ".join(f"{count:,} {name}" for name, count in row["seen"].items())
        for row in ordered
        if row["seen"]
    ]
    faults = [f"- {row['row']}: {note}" for row in ordered for note in row["notes"]]
    lines += ["", "What was seen:\n", *seen, *(["", "Faults found:\n", *faults] if faults else [])]
    (RESULTS / "prove.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _whole_minutes(row: dict) -> str:
    """What the run kept here cost, reckoned up to all that is asked."""
    if "planted_cpu_s" not in row or not row["tried"]:
        return "–"
    times = row["asked"] / row["tried"] if row["asked"] > 1 else 1
    return f"{(row['planted_cpu_s'] + row['cpu_s'] * times) / 60:.1f}"


if __name__ == "__main__":
    raise SystemExit(main())
