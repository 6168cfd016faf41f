"""End-to-end evaluation: the outcome of every question, measured per dataset and tag."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from footnotary.evaluate.answers import ir_measures_ranking as through_ir
from footnotary.evaluate.answers.metrics import MEASURES, Prices, measure_contributions
from footnotary.evaluate.answers.paired_bootstrap import QuestionContribution, bootstrap_estimates
from footnotary.evaluate.answers.question_runner import FailedQuestion, QuestionRunner, ask_concurrently
from footnotary.evaluate.answers.ranking import ranked_ids
from footnotary.evaluate.answers.recorded_outcome import RecordedOutcome
from footnotary.evaluate.answers.resumable_outcomes import OutcomeFile
from footnotary.evaluate.datasets.questions import Question
from footnotary.evaluate.statistics.bootstrap import Estimate

AnswerProgressCallback = Callable[[int, int], None]

ALL_QUESTIONS = "all questions"


@dataclass(frozen=True, slots=True)
class EvalResult:
    """A question, its outcome, and what it adds to the measures."""

    question: Question
    outcome: RecordedOutcome | FailedQuestion
    valued: QuestionContribution


@dataclass(frozen=True, slots=True)
class AnswerMeasures:
    """The measures of a subset of the questions: a dataset, one tag of a dataset, or the whole run."""

    dataset: str
    tag: str
    questions: int
    estimates: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class ProductIdentity:
    """The configuration that was measured; the same configuration on the same corpus gives the same outcomes."""

    version: str
    profile: str
    profile_digest: str
    generator: str
    embedder: str
    verifier: str
    answerability: str

    def identity(self, index: str, scope: str) -> str:
        """Identifies everything that outcomes depend on. Outcomes of two identities are never mixed."""
        return (
            f"footnotary {self.version}, {self.generator}, {self.embedder}, {self.verifier or 'words'}, "
            f"{self.answerability or 'rules'}, profile {self.profile} {self.profile_digest[:16]}, {scope}, "
            f"index {index}"
        )


@dataclass(frozen=True, slots=True)
class AnswerEvaluation:
    """The content of a report. `parts` are the datasets, each followed by its tags; `whole` covers all questions."""

    product: ProductIdentity
    names: tuple[str, ...]
    rows: tuple[EvalResult, ...]
    parts: tuple[AnswerMeasures, ...]
    whole: AnswerMeasures
    ranked_by: str


def run_questions(
    questions: Sequence[Question],
    kept: OutcomeFile,
    runner: QuestionRunner,
    *,
    jobs: int = 1,
    step: AnswerProgressCallback | None = None,
) -> dict[str, FailedQuestion]:
    """Asks the questions without a stored outcome and stores it; returns failures by question id, to be retried."""
    todo = [question for question in questions if question not in kept]
    failed: dict[str, FailedQuestion] = {}
    done = len(questions) - len(todo)
    if step is not None:
        step(done, len(questions))
    for question, outcome in ask_concurrently(todo, lambda _: runner, jobs):
        if isinstance(outcome, FailedQuestion):
            failed[question.id] = outcome
        else:
            kept.add(question, outcome)
        done += 1
        if step is not None:
            step(done, len(questions))
    return failed


def measure_outcomes(
    outcomes: Sequence[tuple[Question, RecordedOutcome | FailedQuestion]],
    prices: Prices | None = None,
    further: Sequence[str] = (),
) -> tuple[EvalResult, ...]:
    """Each question with what it adds to the measures. `further` names measures of ir-measures, if installed."""
    rows = [
        EvalResult(q, t, QuestionContribution(q.dataset, q.id, q.group, q.tags, measure_contributions(q, t, prices)))
        for q, t in outcomes
    ]
    if not through_ir.is_available():
        return tuple(rows)
    ranks = {
        f"{place}": (ranked_ids(row.outcome.hits, row.question.relevant), row.question.relevant)
        for place, row in enumerate(rows)
        if isinstance(row.outcome, RecordedOutcome) and row.question.relevant
    }
    values = through_ir.values_by_question(
        {key: found for key, (found, _) in ranks.items()}, {key: gains for key, (_, gains) in ranks.items()}, further
    )
    return tuple(
        replace(row, valued=_with_values(row.valued, values.get(f"{place}", {}))) for place, row in enumerate(rows)
    )


def summarize_results(
    rows: Sequence[EvalResult], product: ProductIdentity, further: Sequence[str] = ()
) -> AnswerEvaluation:
    """The measures of the whole run, of every dataset and of every tag."""
    names = (*MEASURES, *further)
    parts: list[AnswerMeasures] = []
    for dataset in dict.fromkeys(row.question.dataset for row in rows):
        own = [row.valued for row in rows if row.question.dataset == dataset]
        parts.append(_measure_subset(dataset, "", own, names))
        tags = sorted({tag for row in own for tag in row.tags})
        parts += [_measure_subset(dataset, tag, [row for row in own if tag in row.tags], names) for tag in tags]
    whole = _measure_subset(ALL_QUESTIONS, "", [row.valued for row in rows], names)
    by = "ir-measures" if through_ir.is_available() else "our own formula, as trec_eval defines it"
    return AnswerEvaluation(product, names, tuple(rows), tuple(parts), whole, by)


def stage_times(rows: Sequence[EvalResult]) -> dict[str, tuple[float, float]]:
    """{stage: (median, 95th percentile)} in milliseconds, of the questions that reached that stage; "total" last."""
    import numpy as np

    outcomes = [row.outcome for row in rows if isinstance(row.outcome, RecordedOutcome)]
    found: dict[str, list[float]] = {}
    for one in outcomes:
        for stage, spent in one.stages_ms.items():
            found.setdefault(stage, []).append(spent)
    if outcomes:
        found["total"] = [one.total_ms for one in outcomes]
    order = ("understood", "retrieved", "gated", "drafting", "drafted", "verified", "quoted", "done", "total")
    return {
        stage: (float(np.quantile(found[stage], 0.5)), float(np.quantile(found[stage], 0.95)))
        for stage in order
        if stage in found
    }


def _measure_subset(
    dataset: str, tag: str, rows: Sequence[QuestionContribution], names: Sequence[str]
) -> AnswerMeasures:
    return AnswerMeasures(dataset, tag, len(rows), bootstrap_estimates(rows, names))


def _with_values(row: QuestionContribution, values: Mapping[str, float]) -> QuestionContribution:
    return replace(row, fractions={**row.fractions, **{name: (value, 1.0) for name, value in values.items()}})
