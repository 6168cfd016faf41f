"""An evaluation of whole answers as JSON, Markdown and a line of JSON for each question."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from footnotary.evaluate.answers.evaluation import AnswerEvaluation, AnswerMeasures, EvalResult, stage_times
from footnotary.evaluate.answers.html_report import html
from footnotary.evaluate.answers.metrics import MEASURES, measure_of
from footnotary.evaluate.answers.question_runner import FailedQuestion
from footnotary.evaluate.answers.recorded_outcome import RecordedOutcome
from footnotary.evaluate.answers.summary import (
    COLUMNS,
    METHOD_NOTE,
    TITLE,
    describe_problem,
    format_measure,
    refusal_reasons,
    shown_parts,
    summary_line,
)
from footnotary.evaluate.reporting.html_page import markdown_cell
from footnotary.evaluate.statistics.bootstrap import CONFIDENCE_LEVEL, RESAMPLES, Estimate

VALUES_FILE = "values.jsonl"


def write_evaluation(folder: Path, found: AnswerEvaluation, about: Mapping[str, Any]) -> None:
    """Writes report.json, report.md, report.html and values.jsonl, which `eval compare` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    record = evaluation_record(found, about)
    (folder / "report.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / "report.md").write_text(markdown(found), encoding="utf-8")
    (folder / "report.html").write_text(html(found), encoding="utf-8")
    lines = (json.dumps(_values_record(row), ensure_ascii=False) + "\n" for row in found.rows)
    (folder / VALUES_FILE).write_text("".join(lines), encoding="utf-8")


def evaluation_record(found: AnswerEvaluation, about: Mapping[str, Any]) -> dict[str, Any]:
    """Everything measured: shares between 0 and 1, times in milliseconds, with intervals."""
    sets: dict[str, dict[str, Any]] = {}
    for part in found.parts:
        if part.tag:
            sets[part.dataset]["tags"][part.tag] = _record(part)
        else:
            sets[part.dataset] = _record(part) | {"tags": {}}
    product = found.product
    return {
        "footnotary": product.version,
        "profile": product.profile,
        "profile_digest": product.profile_digest,
        "generator": product.generator,
        "embedder": product.embedder,
        "verifier": product.verifier or "lexical",
        "judge": product.verifier or "words",  # the deprecated name and value
        "answerability": product.answerability or "rules",
        "ranking": found.ranked_by,
        "interval": {"level": CONFIDENCE_LEVEL, "resamples": RESAMPLES, "unit": "group"},
        **about,
        "all": _record(found.whole),
        "datasets": sets,
        "stages_ms": {
            stage: {"p50": round(middle, 3), "p95": round(high, 3)}
            for stage, (middle, high) in stage_times(found.rows).items()
        },
        "refusal_reasons": refusal_reasons(found.rows),
        "escapes": [
            {"dataset": row.question.dataset, "id": row.question.id, "escapes": row.outcome.escapes}
            for row in found.rows
            if isinstance(row.outcome, RecordedOutcome) and row.outcome.escapes
        ],
        "failed": [
            {"dataset": row.question.dataset, "id": row.question.id, "error": row.outcome.error}
            for row in found.rows
            if isinstance(row.outcome, FailedQuestion)
        ],
    }


def markdown(found: AnswerEvaluation) -> str:
    names = [name for name in COLUMNS if found.whole.estimates[name].value is not None]
    further = [name for name in found.names if name not in MEASURES]
    titles = ["questions from", "questions", *(measure_of(name).title for name in (*names, *further))]
    lines = [
        f"# {TITLE}",
        "",
        summary_line(found),
        "",
        f"| {' | '.join(titles)} |",
        "|---" + "|--:" * (len(titles) - 1) + "|",
    ]
    for part in shown_parts(found):
        own = markdown_cell(part.tag or part.dataset)
        name = f"– {own}" if part.tag else f"**{own}**" if part is found.whole else own
        cells = [name, f"{part.questions:,}", *(format_measure(part, n) for n in (*names, *further))]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "| stage | median | 95th percentile |", "|---|--:|--:|"]
    lines += [f"| {s} | {middle:.1f} ms | {high:.1f} ms |" for s, (middle, high) in stage_times(found.rows).items()]
    reasons = ", ".join(f"{reason} {count}" for reason, count in refusal_reasons(found.rows).items())
    lines += ["", f"Refused: {reasons or 'nothing'}.", "", METHOD_NOTE]
    return "\n".join(lines) + "\n"


def _values_record(row: EvalResult) -> dict[str, Any]:
    outcome, question = row.outcome, row.question
    return {
        "dataset": question.dataset,
        "id": question.id,
        "group": question.group,
        "tags": question.tags,
        "question": question.question,
        "key": question.key,
        "expected": question.expected,
        "wanted": question.wanted,
        "outcome": "failed"
        if isinstance(outcome, FailedQuestion)
        else "answer"
        if outcome.answered
        else outcome.reason,
        "cited": [] if isinstance(outcome, FailedQuestion) else outcome.cited,
        "amiss": describe_problem(row),
        "values": {name: [round(top, 6), bottom] for name, (top, bottom) in row.valued.fractions.items()},
    }


def _record(part: AnswerMeasures) -> dict[str, Any]:
    return {
        "questions": part.questions,
        "measures": {name: _estimate(estimate) for name, estimate in part.estimates.items()},
    }


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    rounded = (None if v is None else round(v, 6) for v in (estimate.value, estimate.low, estimate.high))
    return dict(zip(("value", "low", "high"), rounded, strict=True))
