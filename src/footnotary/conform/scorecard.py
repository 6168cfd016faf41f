"""The scorecard: results per family, for people and for programs."""

from collections.abc import Sequence
from typing import Any, get_args

from footnotary.conform.case import Family
from footnotary.conform.runner import CaseResult, TargetRun

Record = dict[str, Any]

FAMILIES: tuple[Family, ...] = get_args(Family)
_MAX_SHOWN_FAULTS = 40


def run_record(run: TargetRun) -> Record:
    """A run as plain data."""
    return {
        "target": run.target,
        "is_full": run.is_full,
        "refusal": run.refusal,
        "families": [_family(run, family) for family in FAMILIES if run.of(family)],
        "results": [
            {
                "family": result.case.family,
                "case": result.case.name,
                "expect": result.case.expect,
                "standing": result.standing,
                "detail": result.detail,
                "drafted": result.drafted,
                "seconds": round(result.seconds, 4),
            }
            for result in run.results
        ],
    }


def scorecard(runs: Sequence[TargetRun]) -> str:
    """A Markdown table with a column for each target: bad drafts handled correctly, and correct answers delivered."""
    lines = [
        f"| family | {' | '.join(run.target for run in runs)} |",
        f"|---|{'--:|' * len(runs)}",
        *(_row(family, runs) for family in FAMILIES if any(run.of(family) for run in runs)),
        f"| **all** | {' | '.join(_cell(run.results) for run in runs)} |",
    ]
    return "\n".join(lines) + "\n"


def failure_lines(run: TargetRun) -> list[str]:
    """A line for each case in which the contract was not kept."""
    return [
        f"{result.case.family}: {result.case.name}: {result.standing.replace('_', ' ')}: {result.detail}"
        for result in run.results
        if result.standing != "kept"
    ]


def conformance_report(runs: Sequence[TargetRun]) -> str:
    """The table and the failed cases, as Markdown."""
    parts = [
        "# Conformance\n",
        "Each cell: bad drafts handled correctly / run, then correct answers delivered / run.\n",
        scorecard(runs),
    ]
    for run in runs:
        said = failure_lines(run)
        if said:
            parts += [f"## {run.target}: {len(said)} of {len(run.results)} not kept\n"]
            parts += [*(f"- {_plain(line)}" for line in said[:_MAX_SHOWN_FAULTS]), ""]
    return "\n".join(parts)


def _family(run: TargetRun, family: Family) -> Record:
    bad, good = _split_controls(run.of(family))
    return {
        "family": family,
        "kept": _count_kept(bad),
        "played": _count_measured(bad),
        "delivered": _count_kept(good),
        "right_answers": _count_measured(good),
    }


def _row(family: Family, runs: Sequence[TargetRun]) -> str:
    return f"| {family.replace('_', ' ')} | {' | '.join(_cell(run.of(family)) for run in runs)} |"


def _cell(results: Sequence[CaseResult]) -> str:
    bad, good = _split_controls(results)
    if not _count_measured(results):
        return "not measured"
    said = f"{_count_kept(bad)}/{_count_measured(bad)}"
    return f"{said}, {_count_kept(good)}/{_count_measured(good)}" if good else said


def _split_controls(results: Sequence[CaseResult]) -> tuple[list[CaseResult], list[CaseResult]]:
    return [r for r in results if not r.case.is_control], [r for r in results if r.case.is_control]


def _count_kept(results: Sequence[CaseResult]) -> int:
    return sum(result.standing == "kept" for result in results)


def _count_measured(results: Sequence[CaseResult]) -> int:
    return sum(result.standing != "not_measured" for result in results)


def _plain(line: str) -> str:
    return line.replace("\n", " ").replace("|", "\\|").replace("<", "&lt;")
