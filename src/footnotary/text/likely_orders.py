"""Whether a sentence that no rule knows looks like an order to whoever answers, by the weight of its marks.

The weights are learnt from sentences made of frames and from real statements; see `training/orders`.
"""

import json
from functools import lru_cache
from importlib import resources
from typing import Any, cast

from footnotary.text.order_marks import order_marks


def looks_like_an_order(plain: str) -> bool:
    """Whether the marks of a folded sentence weigh more than those of hardly any statement."""
    marks = order_marks(plain)
    if not marks:
        return False
    weights, threshold = _learnt()
    return sum(weights.get(mark, 0.0) for mark in marks) > threshold


@lru_cache(maxsize=1)
def _learnt() -> tuple[dict[str, float], float]:
    """The weight of each mark, and what those of a sentence have to exceed together."""
    held = resources.files("footnotary.text").joinpath("order_weights.json").read_text(encoding="utf-8")
    learnt = cast("dict[str, Any]", json.loads(held))
    return learnt["weights"], learnt["threshold"]
