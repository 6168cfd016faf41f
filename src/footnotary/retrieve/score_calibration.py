"""Turns the scores of the indexes into one calibrated relevance between 0 and 1."""

import math

from footnotary.ports import RelevanceCalibration

# A provision asked for by its number is the one meant, however its words compare.
_MIN_NAMED_RELEVANCE = 0.95


def relevance(coverage: float, cosine: float | None, calibration: RelevanceCalibration, *, named: bool) -> float:
    """The probability that a passage is relevant to the question, from its key term coverage and cosine similarity.

    Without a cosine (no dense index for the language, or too far down its list) the coverage alone decides.
    """
    c = calibration
    if cosine is None:
        weight = c.words_only_intercept + c.words_only_coverage * coverage
    else:
        weight = c.intercept + c.coverage * coverage + c.cosine * cosine
    probability = 1.0 / (1.0 + math.exp(-weight))
    return max(probability, _MIN_NAMED_RELEVANCE) if named else probability
