"""An evaluation of whole answers as one self-contained page with pictures."""

from __future__ import annotations

from collections.abc import Sequence

from footnotary.evaluate import page as p
from footnotary.evaluate.answer_measures import MEASURES, is_right, measure_of
from footnotary.evaluate.answer_summary import (
    COLUMNS,
    NOTE,
    TITLE,
    amiss,
    lead,
    refusal_reasons,
    shown_parts,
    value,
)
from footnotary.evaluate.answering import Answered, AnswerEvaluation, stage_times
from footnotary.evaluate.asking import Failed
from footnotary.evaluate.charts import bars, percent, reliability_diagram, risk_coverage_curve, time_bars
from footnotary.evaluate.measures import reliability, risk_coverage
from footnotary.evaluate.told import Told

_TILES = ("false_answer_rate", "false_refusal_rate", "citation_recall", "source_recall", "recall@5", "contract_escapes")
_BARS = ("source_recall", "answer_f1", "refusal_f1", "answer_contained")
_MOST_LISTED = 200
_STAGES = {"understood": "understand", "retrieved": "retrieve", "gated": "gate", "drafting": "hand over",
           "drafted": "draft", "verified": "verify", "done": "cite", "total": "total"}  # fmt: skip


def html(found: AnswerEvaluation) -> str:
    """The page; every text of the dataset in it is escaped."""
    names = [name for name in found.names if found.whole.estimates[name].value is not None]
    figures: list[tuple[str, str]] = []
    for name in _TILES:
        if name in names:
            said, _, interval = percent(found.whole.estimates[name]).partition(" ")
            figures.append((f"{said} %", f"{measure_of(name).title} {interval}"))
    sections = [p.tiles([*figures, (f"{len(found.rows):,}", "questions")]), *_bar_sections(found, names)]
    sections += _trust(found.rows)
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
    sections += _listed(found.rows)
    columns = [name for name in COLUMNS if name in names] + [name for name in found.names if name not in MEASURES]
    parts = list(shown_parts(found))
    kinds = ["inner" if part.tag else "total" if part is found.whole else "" for part in parts]
    rows = [[part.tag or part.dataset, f"{part.questions:,}", *(value(part, n) for n in columns)] for part in parts]
    sections += [
        p.heading("Per dataset and tag"),
        p.table(["questions from", "questions", *(measure_of(n).title for n in columns)], rows, kinds),
        p.heading("All measures"),
        p.table(["measure", "all questions"], [[measure_of(n).title, value(found.whole, n)] for n in names]),
        p.paragraph(NOTE, "note"),
        p.paragraph(f"Ranking by {found.ranked_by}. Policy digest {found.product.profile_digest}.", "note"),
    ]
    return p.page(TITLE, lead(found), sections)


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


def _trust(rows: Sequence[Answered]) -> list[str]:
    """Risk and coverage, and reliability, of the answers delivered, by their confidence."""
    judged = [
        (row.outcome.confidence, right)
        for row in rows
        if isinstance(row.outcome, Told)
        and row.outcome.answered
        and (right := is_right(row.question, row.outcome)) is not None
    ]
    if not judged:
        return []
    scores, labels = [min(max(score, 0.0), 1.0) for score, _ in judged], [right for _, right in judged]
    curve = risk_coverage_curve(risk_coverage(scores, labels), threshold=None, rows="answers", bad="wrong")
    return [
        p.heading("How far the confidence can be trusted"),
        p.pair(
            p.figure(
                curve,
                "What share of the answers is wrong, as more of them are delivered, the most confident first. Wrong: "
                "a refusal was expected, or no relevant source is cited.",
            ),
            p.figure(
                reliability_diagram(reliability(scores, labels), good="right"),
                "Confidence against the share that is right: on the dashed line it is a probability.",
            ),
        ),
    ]


def _listed(rows: Sequence[Answered]) -> list[str]:
    """The questions that went wrong, to be read one by one."""
    wrong = [(row, what) for row in rows if (what := amiss(row)) is not None]
    if not wrong:
        return []
    sections = [p.heading(f"What went wrong: {len(wrong):,} of {len(rows):,}")]
    for row, what in wrong[:_MOST_LISTED]:
        question = row.question
        lines = [
            f"{question.dataset}, {question.id}" + (f" [{', '.join(question.tags)}]" if question.tags else ""),
            f"Expected: {question.expected or 'nothing said'}"
            + (f"; sources {', '.join(list(question.relevant)[:5])}" if question.relevant else "")
            + (f"; “{question.answers[0]}”" if question.answers else ""),
            f"Told: {_told(row)}",
        ]
        sections.append(p.folded(f"{what}: {question.question}", "".join(p.paragraph(line) for line in lines)))
    if len(wrong) > _MOST_LISTED:
        sections.append(p.paragraph(f"The other {len(wrong) - _MOST_LISTED:,} are in values.jsonl.", "note"))
    return sections


def _told(row: Answered) -> str:
    outcome = row.outcome
    if isinstance(outcome, Failed):
        return outcome.error
    if not outcome.answered:
        return f"refused, {outcome.reason}"
    return f"“{outcome.text}” citing {', '.join(outcome.cited)}" + (
        f"; {'; '.join(outcome.escapes)}" if outcome.escapes else ""
    )
