"""Recall and nDCG of retrieved passages, as trec_eval defines them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from footnotary.evaluate.answers.recorded_outcome import RecordedHit

CUTOFFS = (1, 3, 5, 10)
NDCG = "ndcg@10"
RECALLS = tuple(f"recall@{k}" for k in CUTOFFS)


def ranked_ids(hits: Sequence[RecordedHit], relevant: Mapping[str, float]) -> tuple[str, ...]:
    """The retrieved ids, best first, each once: under the name labelled as relevant, else under its own id."""
    names = (name for hit in hits for name in ([n for n in hit.names if n in relevant] or hit.names[:1]))
    return tuple(dict.fromkeys(names))


def ranking_values(found: Sequence[str], relevant: Mapping[str, float]) -> dict[str, float]:
    """Recall at each cutoff and nDCG@10 of one question with relevant sources."""
    values = {f"recall@{k}": recall_at(k, found, relevant) for k in CUTOFFS}
    return values | {NDCG: ndcg_at(10, found, relevant)}


def recall_at(k: int, found: Sequence[str], relevant: Mapping[str, float]) -> float:
    """The share of relevant ids among the first `k`."""
    return sum(name in relevant for name in found[:k]) / len(relevant)


def ndcg_at(k: int, found: Sequence[str], relevant: Mapping[str, float]) -> float:
    """Discounted cumulative gain of the first `k` over the ideal one, with linear gains."""
    best = sum(gain / math.log2(rank + 2) for rank, gain in enumerate(sorted(relevant.values(), reverse=True)[:k]))
    return sum(relevant.get(name, 0.0) / math.log2(rank + 2) for rank, name in enumerate(found[:k])) / best
