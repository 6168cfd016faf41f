"""Quality gates on end-to-end runs: the minimum or maximum a measure may have for the run to pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from footnotary.errors import UsageError
from footnotary.evaluate.answers.evaluation import AnswerEvaluation
from footnotary.evaluate.answers.metrics import MEASURES
from footnotary.evaluate.statistics.bootstrap import Estimate

GateDirection = Literal["under", "over"]


@dataclass(frozen=True, slots=True)
class AnswerGate:
    """`measure` must not be under (or over) `limit`: of one dataset, or of all questions where that is None."""

    side: GateDirection
    measure: str
    limit: float
    dataset: str | None = None


def parse_answer_gate(text: str, side: GateDirection, further: Sequence[str] = ()) -> AnswerGate:
    """A gate written as `citation_recall=0.95` or `squad:recall@5=0.9`.

    A measure that should be low takes no minimum, and one that should be high no maximum: such a gate would pass a
    worse run. Shares lie between 0 and 1: five percent written as 5 would be a gate that stops nothing.
    """
    name, _, limit = text.rpartition("=")
    dataset, _, measure = name.rpartition(":")
    better = {"under": "higher", "over": "lower"}[side]
    allowed = [m.name for m in MEASURES.values() if m.better == better] + (list(further) if side == "under" else [])
    try:
        value = float(limit)
    except ValueError:
        value = -1.0
    if measure not in allowed or not 0.0 <= value < float("inf"):
        raise UsageError(
            f"invalid gate {text!r} for --fail-{side}",
            hint=f"write MEASURE=NUMBER or DATASET:MEASURE=NUMBER; measures: {', '.join(allowed)}",
        )
    if value > 1.0 and measure in MEASURES and MEASURES[measure].unit == "share":
        raise UsageError(
            f"invalid gate {text!r} for --fail-{side}",
            hint=f"{measure} lies between 0 and 1; five percent is {measure}=0.05",
        )
    return AnswerGate(side, measure, value, dataset or None)


def require_known_datasets(gates: Sequence[AnswerGate], datasets: Sequence[str]) -> None:
    """Raises `UsageError` for a gate on a dataset that is not in `datasets`."""
    for gate in gates:
        if gate.dataset is not None and gate.dataset not in datasets:
            raise UsageError(
                f"gate on dataset {gate.dataset!r}, which is not part of this run",
                hint=f"choose from {', '.join(datasets) or 'none'}",
            )


def failed_answer_gates(found: AnswerEvaluation, gates: Sequence[AnswerGate]) -> list[str]:
    """A message for each gate that failed. A gate on a measure that is undefined for these questions fails.

    Raises `UsageError` for a gate on a dataset that is not part of the run.
    """
    sets: dict[str, Mapping[str, Estimate]] = {part.dataset: part.estimates for part in found.parts if not part.tag}
    missed: list[str] = []
    require_known_datasets(gates, tuple(sets))
    for gate in gates:
        value = (sets[gate.dataset] if gate.dataset else found.whole.estimates)[gate.measure].value
        of = gate.dataset or found.whole.dataset
        required = f"required: at {'least' if gate.side == 'under' else 'most'} {gate.limit:g}"
        if value is None:
            missed.append(f"{gate.measure} of {of} is undefined on these questions; {required}")
        elif value < gate.limit if gate.side == "under" else value > gate.limit:
            missed.append(f"{gate.measure} of {of} is {value:.4f}; {required}")
    return missed
