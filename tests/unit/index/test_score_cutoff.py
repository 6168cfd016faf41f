"""The k-th best score is the one that sorting would find."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from footnotary.index.score_cutoff import kth_best_score


@given(count=st.integers(1, 3_000), k=st.integers(1, 200), kinds=st.integers(1, 500), seed=st.integers(0, 9))
def test_it_is_what_sorting_finds_and_the_worst_where_there_are_fewer(count: int, k: int, kinds: int, seed: int):
    scores = np.random.default_rng(seed).integers(kinds, size=count).astype(np.float32)
    scores[:: seed + 2] = -np.inf
    assert kth_best_score(scores, k) == np.sort(scores)[::-1][min(k, count) - 1]
