"""Calibration of a reader: Platt scaling of the log-odds, fitted separately for each kind of question it is asked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Probabilities are clipped to this distance from 0 and 1, so that log-odds stay finite.
_CLIP = 1e-6
_STEPS = 50
_ENOUGH = 1e-10


@dataclass(frozen=True, slots=True)
class PlattScaling:
    """`slope * log-odds + intercept`; the default changes nothing. A slope above 0 keeps the order."""

    slope: float = 1.0
    intercept: float = 0.0

    def __post_init__(self) -> None:
        if not (self.slope > 0 and math.isfinite(self.slope) and math.isfinite(self.intercept)):
            raise ValueError(f"a calibration has a slope above 0 and is finite, not {self.slope}, {self.intercept}")

    def applied(self, probability: float) -> float:
        """The calibrated probability. A probability of 0, given to what was not read, stays 0."""
        if probability == 0.0 or (self.slope == 1.0 and self.intercept == 0.0):
            return probability
        return sigmoid(self.slope * log_odds(probability) + self.intercept)


@dataclass(frozen=True, slots=True)
class ReaderCalibration:
    """The calibration of each kind of question a reader is asked.

    `answers` is for one passage, `answers_together` for several in one window, and `answers_best` for the highest of
    the (calibrated) probabilities of several passages read alone, which is more often high by chance.
    `contradicts` is for a statement and a passage.
    """

    support: PlattScaling = field(default_factory=PlattScaling)
    answers: PlattScaling = field(default_factory=PlattScaling)
    answers_together: PlattScaling = field(default_factory=PlattScaling)
    answers_best: PlattScaling = field(default_factory=PlattScaling)
    contradicts: PlattScaling = field(default_factory=PlattScaling)

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> ReaderCalibration:
        """From `calibration` of a config.json; missing entries are the identity. Raises `TypeError`, `ValueError`."""
        return cls(**{question: PlattScaling(**values) for question, values in config.items()})

    def of_answers(self, passages: Sequence[Sequence[object]], found: Sequence[float]) -> list[float]:
        """The calibrated probability that each group of passages answers."""
        return [
            (self.answers if len(group) == 1 else self.answers_together).applied(probability)
            for group, probability in zip(passages, found, strict=True)
        ]

    def of_best(self, probabilities: Sequence[float]) -> float:
        """The probability that the best of several passages answers, given that of each read alone."""
        best = max(probabilities, default=0.0)
        return best if len(probabilities) < 2 else self.answers_best.applied(best)


def fit_platt(probabilities: Sequence[float], labels: Sequence[bool]) -> PlattScaling:
    """The maximum-likelihood scaling, by Newton's method, with Platt's smoothed targets.

    Raises `ValueError` without rows of both labels, and if probabilities fall as labels rise.
    """
    import numpy as np

    right, wrong = sum(labels), len(labels) - sum(labels)
    if not right or not wrong or len(probabilities) != len(labels):
        raise ValueError("calibration needs as many labels as probabilities, and rows of both labels")
    rows = np.array([(log_odds(probability), 1.0) for probability in probabilities])
    targets = np.where(labels, (right + 1) / (right + 2), 1 / (wrong + 2))

    def loss(scaling: NDArray[np.floating[Any]]) -> float:
        return float(np.sum(np.logaddexp(0, rows @ scaling) - targets * (rows @ scaling)))

    scaling: NDArray[np.floating[Any]] = np.array([1.0, 0.0])
    for _ in range(_STEPS):
        held = 1 / (1 + np.exp(-(rows @ scaling)))
        # A little is added on the diagonal, so that it can be inverted if all odds are equal.
        curvature = (rows.T * (held * (1 - held))) @ rows + 1e-9 * np.eye(2)
        step = np.linalg.solve(curvature, rows.T @ (targets - held))
        # Half a step, and half of that, until the likelihood rises: far from the optimum a whole one overshoots.
        while np.abs(step).max() > _ENOUGH and loss(scaling + step) > loss(scaling):
            step = step / 2
        scaling = scaling + step
        if np.abs(step).max() < _ENOUGH:
            break
    return PlattScaling(*scaling.tolist())


def expected_calibration_error(probabilities: Sequence[float], labels: Sequence[bool]) -> float:
    """The mean distance of probability and share of true labels over ten equally wide bins, weighted by their rows."""
    sums = [[0.0, 0.0] for _ in range(10)]
    for probability, label in zip(probabilities, labels, strict=True):
        held = sums[min(int(probability * 10), 9)]
        held[0] += probability
        held[1] += label
    return sum(abs(said - true) for said, true in sums) / len(labels) if labels else 0.0


def log_odds(probability: float) -> float:
    kept = min(max(probability, _CLIP), 1 - _CLIP)
    return math.log(kept / (1 - kept))


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
