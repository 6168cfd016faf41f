"""A logistic regression over the features of a sentence: whether it may be a prompt injection.

The weights are learned from templates and from real statements; see `training/injection`.
"""

import json
import math
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple, cast

from footnotary.injection.features import injection_features


def looks_like_injection(plain: str) -> bool:
    """Whether a normalized sentence scores higher than hardly any statement: decides in lexical mode."""
    return injection_score(plain) > _load_model().threshold


def may_be_injection(plain: str) -> bool:
    """Whether it scores higher than nine statements in ten, as nearly every injection does."""
    return injection_score(plain) > _load_model().possible


@lru_cache(maxsize=2048)
def injection_score(plain: str) -> float:
    """The sum of the weights of a sentence's features; minus infinity where it has none."""
    weights, features = _load_model().weights, injection_features(plain)
    # An exact sum: features are a set, and a plain sum would depend on their order, which differs between processes.
    return math.fsum(weights[feature] for feature in features if feature in weights) if features else -math.inf


class _LinearModel(NamedTuple):
    """The weight of each feature, and the scores above which a sentence is, or may be, an injection."""

    weights: dict[str, float]
    threshold: float
    possible: float


@lru_cache(maxsize=1)
def _load_model() -> _LinearModel:
    text = resources.files("footnotary.injection").joinpath("linear_weights.json").read_text(encoding="utf-8")
    stored = cast("dict[str, Any]", json.loads(text))
    return _LinearModel(stored["weights"], stored["threshold"], stored["possible"])
