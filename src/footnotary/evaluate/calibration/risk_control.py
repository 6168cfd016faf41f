"""Calibrated refusal: the loosest threshold whose unsupported share is proven to stay under a limit.

Learn, then test. A quarter of the labelled rows chooses which thresholds are worth testing and where to begin. On the
other rows the thresholds are tested from the strictest to the loosest, each at the full level, and the first one that
fails ends it (fixed-sequence testing). A test passes where the exact (Clopper-Pearson) upper bound of the unsupported
share among the rows delivered lies within the limit. Given how many rows a threshold delivers, the unsupported among
them are binomial, however good the scores are; so for rows drawn independently from where the answers will come from,
the chosen threshold exceeds the limit with probability at most 1 - confidence. Bad scores cost coverage, never the
guarantee.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from footnotary.errors import UsageError
from footnotary.evaluate.statistics.binomial import binomial_cdf, binomial_cdf_values, upper_bound

PILOT_SHARE = 0.25
DECIMALS = 4
_MAX_THRESHOLDS = 200
_POWER = 0.8


@dataclass(frozen=True, slots=True)
class RiskLimit:
    """At most `max_unsupported` of what is delivered is unsupported, with `confidence`."""

    max_unsupported: float
    confidence: float

    def __post_init__(self) -> None:
        for name, value in (("risk", self.max_unsupported), ("confidence", self.confidence)):
            if not 0.0 < value < 1.0:
                raise UsageError(
                    f"{name} = {value} is not between 0 and 1", hint="use a number between 0 and 1, such as 0.02"
                )

    @property
    def miss(self) -> float:
        return 1.0 - self.confidence


@dataclass(frozen=True, slots=True)
class LabelledScore:
    """An answer's accept score, whether it is supported, and the source it shares with others, if any."""

    score: float
    supported: bool
    group: str


@dataclass(frozen=True, slots=True)
class ThresholdTest:
    """A threshold on the test rows; `holds` where the upper bound is within the limit."""

    threshold: float
    delivered: int
    unsupported: int
    upper_bound: float
    holds: bool


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """The result of a calibration. `chosen` is None where no threshold keeps the limit on these rows.

    `more_rows` then estimates how many more labelled rows would suffice at the observed shares; None where none would.
    `tested` are the thresholds in the order they were tested in.
    """

    limit: RiskLimit
    rows: int
    pilot_rows: int
    groups: int
    tested: tuple[ThresholdTest, ...]
    chosen: ThresholdTest | None
    more_rows: int | None


def calibrate_threshold(rows: Sequence[LabelledScore], limit: RiskLimit, floor: float = 0.0) -> CalibrationResult:
    """The lowest threshold, not below `floor`, that provably keeps the limit, or why there is none.

    The same rows give the same answer in any order.
    """
    if not rows:
        raise UsageError("no labelled rows to calibrate on", hint="pass a file of labelled rows")
    pilot, kept = _split_pilot(rows)
    thresholds = _candidate_thresholds(pilot, floor)
    start = _starting_threshold(pilot, len(kept) / len(pilot) if pilot else 0.0, thresholds, limit)
    tested: list[ThresholdTest] = []
    for threshold in thresholds[start:]:
        tested.append(_test_threshold(kept, threshold, limit))
        if not tested[-1].holds:
            break
    held = [test for test in tested if test.holds]
    groups = len({row.group for row in rows})
    more = None if held else _estimate_missing_rows(rows, thresholds, limit)
    return CalibrationResult(limit, len(rows), len(pilot), groups, tuple(tested), held[-1] if held else None, more)


def truncate_score(score: float) -> float:
    """The score truncated to four decimals: `score >= t` is the same for both, for any threshold of four decimals."""
    steps = math.floor(score * 10**DECIMALS)
    if (steps + 1) / 10**DECIMALS <= score:
        steps += 1
    elif steps / 10**DECIMALS > score:
        steps -= 1
    return steps / 10**DECIMALS


