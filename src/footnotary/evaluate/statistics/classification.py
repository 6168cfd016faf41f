"""Measures of scores against labels: pure functions with weights, so that bootstrap resamples use the same code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # numpy takes longer to import than everything else the command line needs
    import numpy as np
    from numpy.typing import NDArray

FloatArray: TypeAlias = "NDArray[np.float64]"

MEASURE_NAMES = (
    "balanced_accuracy",
    "unsupported_precision",
    "unsupported_recall",
    "unsupported_f1",
    "supported_precision",
    "supported_recall",
    "supported_f1",
    "auroc",
    "unsupported_average_precision",
    "supported_average_precision",
    "brier",
    "calibration_error",
)
LOWER_IS_BETTER = frozenset({"brier", "calibration_error"})
BINS = 10


class Sample:
    """Scores between 0 and 1 with their labels (true: supported), sorted once and measured under any weights."""

    def __init__(self, scores: Sequence[float], labels: Sequence[bool]) -> None:
        import numpy as np

        given = np.asarray(scores, dtype=np.float64)
        truth = np.asarray(labels, dtype=np.float64)
        if given.shape != truth.shape or given.ndim != 1:
            raise ValueError(f"{given.size} scores and {truth.size} labels")
        if not np.all((given >= 0.0) & (given <= 1.0)):
            raise ValueError("a score is outside 0 to 1")
        self.order = np.argsort(-given, kind="stable")
        self.scores: FloatArray = given[self.order]
        self.labels: FloatArray = truth[self.order]
        starts = np.flatnonzero(np.diff(self.scores, prepend=2.0))
        self._ties: NDArray[np.int64] = starts.astype(np.int64)
        self._bins: NDArray[np.int64] = np.minimum((self.scores * BINS).astype(np.int64), BINS - 1)

    def measured(self, threshold: float, weights: FloatArray | None = None) -> dict[str, float | None]:
        """Every measure of `NAMES`; None where these labels leave it undefined.

        A score of at least `threshold` predicts supported. `weights` are in the order in which the rows were passed.
        """
        import numpy as np

        w = np.ones_like(self.scores) if weights is None else weights[self.order]
        pos, neg = w * self.labels, w * (1.0 - self.labels)
        says = self.scores >= threshold
        hit, miss = float(pos[says].sum()), float(pos[~says].sum())
        wrong, caught = float(neg[says].sum()), float(neg[~says].sum())
        supported = _precision_recall_f1(hit, wrong, miss)
        unsupported = _precision_recall_f1(caught, miss, wrong)
        recalls = (supported[1], unsupported[1])
        values: dict[str, float | None] = {
            "balanced_accuracy": None if None in recalls else sum(r for r in recalls if r is not None) / 2,
            **dict(zip(("unsupported_precision", "unsupported_recall", "unsupported_f1"), unsupported, strict=True)),
            **dict(zip(("supported_precision", "supported_recall", "supported_f1"), supported, strict=True)),
            **self._ranked(pos, neg),
            **self._calibrated(pos, w),
        }
        return {name: values[name] for name in MEASURE_NAMES}

    def groups_of(self, threshold: float, groups: NDArray[np.int64]) -> dict[str, int]:
        """How many groups affect each measure; `groups` has a number per row, in the order in which they were passed.

        Precision: those with a row that is predicted to be of the class. Recall, F1 and average precision: those with a
        row of the class. Measures of both classes: those of the class that has fewer. The others: all.
        """
        import numpy as np

        held, says, truth = groups[self.order], self.scores >= threshold, self.labels > 0

        def count(rows: NDArray[np.bool_]) -> int:
            return len(np.unique(held[rows]))

        supported, unsupported = count(truth), count(~truth)
        both, everything = min(supported, unsupported), len(np.unique(held))
        known = {
            "balanced_accuracy": both,
            "auroc": both,
            "supported_precision": count(says),
            "unsupported_precision": count(~says),
            "brier": everything,
            "calibration_error": everything,
        }
        other = {name: unsupported if name.startswith("unsupported") else supported for name in MEASURE_NAMES}
        return other | known

    def _ranked(self, pos: FloatArray, neg: FloatArray) -> dict[str, float | None]:
        """Measures of the ranking by score; ties count half."""
        import numpy as np

        p, n = np.add.reduceat(pos, self._ties), np.add.reduceat(neg, self._ties)
        p_all, n_all = float(p.sum()), float(n.sum())
        above = np.cumsum(p) - p
        area = float(((above + p / 2) * n).sum()) / (p_all * n_all) if p_all and n_all else None
        return {
            "auroc": area,
            "unsupported_average_precision": _average_precision(n[::-1], p[::-1]) if n_all else None,
            "supported_average_precision": _average_precision(p, n) if p_all else None,
        }

    def _calibrated(self, pos: FloatArray, w: FloatArray) -> dict[str, float | None]:
        import numpy as np

        total = float(w.sum())
        if not total:
            return {"brier": None, "calibration_error": None}
        said = np.bincount(self._bins, w * self.scores, BINS)
        held = np.bincount(self._bins, pos, BINS)
        return {
            "brier": float((w * (self.scores - self.labels) ** 2).sum()) / total,
            "calibration_error": float(np.abs(said - held).sum()) / total,
        }


def best_threshold(scores: Sequence[float], labels: Sequence[bool]) -> tuple[float, float] | None:
    """The threshold with the highest balanced accuracy, and that accuracy; fitted to these labels, so optimistic."""
    import numpy as np

    sample = Sample(scores, labels)
    supported = float(sample.labels.sum())
    unsupported = len(sample.labels) - supported
    if not supported or not unsupported:
        return None
    last = np.flatnonzero(np.diff(sample.scores, append=-1.0))
    recall = np.cumsum(sample.labels)[last] / supported
    wrong = np.cumsum(1.0 - sample.labels)[last] / unsupported
    accuracy = (recall + 1.0 - wrong) / 2
    at = int(np.argmax(accuracy))
    # A threshold above all scores refuses everything and has a balanced accuracy of one half.
    return (float(sample.scores[last[at]]), float(accuracy[at])) if accuracy[at] >= 0.5 else (1.0, 0.5)


@dataclass(frozen=True, slots=True)
class Bin:
    """A bin of a reliability diagram: the mean score of its rows, and the share of them that is supported."""

    low: float
    high: float
    rows: int
    mean_score: float
    supported: float


def reliability_bins(scores: Sequence[float], labels: Sequence[bool]) -> tuple[Bin, ...]:
    """The bins that hold rows, from low to high."""
    found: list[Bin] = []
    for number in range(BINS):
        inside = [(s, y) for s, y in zip(scores, labels, strict=True) if min(int(s * BINS), BINS - 1) == number]
        if inside:
            mean, share = sum(s for s, _ in inside) / len(inside), sum(y for _, y in inside) / len(inside)
            found.append(Bin(number / BINS, (number + 1) / BINS, len(inside), mean, share))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """The effect of a threshold: how many rows it delivers, and how many of those are unsupported."""

    threshold: float
    delivered: int
    unsupported: int
    coverage: float
    risk: float


def risk_coverage(scores: Sequence[float], labels: Sequence[bool]) -> tuple[OperatingPoint, ...]:
    """One point per distinct score, from the strictest threshold to the loosest."""
    ranked = sorted(zip(scores, labels, strict=True), key=lambda pair: -pair[0])
    points: list[OperatingPoint] = []
    unsupported = 0
    for i, (score, label) in enumerate(ranked):
        unsupported += not label
        if i + 1 == len(ranked) or ranked[i + 1][0] != score:
            points.append(OperatingPoint(score, i + 1, unsupported, (i + 1) / len(ranked), unsupported / (i + 1)))
    return tuple(points)


def _precision_recall_f1(right: float, taken: float, missed: float) -> tuple[float | None, float | None, float | None]:
    """Precision, recall and F1 of a class; `taken` are its false positives, `missed` its false negatives."""
    precision = right / (right + taken) if right + taken else None
    recall = right / (right + missed) if right + missed else None
    f1 = 2 * right / (2 * right + taken + missed) if recall is not None else None
    return precision, recall, f1


def _average_precision(wanted: FloatArray, others: FloatArray) -> float:
    import numpy as np

    found = np.cumsum(wanted)
    among = found + np.cumsum(others)
    precision = np.divide(found, among, out=np.zeros_like(found), where=among > 0)
    return float((wanted * precision).sum() / found[-1])
