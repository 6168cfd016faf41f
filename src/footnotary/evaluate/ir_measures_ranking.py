"""Ranking measures through ir-measures, where the extra `eval` is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from footnotary.errors import UsageError
from footnotary.evaluate.ranking import CUTOFFS, NDCG

_HINT = "such as RR@10, AP or P@5"
OURS = {NDCG: "nDCG@10"} | {f"recall@{k}": f"R@{k}" for k in CUTOFFS}


def is_available() -> bool:
    """Whether ir-measures is installed with something that can compute what we ask."""
    if find_spec("ir_measures") is None:
        return False
    import ir_measures  # pyright: ignore[reportMissingImports]

    evaluators: Any = ir_measures
    return all(evaluators.DefaultPipeline.supports(evaluators.parse_measure(name)) for name in OURS.values())


def require_known(names: Sequence[str]) -> None:
    """Raises `UsageError` for what is no measure of ir-measures, or one that nothing installed can compute."""
    import ir_measures  # pyright: ignore[reportMissingImports]

    evaluators: Any = ir_measures
    for name in names:
        try:
            known = evaluators.DefaultPipeline.supports(evaluators.parse_measure(name))
        except (NameError, ValueError, SyntaxError) as error:
            raise UsageError(f"ir-measures knows no such measure: {error}", hint=_HINT) from None
        if not known:
            raise UsageError(f"nothing that is installed computes {name}", hint=_HINT)


def values_by_question(
    rankings: Mapping[str, Sequence[str]], relevant: Mapping[str, Mapping[str, float]], further: Sequence[str] = ()
) -> dict[str, dict[str, float]]:
    """{question: {measure: value}}: ours under our names, `further` ones (`RR@10`, `AP`) under theirs.

    Gains are whole numbers there, as judgements of TREC are: where one of a question's is none, all are taken a
    thousandfold, which leaves recall and nDCG as they are. `require_known` says whether `further` can be asked for.
    """
    import ir_measures  # pyright: ignore[reportMissingImports]

    evaluators: Any = ir_measures
    names = {theirs: own for own, theirs in OURS.items()} | {name: name for name in further}
    measures = {evaluators.parse_measure(name): own for name, own in names.items()}
    # Some evaluators stop at a question that stands on one side alone.
    run = {q: {doc: float(-rank) for rank, doc in enumerate(found)} for q, found in rankings.items() if found}
    qrels = {q: whole_gains(relevant[q]) for q in run}
    values: dict[str, dict[str, float]] = {question: {} for question in rankings}
    for metric in evaluators.iter_calc(list(measures), qrels, run):
        values[metric.query_id][measures[metric.measure]] = float(metric.value)
    # A question for which nothing was found has no ranking to measure; it found nothing.
    return {q: dict.fromkeys(names.values(), 0.0) | found for q, found in values.items()}


def whole_gains(gains: Mapping[str, float]) -> dict[str, int]:
    """The gains as whole numbers in the same proportions; what gains little does not come to gain nothing."""
    times = 1 if all(gain == round(gain) for gain in gains.values()) else 1000
    return {name: max(1, round(gain * times)) for name, gain in gains.items()}
