"""A14: random drafts streamed through a socket recorder; no byte of a rejected claim is sent."""

import tempfile
from pathlib import Path

import footnotary.engine
from benchmarks.verify_release.tally import Tally
from footnotary.domain.verdict import Verdict
from harness.streaming.random_drafts import stream_random_drafts


def run_attempts(count: int, seed: int, seeded_bug: bool) -> Tally:
    if seeded_bug:  # checks that pass everything
        footnotary.engine.verify = lambda _submission, checks: tuple(Verdict.passed(name) for name, _ in checks)
    with tempfile.TemporaryDirectory() as folder:
        seen = stream_random_drafts(Path(folder) / "home", max(count // 2, 1), seed)
    tally = Tally(attempts=seen.streams, seen={"answered": seen.answered, "withheld": seen.withheld})
    for piece in seen.leaked:
        tally.fault(f"{piece!r} was sent")
    return tally
