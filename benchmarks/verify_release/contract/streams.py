"""A14: random drafts streamed past a recorder on the socket; no byte of a rejected claim leaves."""

import tempfile
from pathlib import Path

import footnotary.engine
from benchmarks.verify_release.tally import Tally
from footnotary.domain.verdict import Verdict
from harness.streaming.random_drafts import storm


def tried(count: int, seed: int, planted: bool) -> Tally:
    if planted:  # checks that let everything through
        footnotary.engine.verify = lambda _submission, checks: tuple(Verdict.passed(name) for name, _ in checks)
    with tempfile.TemporaryDirectory() as folder:
        seen = storm(Path(folder) / "home", max(count // 2, 1), seed)
    tally = Tally(tried=seen.streams, seen={"answered whole": seen.answered, "withheld": seen.withheld})
    for piece in seen.leaked:
        tally.fault(f"{piece!r} left the server")
    return tally
