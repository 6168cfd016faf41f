"""Ranking measures through ir-measures, where the extra `eval` is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from footnotary.errors import UsageError
from footnotary.evaluate.ranking import CUTOFFS, NDCG

OURS = {NDCG: "nDCG@10"} | {f"recall@{k}": f"R@{k}" for k in CUTOFFS}


def is_available() -> bool:
    """Whether ir-measures is installed with something that can compute what we ask."""
    if find_spec("ir_measures") is None:
        return False
    import ir_measures  # pyright: ignore[reportMissingImports]

    evaluators: Any = ir_measures
    return all(evaluators.DefaultPipeline.supports(evaluators.parse_measure(name)) for name in OURS.values())


def values_by_question(
    rankings: Mapping[str, Sequence[str]], relevant: Mapping[str, Mapping[str, float]], further: Sequence[str] = ()
) -> dict[str, dict[str, float]]:
    """{question: {measure: value}}: ours under our names, `further` ones (`RR@10`, `AP`) under theirs.

    Gains are rounded to whole numbers, as judgements of TREC are. Raises `UsageError` for a measure that is none.
    """
    import ir_measures  # pyright: ignore[reportMissingImports]

    evaluators: Any = ir_measures
    names = {theirs: own for own, theirs in OURS.items()} | {name: name for name in further}
    try:
        measures = {evaluators.parse_measure(name): own for name, own in names.items()}
    except (NameError, ValueError, SyntaxError) as error:
        raise UsageError(f"ir-measures knows no such measure: {error}", hint="such as RR@10, AP or P@5") from None
    # Some evaluators stop at a question that stands on one side alone.
    run = {q: {doc: float(-rank) for rank, doc in enumerate(found)} for q, found in rankings.items() if found}
    qrels = {q: {doc: round(gain) for doc, gain in relevant[q].items()} for q in run}
    values: dict[str, dict[str, float]] = {question: {} for question in rankings}
    for metric in evaluators.iter_calc(list(measures), qrels, run):
        values[metric.query_id][measures[metric.measure]] = float(metric.value)
    # A question for which nothing was found has no ranking to measure; it found nothing.
    return {q: dict.fromkeys(names.values(), 0.0) | found for q, found in values.items()}
