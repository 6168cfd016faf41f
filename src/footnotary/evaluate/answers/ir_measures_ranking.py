"""Ranking measures computed by ir-measures, where the extra `eval` is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from footnotary.errors import UsageError
from footnotary.evaluate.answers.ranking import CUTOFFS, NDCG

_HINT = "use a measure such as RR@10, AP or P@5"
IR_MEASURES_NAMES = {NDCG: "nDCG@10"} | {f"recall@{k}": f"R@{k}" for k in CUTOFFS}


def is_available() -> bool:
    """Whether ir-measures is installed with a provider for the measures we need."""
    if find_spec("ir_measures") is None:
        return False
    import ir_measures  # pyright: ignore[reportMissingImports]

    evaluators: Any = ir_measures
    return all(
        evaluators.DefaultPipeline.supports(evaluators.parse_measure(name)) for name in IR_MEASURES_NAMES.values()
    )


def require_measures(names: Sequence[str]) -> None:
    """Raises `UsageError` for a measure that ir-measures does not have or no installed provider computes."""
    import ir_measures  # pyright: ignore[reportMissingImports]

    evaluators: Any = ir_measures
    for name in names:
        try:
            known = evaluators.DefaultPipeline.supports(evaluators.parse_measure(name))
        except (NameError, ValueError, SyntaxError) as error:
            raise UsageError(f"unrecognized ir-measures measure: {error}", hint=_HINT) from None
        if not known:
            raise UsageError(f"no installed provider computes {name}", hint=_HINT)


def values_by_question(
    rankings: Mapping[str, Sequence[str]], relevant: Mapping[str, Mapping[str, float]], further: Sequence[str] = ()
) -> dict[str, dict[str, float]]:
    """{question: {measure: value}}: ours under our names, `further` ones (`RR@10`, `AP`) under theirs.

    ir-measures takes integer gains: where one of a question's gains is not an integer, all are multiplied by 1000,
    which leaves recall and nDCG as they are. `require_measures` checks whether `further` can be computed.
    """
    import ir_measures  # pyright: ignore[reportMissingImports]

    evaluators: Any = ir_measures
    names = {theirs: own for own, theirs in IR_MEASURES_NAMES.items()} | {name: name for name in further}
    measures = {evaluators.parse_measure(name): own for name, own in names.items()}
    # Some providers fail on a question that is only in the run or only in the qrels.
    run = {q: {doc: float(-rank) for rank, doc in enumerate(found)} for q, found in rankings.items() if found}
    qrels = {q: integer_gains(relevant[q]) for q in run}
    values: dict[str, dict[str, float]] = {question: {} for question in rankings}
    for metric in evaluators.iter_calc(list(measures), qrels, run):
        values[metric.query_id][measures[metric.measure]] = float(metric.value)
    # A question without hits has no ranking to measure; all its values are 0.
    return {q: dict.fromkeys(names.values(), 0.0) | found for q, found in values.items()}


def integer_gains(gains: Mapping[str, float]) -> dict[str, int]:
    """The gains as integers in the same proportions; a small gain never becomes zero."""
    times = 1 if all(gain == round(gain) for gain in gains.values()) else 1000
    return {name: max(1, round(gain * times)) for name, gain in gains.items()}
