"""An evaluation of whole answers as one self-contained page with pictures."""

from __future__ import annotations

from collections.abc import Sequence

from footnotary.evaluate.answers.evaluation import AnswerEvaluation, EvalResult, stage_times
from footnotary.evaluate.answers.metrics import MEASURES, is_correct, measure_of
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
from footnotary.evaluate.reporting import html_page as p
from footnotary.evaluate.reporting.svg_charts import bars, percent, reliability_diagram, risk_coverage_curve, time_bars
from footnotary.evaluate.statistics.classification import reliability_bins, risk_coverage

_TILES = ("false_answer_rate", "false_refusal_rate", "citation_recall", "source_recall", "recall@5", "contract_escapes")
_BARS = ("source_recall", "answer_f1", "refusal_f1", "answer_contained")
_MAX_LISTED = 200
_STAGES = {"understood": "understand", "retrieved": "retrieve", "gated": "gate", "drafting": "prepare",
           "drafted": "draft", "verified": "verify", "quoted": "quote", "done": "cite", "total": "total"}  # fmt: skip


def html(found: AnswerEvaluation) -> str:
    """The page; every text of the dataset in it is escaped."""
    names = [name for name in found.names if found.whole.estimates[name].value is not None]
    figures: list[tuple[str, str]] = []
    for name in _TILES:
        if name in names:
            said, _, interval = percent(found.whole.estimates[name]).partition(" ")
            figures.append((f"{said} %", f"{measure_of(name).title} {interval}"))
    sections = [p.tiles([*figures, (f"{len(found.rows):,}", "questions")]), *_bar_sections(found, names)]
    sections += _reliability_sections(found.rows)
    times = [(_STAGES[stage], *spent) for stage, spent in stage_times(found.rows).items()]
    sections += [
        p.heading("Where the time goes"),
        p.figure(time_bars(times, "Time per stage"), "Medians, the pale part reaching to the 95th percentile."),
    ]
    reasons = refusal_reasons(found.rows)
    if reasons:
        sections += [
            p.heading("Why it refused"),
            p.table(["reason", "questions"], [[reason, f"{count:,}"] for reason, count in reasons.items()]),
        ]
    sections += _problem_sections(found.rows)
    columns = [name for name in COLUMNS if name in names] + [name for name in found.names if name not in MEASURES]
    parts = list(shown_parts(found))
    kinds = ["inner" if part.tag else "total" if part is found.whole else "" for part in parts]
    rows = [
        [part.tag or part.dataset, f"{part.questions:,}", *(format_measure(part, n) for n in columns)] for part in parts
    ]
    sections += [
        p.heading("Per dataset and tag"),
        p.table(["questions from", "questions", *(measure_of(n).title for n in columns)], rows, kinds),
        p.heading("All measures"),
        p.table(["measure", "all questions"], [[measure_of(n).title, format_measure(found.whole, n)] for n in names]),
        p.paragraph(METHOD_NOTE, "note"),
        p.paragraph(f"Ranking by {found.ranked_by}. Policy digest {found.product.profile_digest}.", "note"),
    ]
    return p.page(TITLE, summary_line(found), sections)


def _bar_sections(found: AnswerEvaluation, names: Sequence[str]) -> list[str]:
    sections: list[str] = []
    for name in _BARS:
        shown = [
            (part.tag or part.dataset, part.estimates[name], bool(part.tag))
            for part in shown_parts(found)
            if part.estimates[name].value is not None
        ]
        if name in names and shown:
            title = measure_of(name).title
            picture = p.figure(bars(shown, chance=None, title=title), "Lines are 95 % intervals.")
            sections += [p.heading(title[0].upper() + title[1:]), picture]
    return sections


def _reliability_sections(rows: Sequence[EvalResult]) -> list[str]:
    """Risk and coverage, and reliability, of the answers delivered, by their confidence."""
    scored = [
        (row.outcome.confidence, right)
        for row in rows
        if isinstance(row.outcome, RecordedOutcome)
        and row.outcome.answered
        and (right := is_correct(row.question, row.outcome)) is not None
    ]
    if not scored:
        return []
    scores, labels = [min(max(score, 0.0), 1.0) for score, _ in scored], [right for _, right in scored]
    curve = risk_coverage_curve(risk_coverage(scores, labels), threshold=None, rows="answers", bad="wrong")
    return [
        p.heading("How far the confidence can be trusted"),
        p.side_by_side(
            p.figure(
                curve,
                "What share of the answers is wrong, as more of them are delivered, the most confident first. Wrong: "
                "a refusal was expected, or no relevant source is cited.",
            ),
            p.figure(
                reliability_diagram(reliability_bins(scores, labels), good="right"),
                "Confidence against the share that is right: on the dashed line it is a probability.",
            ),
        ),
    ]


def _problem_sections(rows: Sequence[EvalResult]) -> list[str]:
    """The questions that went wrong, to be read one by one."""
    wrong = [(row, what) for row in rows if (what := describe_problem(row)) is not None]
    if not wrong:
        return []
    sections = [p.heading(f"What went wrong: {len(wrong):,} of {len(rows):,}")]
    for row, what in wrong[:_MAX_LISTED]:
        question = row.question
        lines = [
            f"{question.dataset}, {question.id}" + (f" [{', '.join(question.tags)}]" if question.tags else ""),
            f"Expected: {question.expected or 'nothing said'}"
            + (f"; sources {', '.join(list(question.relevant)[:5])}" if question.relevant else "")
            + (f"; “{question.answers[0]}”" if question.answers else ""),
            f"Outcome: {_outcome_text(row)}",
        ]
        sections.append(p.collapsible(f"{what}: {question.question}", "".join(p.paragraph(line) for line in lines)))
    if len(wrong) > _MAX_LISTED:
        sections.append(p.paragraph(f"The other {len(wrong) - _MAX_LISTED:,} are in values.jsonl.", "note"))
    return sections


def _outcome_text(row: EvalResult) -> str:
    outcome = row.outcome
    if isinstance(outcome, FailedQuestion):
        return outcome.error
    if not outcome.answered:
        return f"refused, {outcome.reason}"
    return f"“{outcome.text}” citing {', '.join(outcome.cited)}" + (
        f"; {'; '.join(outcome.escapes)}" if outcome.escapes else ""
    )
