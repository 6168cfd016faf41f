"""Turns what the indexes say into one relevance between 0 and 1."""

import math

from footnotary.ports import Calibration

# A provision asked for by its number is the one meant, however its words compare.
_NAMED = 0.95


def relevance(coverage: float, cosine: float | None, calibration: Calibration, *, named: bool) -> float:
    """The probability that a passage is about the question, from the key terms it holds and its likeness in meaning.

    Without a cosine (no dense index for the language, or too far down its list) the words alone decide.
    """
    c = calibration
    if cosine is None:
        weight = c.words_only_intercept + c.words_only_coverage * coverage
    else:
        weight = c.intercept + c.coverage * coverage + c.cosine * cosine
    probability = 1.0 / (1.0 + math.exp(-weight))
    return max(probability, _NAMED) if named else probability
