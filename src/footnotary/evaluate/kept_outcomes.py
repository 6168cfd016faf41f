"""Outcomes stored in a file as they complete, so that an interrupted run resumes where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from footnotary.evaluate.kept_lines import Record, kept_lines
from footnotary.evaluate.questions import Question
from footnotary.evaluate.told import Told, told_of


class KeptOutcomes:
    """The outcomes of one product, by the key of their question: a question that was changed is asked again."""

    def __init__(self, found: dict[tuple[str, str], Told], keep: Callable[[Mapping[str, object]], None]) -> None:
        self._found = found
        self._keep = keep

    def __contains__(self, question: Question) -> bool:
        return (question.dataset, question.key) in self._found

    def __getitem__(self, question: Question) -> Told:
        return self._found[question.dataset, question.key]

    def add(self, question: Question, outcome: Told) -> None:
        """Stores the outcome; once this returns, it survives the end of the process."""
        self._found[question.dataset, question.key] = outcome
        about = {"dataset": question.dataset, "key": question.key, "id": question.id, "question": question.question}
        self._keep(about | outcome.record())


@contextmanager
def kept_outcomes(path: Path | None, product: str) -> Generator[KeptOutcomes]:
    """The outcomes at `path` if they are of `product`, else none; without a path they are only kept in memory."""
    found: dict[tuple[str, str], Told] = {}

    def take(record: Record) -> None:
        found[str(record["dataset"]), str(record["key"])] = told_of(record)

    with kept_lines(path, {"kind": "footnotary outcomes", "product": product}, take) as keep:
        yield KeptOutcomes(found, keep)
