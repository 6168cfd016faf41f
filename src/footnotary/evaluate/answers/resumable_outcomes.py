"""Outcomes stored in a file as they complete, so that an interrupted run resumes where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from footnotary.evaluate.answers.recorded_outcome import RecordedOutcome, parse_outcome
from footnotary.evaluate.datasets.questions import Question
from footnotary.evaluate.reporting.resumable_lines import JsonRecord, open_resumable_file


class OutcomeFile:
    """The outcomes of one product, by the key of their question: a question that was changed is asked again."""

    def __init__(
        self, found: dict[tuple[str, str], RecordedOutcome], keep: Callable[[Mapping[str, object]], None]
    ) -> None:
        self._found = found
        self._keep = keep

    def __contains__(self, question: Question) -> bool:
        return (question.dataset, question.key) in self._found

    def __getitem__(self, question: Question) -> RecordedOutcome:
        return self._found[question.dataset, question.key]

    def add(self, question: Question, outcome: RecordedOutcome) -> None:
        """Stores the outcome; once this returns, it survives the end of the process."""
        self._found[question.dataset, question.key] = outcome
        about = {"dataset": question.dataset, "key": question.key, "id": question.id, "question": question.question}
        self._keep(about | outcome.record())


@contextmanager
def open_outcome_file(path: Path | None, product: str) -> Generator[OutcomeFile]:
    """The outcomes at `path` if they are of `product`, else none; without a path they are only kept in memory."""
    found: dict[tuple[str, str], RecordedOutcome] = {}

    def take(record: JsonRecord) -> None:
        found[str(record["dataset"]), str(record["key"])] = parse_outcome(record)

    with open_resumable_file(path, {"kind": "footnotary outcomes", "product": product}, take) as keep:
        yield OutcomeFile(found, keep)
