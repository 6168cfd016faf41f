"""Gates: the least a measure must reach for a run to count as passed, as continuous integration wants it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.errors import UsageError
from footnotary.evaluate.grounding import Evaluation
from footnotary.evaluate.measures import LOWER_IS_BETTER, NAMES

_GATED = tuple(name for name in NAMES if name not in LOWER_IS_BETTER)


@dataclass(frozen=True, slots=True)
class Gate:
    """`measure` must be at least `least`: of one dataset, or of the mean over all where `dataset` is None."""

    measure: str
    least: float
    dataset: str | None = None


def read_gate(text: str) -> Gate:
    """A gate written as `balanced_accuracy=0.75` or `ragtruth:balanced_accuracy=0.8`."""
    name, _, least = text.rpartition("=")
    dataset, _, measure = name.rpartition(":")
    try:
        value = float(least)
    except ValueError:
        value = -1.0
    if measure not in _GATED or not 0.0 <= value <= 1.0:
        raise UsageError(
            f"{text!r} is no gate", hint=f"write MEASURE=0.75 or DATASET:MEASURE=0.75; measures: {', '.join(_GATED)}"
        )
    return Gate(measure, value, dataset or None)


def failures(evaluation: Evaluation, gates: Sequence[Gate]) -> list[str]:
    """What was not reached, in words. A measure that the rows leave undefined was not reached.

    Raises `UsageError` for a gate on a dataset that was not judged.
    """
    sets = {part.dataset: part.measured.estimates for part in evaluation.sets}
    found: list[str] = []
    for gate in gates:
        if gate.dataset is not None and gate.dataset not in sets:
            raise UsageError(f"no dataset {gate.dataset!r} was judged", hint=f"judged were {', '.join(sets) or 'none'}")
        value = (sets[gate.dataset] if gate.dataset else evaluation.mean)[gate.measure].value
        of = gate.dataset or ("mean" if len(sets) > 1 else next(iter(sets), "nothing"))
        if value is None:
            found.append(f"{gate.measure} of {of} is undefined on these labels, {gate.least:g} asked")
        elif value < gate.least:
            found.append(f"{gate.measure} of {of} is {value:.4f}, {gate.least:g} asked")
    return found
