"""End-to-end measures, each a ratio of sums over questions, so that any subset of questions can be measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from footnotary.evaluate.answers.question_runner import FailedQuestion
from footnotary.evaluate.answers.ranking import NDCG, RECALLS, ranked_ids, ranking_values
from footnotary.evaluate.answers.recorded_outcome import RecordedOutcome
from footnotary.evaluate.answers.text_match import contains, exact_match, token_f1
from footnotary.evaluate.datasets.questions import Question

Ratio = tuple[float, float]
CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure. `better` is the direction of improvement; None where higher is neither better nor worse."""

    name: str
    title: str
    better: Literal["higher", "lower"] | None = "higher"
    unit: Literal["share", "ms", "money", "words"] = "share"


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        *(Measure(name, name.replace("recall", "Recall")) for name in RECALLS),
        Measure(NDCG, "nDCG@10"),
        Measure("citation_precision", "citation precision"),
        Measure("citation_recall", "citation recall"),
        Measure("source_precision", "citations of a relevant source"),
        Measure("source_recall", "answers citing a relevant source"),
        Measure("refusal_precision", "refusals: precision"),
        Measure("refusal_recall", "refusals: recall"),
        Measure("refusal_f1", "refusals: F1"),
        Measure("answer_precision", "answers: precision"),
        Measure("answer_recall", "answers: recall"),
        Measure("answer_f1", "answers: F1"),
        Measure("false_answer_rate", "false answers", "lower"),
        Measure("false_refusal_rate", "false refusals", "lower"),
        Measure("token_f1", "token F1"),
        Measure("exact_match", "exact match"),
        Measure("answer_contained", "expected answer contained"),
        Measure("contract_escapes", "contract escapes", "lower"),
        Measure("unsupported_claim_rate", "unsupported claims", "lower"),
        Measure("failures", "failures", "lower"),
        Measure("words_per_answer", "words per answer", None, "words"),
        Measure("mean_ms", "mean time", "lower", "ms"),
        Measure("cost", "cost of a question", "lower", "money"),
    )
}


def measure_of(name: str) -> Measure:
    """The measure of that name: one of `MEASURES`, or one of ir-measures under its own name."""
    return MEASURES.get(name) or Measure(name, name)


@dataclass(frozen=True, slots=True)
class Prices:
    """Price of a million tokens, prompt and completion; a token is estimated as four characters."""

    sent: float = 0.0
    received: float = 0.0

    def of(self, outcome: RecordedOutcome) -> float:
        return (outcome.chars_sent * self.sent + outcome.chars_received * self.received) / CHARS_PER_TOKEN / 1_000_000


def measure_contributions(
    question: Question, outcome: RecordedOutcome | FailedQuestion, prices: Prices | None = None
) -> dict[str, Ratio]:
    """What one question adds to each measure: numerator and denominator. Measures it does not affect are left out."""
    if isinstance(outcome, FailedQuestion):
        return {"failures": (1.0, 1.0)}
    found: dict[str, Ratio] = {
        "failures": (0.0, 1.0),
        "contract_escapes": (float(bool(outcome.escapes)), 1.0),
        "mean_ms": (outcome.total_ms, 1.0),
        "cost": ((prices or Prices()).of(outcome), 1.0),
    }
    found |= _outcome_contributions(question, outcome)
    if question.relevant:
        values = ranking_values(ranked_ids(outcome.hits, question.relevant), question.relevant)
        found |= {name: (value, 1.0) for name, value in values.items()}
    if outcome.answered:
        found |= _answer_contributions(question, outcome)
    return found


def is_correct(question: Question, outcome: RecordedOutcome) -> bool | None:
    """Whether an answer is correct as far as the labels say; None where they do not say.

    It is wrong where a refusal was expected. Otherwise it must cite a relevant source where relevant sources are
    labelled; else it must contain an expected answer or reach a token F1 of 0.5 with one.
    """
    if question.expected is None:
        return None
    if question.expected == "refusal":
        return False
    if question.relevant:
        return any(_is_relevant(question, outcome, cited) for cited in outcome.cited)
    if question.answers:
        return any(contains(outcome.text, a) or token_f1(outcome.text, a) >= 0.5 for a in question.answers)
    return None


def _outcome_contributions(question: Question, outcome: RecordedOutcome) -> dict[str, Ratio]:
    """Precision, recall and F1 of refusing and of answering, as two classes."""
    if question.expected is None:
        return {}
    found: dict[str, Ratio] = {}
    for name, taken, wanted in (
        ("refusal", not outcome.answered, question.expected == "refusal"),
        ("answer", outcome.answered, question.expected == "answer"),
    ):
        right = float(taken and wanted)
        found[f"{name}_precision"] = (right, float(taken))
        found[f"{name}_recall"] = (right, float(wanted))
        found[f"{name}_f1"] = (2 * right, float(taken) + float(wanted))
    refused, unanswerable = not outcome.answered, question.expected == "refusal"
    found["false_answer_rate"] = (float(unanswerable and not refused), float(unanswerable))
    found["false_refusal_rate"] = (float(refused and not unanswerable), float(not unanswerable))
    return found


def _answer_contributions(question: Question, outcome: RecordedOutcome) -> dict[str, Ratio]:
    recalled = [claim.recalled for claim in outcome.claims]
    precise = [value for claim in outcome.claims for value in claim.precise]
    found: dict[str, Ratio] = {
        # As ALCE does: a mean over the statements of an answer, then over answers.
        "citation_recall": (sum(recalled) / len(recalled), 1.0) if recalled else (0.0, 1.0),
        "citation_precision": (sum(precise) / len(precise), 1.0) if precise else (0.0, 1.0),
        "unsupported_claim_rate": (float(len(recalled) - sum(recalled)), float(len(recalled))),
        "words_per_answer": (float(len(outcome.text.split())), 1.0),
    }
    if question.relevant:
        right = [_is_relevant(question, outcome, cited) for cited in outcome.cited]
        found["source_precision"] = (sum(right) / len(right), 1.0) if right else (0.0, 1.0)
        found["source_recall"] = (float(any(right)), 1.0)
    if question.answers:
        found["token_f1"] = (max(token_f1(outcome.text, answer) for answer in question.answers), 1.0)
        found["exact_match"] = (float(any(exact_match(outcome.text, answer) for answer in question.answers)), 1.0)
        found["answer_contained"] = (float(any(contains(outcome.text, answer) for answer in question.answers)), 1.0)
    return found


def _is_relevant(question: Question, outcome: RecordedOutcome, cited: str) -> bool:
    names = next((hit.names for hit in outcome.hits if hit.names[0] == cited), (cited,))
    return any(name in question.relevant for name in names)