def _split_pilot(rows: Sequence[LabelledScore]) -> tuple[list[LabelledScore], list[LabelledScore]]:
    """A pilot of about a quarter, and the rest, by the hash of the group: independent of scores and labels."""
    by_group: dict[str, list[LabelledScore]] = defaultdict(list)
    for row in rows:
        by_group[row.group].append(row)
    shuffled = sorted(by_group, key=lambda group: hashlib.sha256(group.encode("utf-8", "surrogatepass")).digest())
    pilot: list[LabelledScore] = []
    kept: list[LabelledScore] = []
    for group in shuffled:
        (pilot if len(pilot) < PILOT_SHARE * len(rows) else kept).extend(by_group[group])
    return pilot, kept


def _candidate_thresholds(pilot: Sequence[LabelledScore], floor: float) -> list[float]:
    """The pilot's own scores, strictest first, thinned where there are many, down to the floor."""
    found = sorted({t for row in pilot if (t := truncate_score(row.score)) > floor}, reverse=True)
    return [*found[:: math.ceil(len(found) / _MAX_THRESHOLDS) or 1], floor]


def _starting_threshold(
    pilot: Sequence[LabelledScore], scale: float, thresholds: Sequence[float], limit: RiskLimit
) -> int:
    """Where to begin: the threshold most likely to pass if the pilot's share were the true one.

    Beginning at the very strictest would end at once: it delivers too few rows to prove anything.
    """
    best, start = 0.0, len(thresholds) - 1
    for place, threshold in enumerate(thresholds):
        held = [row.supported for row in pilot if row.score >= threshold]
        delivered, wrong = round(len(held) * scale), held.count(False)
        allowed = _max_unsupported_rows(delivered, limit)
        if allowed < 0:
            continue
        probability = binomial_cdf(allowed, delivered, (wrong + 0.5) / (len(held) + 1.5))
        if probability > best:
            best, start = probability, place
    return start


def _max_unsupported_rows(delivered: int, limit: RiskLimit) -> int:
    """How many unsupported rows a test on `delivered` rows may have and still pass; -1 where even none is too many."""
    return (
        next(
            k
            for k, probability in enumerate(binomial_cdf_values(delivered, limit.max_unsupported))
            if probability > limit.miss
        )
        - 1
    )


def _test_threshold(rows: Sequence[LabelledScore], threshold: float, limit: RiskLimit) -> ThresholdTest:
    held = [row.supported for row in rows if row.score >= threshold]
    delivered, unsupported = len(held), held.count(False)
    holds = unsupported <= _max_unsupported_rows(delivered, limit)
    return ThresholdTest(
        threshold, delivered, unsupported, upper_bound(unsupported, delivered, limit.confidence), holds
    )


def _estimate_missing_rows(rows: Sequence[LabelledScore], thresholds: Sequence[float], limit: RiskLimit) -> int | None:
    """About how many more rows some threshold needs to pass four times out of five, at the observed shares."""
    needed: list[int] = []
    for threshold in thresholds:
        held = [row.supported for row in rows if row.score >= threshold]
        if held and (delivered := _rows_to_prove_limit(held.count(False) / len(held), limit)) is not None:
            needed.append(math.ceil(delivered * len(rows) / (len(held) * (1 - PILOT_SHARE))))
    # These rows did not suffice, so some more are needed even where the shares look as if they should have.
    return max(min(needed) - len(rows), math.ceil(len(rows) / 10)) if needed else None


def _rows_to_prove_limit(share: float, limit: RiskLimit) -> int | None:
    """How many delivered rows at this unsupported share would prove the limit; None where no number does."""
    if share >= limit.max_unsupported:
        return None
    at_least = math.log(limit.miss) / math.log1p(-limit.max_unsupported)
    allowed = NormalDist().inv_cdf(limit.confidence) * math.sqrt(limit.max_unsupported * (1 - limit.max_unsupported))
    spread = NormalDist().inv_cdf(_POWER) * math.sqrt(share * (1 - share))
    return math.ceil(max(at_least, ((allowed + spread) / (limit.max_unsupported - share)) ** 2))
