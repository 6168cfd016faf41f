"""Gates on whole answers: the least, or the most, a measure may be for a run to count as passed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from footnotary.errors import UsageError
from footnotary.evaluate.answer_measures import MEASURES
from footnotary.evaluate.answering import AnswerEvaluation
from footnotary.evaluate.intervals import Estimate

Side = Literal["under", "over"]


@dataclass(frozen=True, slots=True)
class Gate:
    """`measure` must not be under (or over) `limit`: of one dataset, or of all questions where that is None."""

    side: Side
    measure: str
    limit: float
    dataset: str | None = None


def read_gate(text: str, side: Side, further: Sequence[str] = ()) -> Gate:
    """A gate written as `citation_recall=0.95` or `squad:recall@5=0.9`.

    A measure of which less is better has no least, and the other way round: such a gate would pass what is worse.
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
            f"{text!r} is no gate for --fail-{side}",
            hint=f"write MEASURE=NUMBER or DATASET:MEASURE=NUMBER; measures: {', '.join(allowed)}",
        )
    return Gate(side, measure, value, dataset or None)


def failures(found: AnswerEvaluation, gates: Sequence[Gate]) -> list[str]:
    """What was missed, in words. A measure that the questions leave undefined was missed.

    Raises `UsageError` for a gate on a dataset that was not asked.
    """
    sets: dict[str, Mapping[str, Estimate]] = {part.dataset: part.estimates for part in found.parts if not part.tag}
    missed: list[str] = []
    for gate in gates:
        if gate.dataset is not None and gate.dataset not in sets:
            raise UsageError(f"no dataset {gate.dataset!r} was asked", hint=f"asked were {', '.join(sets) or 'none'}")
        value = (sets[gate.dataset] if gate.dataset else found.whole.estimates)[gate.measure].value
        of = gate.dataset or found.whole.dataset
        wanted = f"at {'least' if gate.side == 'under' else 'most'} {gate.limit:g} asked"
        if value is None:
            missed.append(f"{gate.measure} of {of} is undefined on these questions, {wanted}")
        elif value < gate.limit if gate.side == "under" else value > gate.limit:
            missed.append(f"{gate.measure} of {of} is {value:.4f}, {wanted}")
    return missed
