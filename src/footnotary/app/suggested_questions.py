"""The questions that a refusal suggests: only those that the documents answer."""

from dataclasses import replace

from footnotary.domain.outcome import Answer, Outcome, Refusal
from footnotary.engine import Engine
from footnotary.errors import FootnotaryError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.render.candidate_questions import CandidateQuestion, candidate_questions


def suggested_questions(engine: Engine, outcome: Outcome) -> tuple[str, ...]:
    """Of the questions that come near a refused one, at most three, those that the engine answers; none of an answer.

    One that is made from a heading has to be answered from the section below it. Each is asked as it would be,
    without a language model. A fault while one is tried only leaves that one out.
    """
    if not isinstance(outcome, Refusal):
        return ()
    extractive = ExtractiveGenerator(engine.profile, engine.reader)
    trial = replace(engine, generator=extractive, expand=None, quoter=None)
    return tuple(one.text for one in candidate_questions(outcome) if _is_answered(trial, one, outcome))


def _is_answered(engine: Engine, candidate: CandidateQuestion, refusal: Refusal) -> bool:
    try:
        outcome = engine.ask(candidate.text, refusal.query.scope)
    except FootnotaryError:
        return False
    return isinstance(outcome, Answer) and candidate.is_answered_by(outcome)
