"""Haystack: the engine as a component, and a component that checks the replies of a generator."""

# The library is not part of our development environment, so its types are unknown there.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUntypedClassDecorator=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false, reportUnknownArgumentType=false, reportUntypedFunctionDecorator=false

from typing import Any

from haystack import Document, component
from haystack.dataclasses import ChatMessage, GeneratedAnswer

from footnotary.app.session import Session
from footnotary.engine import Engine
from footnotary.integrations.framework_answers import Answerer, Checker, PlainOutcome

_CHANNEL = "haystack"


@component
class FootnotaryAnswerer:
    """Query in, one recorded answer out; its documents are the supporting quotes, its meta says `refused` and why."""

    def __init__(self, engine: Engine | Session, project: str = "default") -> None:
        self.engine = engine
        self.project = project
        self._answerer = Answerer(engine, project, channel=_CHANNEL)

    @component.output_types(answers=list[GeneratedAnswer])
    def run(self, query: str) -> dict[str, Any]:
        return {"answers": [_answer(query, self._answerer.ask(query))]}


@component
class FootnotaryChecker:
    """In place of an AnswerBuilder: replies citing documents by `[1]` become answers only if all checks pass."""

    def __init__(self, profile: str = "default") -> None:
        self.profile = profile
        self._checker = Checker(profile, channel=_CHANNEL)

    @component.output_types(answers=list[GeneratedAnswer])
    def run(self, query: str, replies: list[ChatMessage], documents: list[Document]) -> dict[str, Any]:
        passages = [(f"D{number}", document.content or "") for number, document in enumerate(documents, 1)]
        outcomes = (self._checker.check(query, passages, reply.text or "") for reply in replies)
        return {"answers": [_answer(query, outcome) for outcome in outcomes]}


def _answer(query: str, outcome: PlainOutcome) -> GeneratedAnswer:
    documents = [Document(content=source.quote, meta=source.metadata, score=source.score) for source in outcome.sources]
    meta = {"refused": outcome.refused, "refusal_reason": outcome.reason, "answer_id": outcome.answer_id}
    return GeneratedAnswer(outcome.text, query, documents, meta)
