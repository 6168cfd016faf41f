"""Paired comparison of two runs on the same questions: what changed, and whether chance could explain it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from footnotary.errors import UsageError
from footnotary.evaluate.answers.metrics import MEASURES, measure_of
from footnotary.evaluate.answers.paired_bootstrap import (
    MeasureDifference,
    QuestionContribution,
    bootstrap_differences,
)
from footnotary.evaluate.answers.report import VALUES_FILE
from footnotary.evaluate.answers.summary import format_estimate
from footnotary.evaluate.datasets.labelled_rows import read_lines
from footnotary.evaluate.reporting import html_page as p
from footnotary.evaluate.statistics.bootstrap import Estimate

TITLE = "Two runs compared"
_HEADER = ("measure", "first", "second", "change", "verdict")


@dataclass(frozen=True, slots=True)
class RunRow:
    """A line of values.jsonl. `wanted` identifies the expected answers and sources, where the run recorded that."""

    valued: QuestionContribution
    key: str
    question: str
    outcome: str
    amiss: str | None
    expected: str | None = None
    wanted: str | None = None


@dataclass(frozen=True, slots=True)
class ChangedOutcome:
    """A question with a different outcome in the second run."""

    dataset: str
    id: str
    question: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left_out` counts the questions that only one run has, `expected_otherwise` those whose expected outcome differs
    between the runs: neither are part of any measure."""

    questions: int
    left_out: int
    expected_otherwise: int
    differences: Mapping[str, MeasureDifference]
    changed: tuple[ChangedOutcome, ...]


