"""Whether a sentence that no rule knows looks like an order to whoever answers, by the weight of its marks.

The weights are learnt from sentences made of frames and from real statements; see `training/injection`.
"""

import json
import math
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple, cast

from footnotary.injection.features import injection_features


def looks_like_injection(plain: str) -> bool:
    """Whether the marks of a folded sentence weigh more than those of hardly any statement."""
    return _weight(plain) > _load_model().threshold


def may_be_injection(plain: str) -> bool:
    """Whether they weigh more than those of nine statements in ten: nearly every order's do."""
    return _weight(plain) > _load_model().possible


@lru_cache(maxsize=2048)
def _weight(plain: str) -> float:
    weights, marks = _load_model().weights, injection_features(plain)
    # An exact sum: marks are a set, and a plain sum would depend on their order, which differs between processes.
    return math.fsum(weights[mark] for mark in marks if mark in weights) if marks else -math.inf


class _LinearModel(NamedTuple):
    """The weight of each mark, and what those of a sentence have to exceed together."""

    weights: dict[str, float]
    threshold: float
    possible: float


@lru_cache(maxsize=1)
def _load_model() -> _LinearModel:
    held = resources.files("footnotary.injection").joinpath("linear_weights.json").read_text(encoding="utf-8")
    learnt = cast("dict[str, Any]", json.loads(held))
    return _LinearModel(learnt["weights"], learnt["threshold"], learnt["possible"])
