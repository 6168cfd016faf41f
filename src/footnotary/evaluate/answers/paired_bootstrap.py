"""Bootstrap intervals of ratios, and of their difference between two runs: over whole groups, deterministic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from footnotary.evaluate.answers.metrics import Ratio, measure_of
from footnotary.evaluate.statistics.bootstrap import (
    BOOTSTRAP_SEED,
    CONFIDENCE_LEVEL,
    RESAMPLES,
    Estimate,
    exact_if_unanimous,
)

if TYPE_CHECKING:
    from footnotary.evaluate.statistics.classification import FloatArray


_MIN_CHANGED_GROUPS = 6


@dataclass(frozen=True, slots=True)
class QuestionContribution:
    """What one question adds to the measures, and the group it is resampled with."""

    dataset: str
    id: str
    group: str
    tags: tuple[str, ...]
    fractions: Mapping[str, Ratio]

    @property
    def key(self) -> tuple[str, str]:
        return self.dataset, self.id

    @property
    def resampling_unit(self) -> tuple[str, str]:
        """The resampling unit: a group within a dataset, because two datasets may use the same group name."""
        return self.dataset, self.group


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    """A measure in two runs on the same questions; `change` is the second minus the first."""

    first: float
    second: float
    change: Estimate
    has_enough_groups: bool = True

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes zero, and enough groups changed for that to be significant."""
        low, high = self.change.low, self.change.high
        return self.has_enough_groups and low is not None and high is not None and (low > 0 or high < 0)


def bootstrap_estimates(rows: Sequence[QuestionContribution], names: Sequence[str]) -> dict[str, Estimate]:
    """Every measure with its interval; None where no question affects it. A single group has no interval."""
    drawn = _GroupBootstrap([row.resampling_unit for row in rows])
    found: dict[str, Estimate] = {}
    for name in names:
        given = [row.fractions.get(name) for row in rows]
        concerned = {row.resampling_unit for row, fraction in zip(rows, given, strict=True) if fraction and fraction[1]}
        estimate = _estimate(*drawn.values(given))
        found[name] = exact_if_unanimous(estimate, len(concerned)) if measure_of(name).unit == "share" else estimate
    return found


def bootstrap_differences(
    first: Sequence[QuestionContribution], second: Sequence[QuestionContribution], names: Sequence[str]
) -> dict[str, MeasureDifference]:
    """Paired differences: both runs use the same resamples. The rows are of the same questions in the same order.

    A share that changed in fewer than six groups has not clearly changed, whatever the bootstrap says: five changes
    in the same direction happen by chance once in sixteen times.
    """
    drawn = _GroupBootstrap([row.resampling_unit for row in first])
    found: dict[str, MeasureDifference] = {}
    for name in names:
        one, ones = drawn.values([row.fractions.get(name) for row in first])
        other, others = drawn.values([row.fractions.get(name) for row in second])
        if one is not None and other is not None:
            has_enough_groups = (
                measure_of(name).unit != "share" or _count_changed_groups(first, second, name) >= _MIN_CHANGED_GROUPS
            )
            found[name] = MeasureDifference(one, other, _estimate(other - one, others - ones), has_enough_groups)
    return found


def _count_changed_groups(
    first: Sequence[QuestionContribution], second: Sequence[QuestionContribution], name: str
) -> int:
    """How many groups have different values in the second run."""
    pairs = zip(first, second, strict=True)
    return len({one.resampling_unit for one, two in pairs if one.fractions.get(name) != two.fractions.get(name)})


class _GroupBootstrap:
    """Bootstrap weights: how often each group is drawn in each resample."""

    def __init__(self, groups: Sequence[tuple[str, str]]) -> None:
        import numpy as np

        places = {group: place for place, group in enumerate(dict.fromkeys(groups))}
        self._member = np.array([places[group] for group in groups], dtype=np.intp)
        self._count = len(places)
        generator = np.random.default_rng(BOOTSTRAP_SEED)
        size = max(self._count, 1)
        self._weights = generator.multinomial(size, [1 / size] * size, RESAMPLES).astype(np.float64)

    def values(self, given: Sequence[Ratio | None]) -> tuple[float | None, FloatArray]:
        """The value on all rows, and on each resample (NaN where it is undefined)."""
        import numpy as np

        pairs = np.array([(0.0, 0.0) if fraction is None else fraction for fraction in given]).reshape(-1, 2)
        top, bottom = (np.bincount(self._member, column, minlength=max(self._count, 1)) for column in pairs.T)
        if not bottom.sum() or self._count < 2:
            whole = float(top.sum() / bottom.sum()) if bottom.sum() else None
            return whole, np.full(RESAMPLES, np.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            draws = (self._weights @ top) / (self._weights @ bottom)
        return float(top.sum() / bottom.sum()), draws


def _estimate(value: float | None, draws: FloatArray) -> Estimate:
    import numpy as np

    kept = draws[np.isfinite(draws)]
    if value is None or kept.size < draws.size / 2:
        return Estimate(value)
    low, high = np.quantile(kept, [(1 - CONFIDENCE_LEVEL) / 2, (1 + CONFIDENCE_LEVEL) / 2])
    return Estimate(value, float(low), float(high))