def read_run(folder: Path) -> dict[tuple[str, str, str], RunRow]:
    """The rows of a run by dataset, id and question. Raises `UsageError` where the folder contains no run."""
    path = folder / VALUES_FILE if folder.is_dir() else folder
    if not path.is_file():
        raise UsageError(f"{folder} contains no evaluation run", hint="use the folder passed to `eval run --out`")
    found: dict[tuple[str, str, str], RunRow] = {}
    for number, line in read_lines(path):
        try:
            row = cast("dict[str, Any]", json.loads(line))
            fractions = {str(n): (float(top), float(bottom)) for n, (top, bottom) in row["values"].items()}
            valued = QuestionContribution(row["dataset"], row["id"], row["group"], tuple(row["tags"]), fractions)
            found[valued.dataset, valued.id, row["key"]] = RunRow(
                valued,
                row["key"],
                row["question"],
                row["outcome"],
                row["amiss"],
                row.get("expected"),
                row.get("wanted"),
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UsageError(f"{path}, line {number} is not a row of a run", hint="repeat the run") from None
    return found


def compare_runs(first: Mapping[Any, RunRow], second: Mapping[Any, RunRow]) -> Comparison:
    """The measures of both runs on the questions they share. Raises `UsageError` where they share none.

    A question whose expected outcome differs between the runs is left out: its change is not the product's.
    A question that failed in either run counts only in `failures`.
    """
    common = [key for key in first if key in second]
    if not common:
        raise UsageError("the two runs have no question in common", hint="compare runs of the same dataset")
    shared = [key for key in common if _have_same_labels(first[key], second[key])]
    if not shared:
        raise UsageError(
            "the two runs differ in the expected outcome of every question",
            hint="run both on the same version of the dataset",
        )
    ones, others = [first[key] for key in shared], [second[key] for key in shared]
    names = dict.fromkeys((*MEASURES, *(name for row in ones for name in row.valued.fractions)))
    pairs = [_pair_rows(one, other) for one, other in zip(ones, others, strict=True)]
    found = bootstrap_differences([one for one, _ in pairs], [other for _, other in pairs], tuple(names))
    changed = tuple(
        ChangedOutcome(one.valued.dataset, one.valued.id, one.question, _outcome_text(one), _outcome_text(other))
        for one, other in zip(ones, others, strict=True)
        if (one.outcome, one.amiss) != (other.outcome, other.amiss)
    )
    alone, otherwise = len(first) + len(second) - 2 * len(common), len(common) - len(shared)
    return Comparison(len(shared), alone, otherwise, found, changed)


def is_worse(name: str, found: MeasureDifference) -> bool:
    """Whether the second run is significantly worse in this measure."""
    better, change = measure_of(name).better, found.change.value
    return found.is_clear and better is not None and change is not None and (change < 0) == (better == "higher")


def change_verdict(name: str, found: MeasureDifference) -> str:
    """In a word: better, worse, changed, or no clear change."""
    if found.first == found.second:
        return "same"
    if not found.is_clear:
        return "no clear change"
    if measure_of(name).better is None:
        return "changed"
    return "worse" if is_worse(name, found) else "better"


def table(found: Comparison) -> Iterator[list[str]]:
    """The cells of every measure, under `_HEAD`."""
    for name, difference in found.differences.items():
        first, second = (format_estimate(Estimate(value), name) for value in (difference.first, difference.second))
        yield [
            measure_of(name).title,
            first,
            second,
            _format_change(name, difference.change),
            change_verdict(name, difference),
        ]


def comparison_record(found: Comparison) -> dict[str, Any]:
    """The whole result, for programs; the change is the second minus the first."""
    return {
        "questions": found.questions,
        "left_out": found.left_out,
        "expected_otherwise": found.expected_otherwise,
        "measures": {
            name: {
                "first": round(d.first, 6),
                "second": round(d.second, 6),
                "change": None if d.change.value is None else round(d.change.value, 6),
                "low": None if d.change.low is None else round(d.change.low, 6),
                "high": None if d.change.high is None else round(d.change.high, 6),
                "verdict": change_verdict(name, d),
            }
            for name, d in found.differences.items()
        },
        "changed": [
            {"dataset": c.dataset, "id": c.id, "question": c.question, "first": c.first, "second": c.second}
            for c in found.changed
        ],
    }


def write_comparison(folder: Path, found: Comparison, names: Sequence[str]) -> None:
    """Writes comparison.json, comparison.md and comparison.html into the folder; `names` are those of the runs."""
    folder.mkdir(parents=True, exist_ok=True)
    record = {"runs": list(names)} | comparison_record(found)
    (folder / "comparison.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    lead = f"{names[0]} and {names[1]}: {found.questions:,} questions in both, {found.left_out:,} in only one."
    if found.expected_otherwise:
        lead += f" {found.expected_otherwise:,} with different expected outcomes are left out."
    rows = list(table(found))
    lines = [f"# {TITLE}", "", lead, "", f"| {' | '.join(_HEADER)} |", "|---|--:|--:|--:|---|"]
    lines += [f"| {' | '.join(cells)} |" for cells in rows]
    (folder / "comparison.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    changed = [[c.question, c.first, c.second] for c in found.changed]
    sections = [p.table(_HEADER, rows), p.heading(f"Questions with a different outcome: {len(changed):,}")]
    sections.append(p.table(["question", "first", "second"], changed))
    (folder / "comparison.html").write_text(p.page(TITLE, lead, sections), encoding="utf-8")


def head() -> list[str]:
    return list(_HEADER)


def _pair_rows(one: RunRow, other: RunRow) -> tuple[QuestionContribution, QuestionContribution]:
    """What both add. Without its failures a run would be measured only on the questions that are easy for it."""
    if "failed" not in (one.outcome, other.outcome):
        return one.valued, other.valued
    first, second = (
        replace(row.valued, fractions={n: value for n, value in row.valued.fractions.items() if n == "failures"})
        for row in (one, other)
    )
    return first, second


def _have_same_labels(one: RunRow, other: RunRow) -> bool:
    """As far as both runs recorded it: older runs recorded whether an answer is expected, not which one."""
    noted = one.wanted is not None and other.wanted is not None
    return one.expected == other.expected and (not noted or one.wanted == other.wanted)


def _outcome_text(row: RunRow) -> str:
    return f"{row.outcome}: {row.amiss}" if row.amiss else row.outcome


def _format_change(name: str, change: Estimate) -> str:
    unit = measure_of(name).unit
    scale, form = (100.0, "{:+.1f}") if unit == "share" else (1.0, "{:+.4g}")
    if change.value is None:
        return "–"
    inside = ""
    if change.low is not None and change.high is not None:
        inside = f" ({form.format(scale * change.low)} to {form.format(scale * change.high)})"
    return form.format(scale * change.value) + inside
