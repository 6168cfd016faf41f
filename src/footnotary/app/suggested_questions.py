"""The questions that a refusal suggests: only those that the documents answer."""

from dataclasses import replace

from footnotary.domain.outcome import Answer, Outcome, Refusal
from footnotary.engine import Engine
from footnotary.errors import FootnotaryError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.render.refusal_explanation import candidate_questions


def suggested_questions(engine: Engine, outcome: Outcome) -> tuple[str, ...]:
    """Of the questions that come near a refused one, at most three, those that the engine answers; none of an answer.

    Each is asked as it would be, without a language model. A fault while one is tried only leaves that one out.
    """
    if not isinstance(outcome, Refusal):
        return ()
    extractive = ExtractiveGenerator(engine.profile, engine.reader)
    trial = replace(engine, generator=extractive, expand=None, quoter=None)
    return tuple(asked for asked in candidate_questions(outcome) if _is_answered(trial, asked, outcome))


def _is_answered(engine: Engine, question: str, refusal: Refusal) -> bool:
    try:
        return isinstance(engine.ask(question, refusal.query.scope), Answer)
    except FootnotaryError:
        return False
