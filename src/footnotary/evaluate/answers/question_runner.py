"""Runs questions through the engine and records what the measures need: times, citations, contract violations."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from itertools import islice

from footnotary.claim import assess_claim
from footnotary.domain.outcome import Answer, Outcome
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.errors import BackendError
from footnotary.evaluate.answers.attribution import SupportFunction, attribute_statement
from footnotary.evaluate.answers.recorded_outcome import RecordedClaim, RecordedHit, RecordedOutcome
from footnotary.evaluate.answers.token_usage import ModelUsage
from footnotary.evaluate.datasets.questions import Question
from footnotary.evaluate.hidden_passages import PassageHidingStore, passage_names
from footnotary.ports import Stage, StageFact, Verifier
from footnotary.profiles.schema import Profile


@dataclass(slots=True)
class Stopwatch:
    """An `Observer` that records how long each stage took, in milliseconds."""

    spent_ms: dict[str, float] = field(default_factory=dict[str, float])
    _last: float = field(default_factory=time.perf_counter)

    def stage(self, name: Stage, **_facts: StageFact) -> None:
        now = time.perf_counter()
        self.spent_ms[name] = round((now - self._last) * 1000, 3)
        self._last = now


@dataclass(frozen=True, slots=True)
class QuestionRunner:
    """Asks the questions of a run. `spent` returns and resets the model usage of this thread."""

    engine: Engine
    scope: Scope
    supports: SupportFunction
    spent: Callable[[], ModelUsage] = ModelUsage

    def ask(self, question: Question) -> RecordedOutcome:
        """Raises `BackendError` where retrieval or generation fails."""
        engine, watch = self.engine, Stopwatch()
        if question.without:
            engine = replace(engine, store=PassageHidingStore(engine.store, question.without))
        self.spent()
        outcome = engine.ask(question.question, self.scope, watch)
        return _record_outcome(outcome, engine.profile, self.supports, watch.spent_ms, self.spent())


@dataclass(frozen=True, slots=True)
class FailedQuestion:
    """A question that failed with an error: neither an answer nor a refusal."""

    error: str


def ask_concurrently(
    questions: Sequence[Question], runner: Callable[[Question], QuestionRunner], jobs: int = 1
) -> Iterator[tuple[Question, RecordedOutcome | FailedQuestion]]:
    """Each question with its outcome, as they complete; at most `jobs` run at once."""
    with ThreadPoolExecutor(jobs, thread_name_prefix="asking") as pool:
        waiting = iter(questions)
        under_way: dict[Future[RecordedOutcome | FailedQuestion], Question] = {}
        try:
            while True:
                # At most `jobs` are submitted at a time, so that an interruption ends the run at once.
                for question in islice(waiting, jobs - len(under_way)):
                    under_way[pool.submit(_ask_or_fail, runner(question), question)] = question
                if not under_way:
                    return
                for done in wait(under_way, return_when=FIRST_COMPLETED).done:
                    yield under_way.pop(done), done.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def product_verifier(profile: Profile, entailer: Verifier | None) -> SupportFunction:
    """The product's own verifier under a profile."""
    return lambda claim, passages: assess_claim(claim, passages, profile, entailer).supported


def contract_violations(outcome: Outcome, profile: Profile) -> tuple[str, ...]:
    """Every contract violation in the delivered outcome, found from the outcome alone."""
    if not isinstance(outcome, Answer):
        said = outcome.message in (profile.refusal.en, profile.refusal.hi)
        return () if said else ("the refusal is not the profile's text",)
    found: list[str] = []
    for number, claim in enumerate(outcome.claims):
        if not claim.cites:
            found.append(f"claim {number + 1} cites nothing")
        quoted = {citation.id for citation in outcome.citations if citation.claim == number}
        for cited in claim.cites:
            if outcome.evidence.chunk(cited) is None:
                found.append(f"claim {number + 1} cites [{cited}], which was not retrieved")
            elif cited not in quoted:
                found.append(f"claim {number + 1} cites [{cited}] without a quote")
    for citation in outcome.citations:
        chunk = outcome.evidence.chunk(citation.id)
        if chunk is not None and citation.quote not in chunk.text:
            found.append(f"the quote for [{citation.id}] is not in its text")
    found += [f"{verdict.check} did not pass" for verdict in outcome.verdicts if verdict.status != "pass"]
    return tuple(found)


def _ask_or_fail(runner: QuestionRunner, question: Question) -> RecordedOutcome | FailedQuestion:
    try:
        return runner.ask(question)
    except BackendError as error:
        return FailedQuestion(error.message)


def _record_outcome(
    outcome: Outcome, profile: Profile, supports: SupportFunction, stages_ms: dict[str, float], spent: ModelUsage
) -> RecordedOutcome:
    hits = tuple(RecordedHit(passage_names(hit.chunk), round(hit.score, 4)) for hit in outcome.evidence.hits)
    escapes = contract_violations(outcome, profile)
    cost = (spent.calls, spent.sent, spent.received)
    if not isinstance(outcome, Answer):
        return RecordedOutcome(False, outcome.reason.value, outcome.message, 0.0, (), hits, escapes, stages_ms, *cost)
    texts = {hit.chunk.id: hit.chunk.text for hit in outcome.evidence.hits}
    claims: list[RecordedClaim] = []
    for claim in outcome.claims:
        found = attribute_statement(claim.text, [texts.get(cited, "") for cited in claim.cites], supports)
        claims.append(RecordedClaim(claim.text, claim.cites, found.recalled, found.precise))
    return RecordedOutcome(True, "", outcome.text, outcome.confidence, tuple(claims), hits, escapes, stages_ms, *cost)
