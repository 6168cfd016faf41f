"""Bootstrap intervals over whole groups, because rows from one source are not independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from footnotary.evaluate.statistics.binomial import upper_bound
from footnotary.evaluate.statistics.classification import MEASURE_NAMES, Sample

if TYPE_CHECKING:
    from footnotary.evaluate.statistics.classification import FloatArray

RESAMPLES = 1000
CONFIDENCE_LEVEL = 0.95
BOOTSTRAP_SEED = 20


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value and its 95 % interval; the bounds are None where the rows do not allow one."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class BootstrappedMeasures:
    """Every measure of one set of rows, and its values on the bootstrap resamples (undefined ones are NaN)."""

    rows: int
    supported: int
    groups: int
    estimates: Mapping[str, Estimate]
    resampled: Mapping[str, FloatArray]


def bootstrap_measures(
    scores: Sequence[float],
    labels: Sequence[bool],
    groups: Sequence[str],
    threshold: float,
    resamples: int = RESAMPLES,
) -> BootstrappedMeasures:
    """The measures with intervals, deterministic. A single group has no interval."""
    import numpy as np

    sample = Sample(scores, labels)
    point = sample.measured(threshold)
    places = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    member = np.array([places[group] for group in groups])
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    draws = np.full((len(MEASURE_NAMES), resamples), np.nan)
    if len(places) > 1:
        for i in range(resamples):
            drawn = np.bincount(generator.integers(0, len(places), len(places)), minlength=len(places))
            values = sample.measured(threshold, drawn[member].astype(np.float64))
            draws[:, i] = [np.nan if values[name] is None else values[name] for name in MEASURE_NAMES]
    resampled: dict[str, FloatArray] = dict(zip(MEASURE_NAMES, draws, strict=True))
    counts = sample.groups_of(threshold, member)
    estimates = {
        name: exact_if_unanimous(_estimate(point[name], resampled[name]), counts[name]) for name in MEASURE_NAMES
    }
    return BootstrappedMeasures(len(scores), sum(map(bool, labels)), len(places), estimates, resampled)


def mean_over_sets(parts: Sequence[BootstrappedMeasures]) -> dict[str, Estimate]:
    """The unweighted mean over sets; a measure undefined on some set is averaged over the others."""
    import numpy as np

    means: dict[str, Estimate] = {}
    for name in MEASURE_NAMES:
        having = [part for part in parts if part.estimates[name].value is not None]
        values = [value for part in having if (value := part.estimates[name].value) is not None]
        if not values:
            means[name] = Estimate(None)
            continue
        draws = np.mean([part.resampled[name] for part in having], axis=0)
        mean = _estimate(sum(values) / len(values), draws)
        if mean.low is not None and mean.low == mean.high:  # every set is unanimous, and has its exact bounds
            ends = [(end.low, end.high) for part in having if (end := part.estimates[name]).low is not None]
            low, high = (sum(end[side] or 0.0 for end in ends) / len(ends) for side in (0, 1))
            mean = Estimate(mean.value, low, high)
        means[name] = mean
    return means


def exact_if_unanimous(estimate: Estimate, groups: int) -> Estimate:
    """Replaces the zero-width interval of a measure of exactly 0 or 1 with the exact (Clopper-Pearson) bound.

    `groups` are those that could have changed the measure: if none of a few did, another one still may.
    """
    most = upper_bound(0, groups, (1 + CONFIDENCE_LEVEL) / 2)
    if estimate.low == estimate.high == 0.0:
        return Estimate(0.0, 0.0, most)
    if estimate.low == estimate.high == 1.0:
        return Estimate(1.0, 1.0 - most, 1.0)
    return estimate


def _estimate(value: float | None, draws: FloatArray) -> Estimate:
    import numpy as np

    kept = draws[~np.isnan(draws)]
    if value is None or kept.size < draws.size / 2:
        return Estimate(value)
    low, high = np.quantile(kept, [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
    return Estimate(value, float(low), float(high))
