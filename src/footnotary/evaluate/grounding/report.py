"""The grounding evaluation report: JSON for programs, Markdown for repositories, one HTML page for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from footnotary import __version__
from footnotary.evaluate.grounding.evaluation import GroundingEvaluation, GroundingMeasures
from footnotary.evaluate.reporting import html_page as p
from footnotary.evaluate.reporting.svg_charts import bars, percent, reliability_diagram, risk_coverage_curve
from footnotary.evaluate.statistics.bootstrap import CONFIDENCE_LEVEL, RESAMPLES, Estimate
from footnotary.evaluate.statistics.classification import MEASURE_NAMES, reliability_bins, risk_coverage

TITLE = "Grounding evaluation"
COLUMNS = {
    "balanced_accuracy": "balanced accuracy",
    "unsupported_precision": "precision, unsupported",
    "unsupported_recall": "recall, unsupported",
    "unsupported_f1": "F1, unsupported",
    "supported_f1": "F1, supported",
    "auroc": "AUROC",
    "unsupported_average_precision": "average precision",
    "brier": "Brier",
    "calibration_error": "calibration error",
}


def write_grounding_report(folder: Path, evaluation: GroundingEvaluation, about: Mapping[str, Any]) -> None:
    """Writes report.json, report.md and report.html into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    record = grounding_report_record(evaluation, about)
    (folder / "report.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(evaluation), encoding="utf-8")
    (folder / "report.html").write_text(html(evaluation), encoding="utf-8")


def grounding_report_record(evaluation: GroundingEvaluation, about: Mapping[str, Any]) -> dict[str, Any]:
    """All measures, as shares between 0 and 1, with intervals."""
    sets: dict[str, dict[str, Any]] = {part.dataset: _record(part) | {"tasks": {}} for part in evaluation.sets}
    for part in evaluation.tasks:
        sets[part.dataset]["tasks"][part.task] = _record(part)
    return {
        "footnotary": __version__,
        "verifier": evaluation.verifier,
        "judge": evaluation.verifier,  # the deprecated name
        "profile": evaluation.profile,
        "profile_digest": evaluation.profile_digest,
        "threshold": evaluation.threshold,
        "interval": {"level": CONFIDENCE_LEVEL, "resamples": RESAMPLES, "unit": "group"},
        **about,
        "mean": {name: _estimate(evaluation.mean[name]) for name in MEASURE_NAMES},
        "datasets": sets,
        "skipped": [
            {"dataset": s.dataset, "task": s.task, "rows": s.rows, "reason": s.reason} for s in evaluation.skipped
        ],
    }


def table_rows(
    evaluation: GroundingEvaluation, columns: Sequence[str] = tuple(COLUMNS)
) -> Iterator[tuple[str, list[str]]]:
    """(kind, cells): a row per dataset, its tasks below it as "inner", the mean over datasets last as "total"."""
    for part in evaluation.sets:
        yield "", [part.dataset, *_cells(part, columns)]
        for task in evaluation.tasks:
            if task.dataset == part.dataset:
                yield "inner", [task.task, *_cells(task, columns)]
    if len(evaluation.sets) > 1:
        yield "total", ["mean over datasets", "", "", *(percent(evaluation.mean[name]) for name in columns)]


def head(columns: Sequence[str] = tuple(COLUMNS)) -> list[str]:
    return ["dataset", "rows", "supported", *(COLUMNS[name] for name in columns)]


def markdown(evaluation: GroundingEvaluation) -> str:
    lines = [
        f"# {TITLE}",
        "",
        _summary_line(evaluation),
        "",
        f"| {' | '.join(head())} |",
        "|---" + "|--:" * (len(head()) - 1) + "|",
    ]
    for kind, cells in table_rows(evaluation):
        cells = [p.markdown_cell(cell) for cell in cells]
        name = {"inner": f"– {cells[0]}", "total": f"**{cells[0]}**"}.get(kind, cells[0])
        lines.append(f"| {' | '.join([name, *cells[1:]])} |")
    lines += ["", *(f"Skipped: {p.markdown_cell(text)}." for text in skipped_lines(evaluation))]
    return "\n".join(lines).rstrip() + "\n"


def html(evaluation: GroundingEvaluation) -> str:
    scores = [score for part in evaluation.sets for score in part.scores]
    labels = [label for part in evaluation.sets for label in part.labels]
    names = ("balanced_accuracy", "unsupported_f1", "auroc", "calibration_error")
    several = len(evaluation.sets) > 1
    figures: list[tuple[str, str]] = []
    for name in names:
        value, _, interval = percent(evaluation.mean[name]).partition(" ")
        figures.append((f"{value} %", f"{'mean ' if several else ''}{_measure_title(name)} {interval}"))
    listed = list(table_rows(evaluation))
    shown: list[tuple[str, Estimate, bool]] = []
    for part in evaluation.sets:
        shown.append((part.dataset, part.measured.estimates["balanced_accuracy"], False))
        own = [task for task in evaluation.tasks if task.dataset == part.dataset]
        shown += [(task.task, task.measured.estimates["balanced_accuracy"], True) for task in own]
    sections = [
        p.tiles([*figures, (f"{len(scores):,}", "claims scored")]),
        p.heading("Balanced accuracy"),
        p.figure(bars(shown, chance=0.5, title="Balanced accuracy per dataset and task"), _BARS),
        p.heading("How reliable the scores are"),
        p.side_by_side(*_charts(scores, labels, evaluation.threshold)),
        p.heading("All measures, in percent"),
        p.table(head(), [cells for _, cells in listed], [kind for kind, _ in listed]),
    ]
    if several:
        sections.append(p.heading("Dataset by dataset"))
        sections += [
            p.collapsible(
                f"{part.dataset}: {len(part.scores):,} rows",
                p.side_by_side(*_charts(part.scores, part.labels, evaluation.threshold)),
            )
            for part in evaluation.sets
        ]
    if evaluation.skipped:
        sections += [p.heading("Not scored"), *(p.paragraph(text) for text in skipped_lines(evaluation))]
    sections.append(p.paragraph(f"Policy digest {evaluation.profile_digest}.", "note"))
    return p.page(TITLE, _summary_line(evaluation), sections)


def skipped_lines(evaluation: GroundingEvaluation) -> list[str]:
    return [f"{s.dataset}, {s.task}: {s.rows} rows: {s.reason}" for s in evaluation.skipped]


_BARS = (
    "The mean of the shares of supported and of unsupported claims that were classified correctly; guessing gives one "
    "half. Lines are 95 % bootstrap intervals over groups of rows."
)


def _charts(scores: Sequence[float], labels: Sequence[bool], threshold: float) -> tuple[str, str]:
    return (
        p.figure(
            reliability_diagram(reliability_bins(scores, labels)),
            "Scores against the share that is supported: on the dashed line a score is a probability. "
            "Grey blocks show how many claims have such a score.",
        ),
        p.figure(
            risk_coverage_curve(risk_coverage(scores, labels), threshold=threshold),
            "The unsupported share of the delivered claims as the threshold is lowered and more is delivered.",
        ),
    )


def _summary_line(evaluation: GroundingEvaluation) -> str:
    rows = sum(len(part.scores) for part in evaluation.sets)
    return (
        f"{rows:,} labelled claims of {len(evaluation.sets)} datasets, scored by {evaluation.verifier} under the "
        f"profile {evaluation.profile} with threshold {evaluation.threshold:g}. In percent, with 95 % intervals."
    )


def _measure_title(name: str) -> str:
    return {"unsupported_f1": "F1, unsupported claims", "auroc": "AUROC"}.get(name, name.replace("_", " "))


def _cells(part: GroundingMeasures, columns: Sequence[str]) -> list[str]:
    m = part.measured
    return [f"{m.rows:,}", f"{m.supported:,}", *(percent(m.estimates[name]) for name in columns)]


def _record(part: GroundingMeasures) -> dict[str, Any]:
    m = part.measured
    return {
        "rows": m.rows,
        "supported": m.supported,
        "groups": m.groups,
        "measures": {name: _estimate(m.estimates[name]) for name in MEASURE_NAMES},
    }


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    rounded = (None if v is None else round(v, 6) for v in (estimate.value, estimate.low, estimate.high))
    return dict(zip(("value", "low", "high"), rounded, strict=True))
