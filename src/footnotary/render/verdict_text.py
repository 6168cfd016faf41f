"""A verdict in one line for people: its sentence, and what was measured."""

from collections.abc import Mapping
from typing import Any

from footnotary.domain.verdict import Verdict


def verdict_text(verdict: Verdict) -> str:
    """The detail of a verdict with the numbers it was decided by: "… (best score 0.16, threshold 0.3)"."""
    return text_with_numbers(verdict.detail, verdict.values)


def text_with_numbers(detail: str, values: Mapping[str, Any]) -> str:
    numbers = [
        f"{name.replace('_', ' ')} {value:g}"
        for name, value in values.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    ]
    return " ".join(filter(None, (detail, f"({', '.join(numbers)})" if numbers else "")))
