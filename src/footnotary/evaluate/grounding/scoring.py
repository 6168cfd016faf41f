"""Verifier scores for labelled rows, sentence by sentence where a row has several."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from footnotary.claim import assess_claim
from footnotary.errors import BackendError, InvariantError
from footnotary.evaluate.datasets.labelled_rows import LabelledRow
from footnotary.ports import PassageText, Reader, Verifier
from footnotary.profiles.schema import Profile
from footnotary.text.sentences.factual_content import has_factual_content
from footnotary.text.sentences.splitter import sentences

BATCH_SIZE = 16


class ClaimScorer(Protocol):
    """Scores claims; the product delivers a claim that scores at least its profile's threshold."""

    @property
    def name(self) -> str:
        """Identifies rules and weights exactly: two scorers with the same name give the same scores."""
        ...

    def scores(self, claims: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        """For each (claim, passages) a score from 0 to 1, higher where the passages support the claim better."""
        ...


@dataclass(frozen=True, slots=True)
class ProductScorer:
    """The scores of `footnotary.verify_claim` under a profile; `name` identifies the weights."""

    profile: Profile
    entailer: Verifier | None
    name: str

    def scores(self, claims: Sequence[tuple[str, Sequence[str]]]) -> Sequence[float]:
        return [assess_claim(claim, passages, self.profile, self.entailer).score for claim, passages in claims]


@dataclass(frozen=True, slots=True)
class Score:
    """A row's score; `sentences` are the scores of its sentences, where the row labels them."""

    value: float
    sentences: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class RowScorers:
    """The models that score rows; without a reader, questions cannot be scored."""

    claims: ClaimScorer
    reader: Reader | None = None

    def scores(self, rows: Sequence[LabelledRow]) -> list[Score]:
        """One score per row, in order. A response is as well supported as its worst sentence."""
        parts = [scored_texts(row) for row in rows]
        asked = [(p, row.passages) for row, of in zip(rows, parts, strict=True) if row.level != "question" for p in of]
        values = iter(self.claims.scores(asked) if asked else ())
        questions = [
            (row.claim, [PassageText("", passage) for passage in row.passages])
            for row in rows
            if row.level == "question"
        ]
        if questions and self.reader is None:
            raise InvariantError("question rows need a reader")
        probabilities = iter(self.reader.answers(questions) if self.reader and questions else ())
        return [
            Score(float(next(probabilities)))
            if row.level == "question"
            else _lowest_score(row, of, tuple(float(v) for v in islice(values, len(of))))
            for row, of in zip(rows, parts, strict=True)
        ]


def score_concurrently(
    rows: Sequence[LabelledRow], opens: Callable[[], RowScorers], jobs: int = 1
) -> Iterator[tuple[LabelledRow, Score]]:
    """Each row with its score, in order, as they complete; `opens` creates the scorers, once in every process.

    With more than one job, `opens` must be picklable.
    """
    batches = [rows[i : i + BATCH_SIZE] for i in range(0, len(rows), BATCH_SIZE)]
    if jobs == 1 or len(batches) < 2:
        scorers = opens()
        for batch in batches:
            yield from zip(batch, scorers.scores(batch), strict=True)
        return
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(jobs, len(batches)), mp_context=spawn, initializer=_open_in_worker, initargs=(opens,)
    )
    try:
        for batch, scores in zip(batches, pool.map(_score_in_worker, batches), strict=True):
            yield from zip(batch, scores, strict=True)
    except BrokenProcessPool:
        raise BackendError(
            "a scoring process ended unexpectedly, perhaps out of memory", hint="use fewer --jobs"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def scored_texts(row: LabelledRow) -> tuple[str, ...]:
    """The texts scored separately: the labelled sentences, the sentences of a response, or the claim itself."""
    if row.sentences:
        return tuple(row.claim[start:end] for start, end, _ in row.sentences)
    if row.level != "response":
        return (row.claim,)
    found = tuple(sentence for sentence in sentences(row.claim) if has_factual_content(sentence))
    return found or (row.claim,)


def _lowest_score(row: LabelledRow, parts: Sequence[str], values: tuple[float, ...]) -> Score:
    """The lowest sentence score; a sentence without factual content does not count."""
    counted = [v for part, v in zip(parts, values, strict=True) if has_factual_content(part)] or values
    return Score(min(counted), values if row.sentences else ())


# The scorers of a worker process: created when it starts, because they are too large to send with every batch.
_worker_scorers: list[RowScorers] = []


def _open_in_worker(opens: Callable[[], RowScorers]) -> None:
    _worker_scorers[:] = [opens()]


def _score_in_worker(rows: Sequence[LabelledRow]) -> list[Score]:
    return _worker_scorers[0].scores(rows)
