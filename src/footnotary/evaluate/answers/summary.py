"""What every report on whole answers shows: which measures, in which unit, and what went wrong with a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from footnotary.evaluate.answers.evaluation import AnswerEvaluation, AnswerMeasures, EvalResult
from footnotary.evaluate.answers.metrics import is_correct, measure_of
from footnotary.evaluate.answers.question_runner import FailedQuestion
from footnotary.evaluate.answers.recorded_outcome import RecordedOutcome
from footnotary.evaluate.reporting.svg_charts import percent
from footnotary.evaluate.statistics.bootstrap import Estimate

TITLE = "Evaluation of answers"
COLUMNS = (
    "recall@5",
    "ndcg@10",
    "source_recall",
    "citation_precision",
    "citation_recall",
    "false_answer_rate",
    "false_refusal_rate",
    "refusal_f1",
    "answer_f1",
    "token_f1",
    "answer_contained",
    "unsupported_claim_rate",
    "contract_escapes",
    "mean_ms",
)

METHOD_NOTE = (
    "Citation precision and recall follow ALCE, with the product's own verifier: they show that it is consistent, not "
    "that it is right. The expected sources and answers are independent of it. False answers are questions answered "
    "that should be refused; false refusals are the reverse. A share that applies to no question is a dash."
)


def summary_line(found: AnswerEvaluation) -> str:
    product = found.product
    return (
        f"{len(found.rows):,} questions, answered by {product.generator} under the profile {product.profile}, "
        f"verified by {product.verifier or 'lexical checks'}. In percent, with 95 % intervals from "
        "resampling whole groups."
    )


def shown_parts(found: AnswerEvaluation) -> Iterator[AnswerMeasures]:
    """Datasets, their tags where there are several, and the whole where there is more than one dataset."""
    for part in found.parts:
        tags = {other.tag for other in found.parts if other.dataset == part.dataset and other.tag}
        if not part.tag or len(tags) > 1:
            yield part
    if sum(not part.tag for part in found.parts) > 1:
        yield found.whole


def format_measure(part: AnswerMeasures, name: str) -> str:
    """The value in its own unit with its interval."""
    return format_estimate(part.estimates[name], name)


def format_estimate(estimate: Estimate, name: str) -> str:
    unit = measure_of(name).unit
    if estimate.value is None or unit == "share":
        return percent(estimate)
    form = {"ms": "{:.0f} ms", "words": "{:.1f}", "money": "{:.6f}"}[unit]
    inside = "" if estimate.low is None else f" ({estimate.low:.4g}–{estimate.high:.4g})"
    return form.format(estimate.value) + inside


def refusal_reasons(rows: Sequence[EvalResult]) -> dict[str, int]:
    """How often each reason was given, the most frequent first."""
    counts: dict[str, int] = {}
    for row in rows:
        if isinstance(row.outcome, RecordedOutcome) and not row.outcome.answered:
            counts[row.outcome.reason] = counts.get(row.outcome.reason, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def describe_problem(row: EvalResult) -> str | None:
    """What went wrong with a question, in words; None where nothing did or nobody can say."""
    outcome, question = row.outcome, row.question
    if isinstance(outcome, FailedQuestion):
        return "failed"
    if outcome.escapes:
        return "contract broken"
    if question.expected == "refusal" and outcome.answered:
        return "answered, to be refused"
    if question.expected == "answer" and not outcome.answered:
        return "refused, to be answered"
    if outcome.answered and is_correct(question, outcome) is False:
        return "another source or answer"
    return None
