"""One stretch of one harness, in a process of its own: `python -m benchmarks.verify_release.run_one NAME SEED COUNT [planted]`."""

import json
import os
import resource
import sys
from dataclasses import asdict

from benchmarks.verify_release.promises import PROMISES

# Of a core that others want too, about a tenth: it neither slows them nor runs out of time.
NICER = 10


def main(name: str, seed: str, count: str, planted: str = "") -> int:
    (promise,) = [one for one in PROMISES if one.name == name]
    if promise.patient:
        os.nice(NICER)
    tally = promise.harness()(int(count), int(seed), bool(planted))
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    tally.cpu_s = round(sum(one.ru_utime + one.ru_stime for one in used), 1)
    print("\n" + json.dumps(asdict(tally)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
