"""Runs one batch of one harness: `python -m benchmarks.verify_release.run_one NAME SEED COUNT [seeded-bug]`."""

import json
import os
import resource
import sys
from dataclasses import asdict

from benchmarks.verify_release.promises import PROMISES

# About a tenth of a shared core: it does not slow the others and still finishes in time.
LOW_PRIORITY_NICENESS = 10


def main(name: str, seed: str, count: str, seeded_bug: str = "") -> int:
    (promise,) = [one for one in PROMISES if one.name == name]
    if promise.low_priority:
        os.nice(LOW_PRIORITY_NICENESS)
    tally = promise.harness()(int(count), int(seed), bool(seeded_bug))
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    tally.cpu_s = round(sum(one.ru_utime + one.ru_stime for one in used), 1)
    print("\n" + json.dumps(asdict(tally)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
