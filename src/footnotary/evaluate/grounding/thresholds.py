"""Quality gates on grounding evaluations: the minimum a measure must reach for the run to pass, for CI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.errors import UsageError
from footnotary.evaluate.grounding.evaluation import GroundingEvaluation
from footnotary.evaluate.statistics.classification import LOWER_IS_BETTER, MEASURE_NAMES

_GATED_MEASURES = tuple(name for name in MEASURE_NAMES if name not in LOWER_IS_BETTER)


@dataclass(frozen=True, slots=True)
class GroundingGate:
    """`measure` must be at least `least`: for one dataset, or for the mean over all where `dataset` is None."""

    measure: str
    least: float
    dataset: str | None = None


def parse_grounding_gate(text: str) -> GroundingGate:
    """A gate written as `balanced_accuracy=0.75` or `ragtruth:balanced_accuracy=0.8`."""
    name, _, least = text.rpartition("=")
    dataset, _, measure = name.rpartition(":")
    try:
        value = float(least)
    except ValueError:
        value = -1.0
    if measure not in _GATED_MEASURES or not 0.0 <= value <= 1.0:
        raise UsageError(
            f"invalid gate {text!r}",
            hint=f"write MEASURE=0.75 or DATASET:MEASURE=0.75; measures: {', '.join(_GATED_MEASURES)}",
        )
    return GroundingGate(measure, value, dataset or None)


def failed_grounding_gates(evaluation: GroundingEvaluation, gates: Sequence[GroundingGate]) -> list[str]:
    """A message for each gate that failed. A gate on a measure that is undefined for these rows fails.

    Raises `UsageError` for a gate on a dataset that is not part of the run.
    """
    sets = {part.dataset: part.measured.estimates for part in evaluation.sets}
    found: list[str] = []
    for gate in gates:
        if gate.dataset is not None and gate.dataset not in sets:
            raise UsageError(
                f"gate on dataset {gate.dataset!r}, which is not part of this run",
                hint=f"choose from {', '.join(sets) or 'none'}",
            )
        value = (sets[gate.dataset] if gate.dataset else evaluation.mean)[gate.measure].value
        of = gate.dataset or ("mean" if len(sets) > 1 else next(iter(sets), "nothing"))
        if value is None:
            found.append(f"{gate.measure} of {of} is undefined on these labels; required: at least {gate.least:g}")
        elif value < gate.least:
            found.append(f"{gate.measure} of {of} is {value:.4f}; required: at least {gate.least:g}")
    return found
