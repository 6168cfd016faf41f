"""Thousands of random drafts, streamed past a recorder on the socket: `python -m benchmarks.faults.recorded_streams`.

Each draft mixes sentences that hold with false ones; each is streamed in whole or claim by claim, as events or as chat
chunks. Not one byte of a rejected claim may leave. Writes `benchmarks/results/faults/streams.json`.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

from harness.streaming.random_drafts import stream_random_drafts

RESULT = Path(__file__).parents[1] / "results" / "faults" / "streams.json"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=1_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        seen = stream_random_drafts(Path(folder) / "home", given.rounds, given.seed)
    result = {
        "streams": seen.streams,
        "seed": given.seed,
        "answered_whole": seen.answered,
        "ended_with_a_withheld_claim": seen.withheld,
        "pieces_of_rejected_claims_on_the_wire": len(seen.leaked),
        "bound_95": round(3 / seen.streams, 6),
        "seconds": round(time.monotonic() - started, 1),
    }
    print(json.dumps(result, indent=2))
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 1 if seen.leaked else 0


if __name__ == "__main__":
    raise SystemExit(main())
