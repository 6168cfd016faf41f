"""Haystack: the engine as a component, and a component that holds the replies of a generator to the contract."""

# The library is no part of our own environment, so its types are not known there.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUntypedClassDecorator=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false, reportUnknownArgumentType=false, reportUntypedFunctionDecorator=false

from typing import Any

from haystack import Document, component
from haystack.dataclasses import ChatMessage, GeneratedAnswer

from footnotary.engine import Engine
from footnotary.integrations.plain import Plain, asked, checked


@component
class FootnotaryAnswerer:
    """Query in, one answer out; its documents are the quotes that carry it, its meta says `refused` and why."""

    def __init__(self, engine: Engine, project: str = "default") -> None:
        self.engine = engine
        self.project = project

    @component.output_types(answers=list[GeneratedAnswer])
    def run(self, query: str) -> dict[str, Any]:
        return {"answers": [_answer(query, asked(self.engine, query, self.project))]}


@component
class FootnotaryChecker:
    """In the place of an AnswerBuilder: replies that cite documents by `[1]` become answers only where they hold."""

    def __init__(self, profile: str = "default") -> None:
        self.profile = profile

    @component.output_types(answers=list[GeneratedAnswer])
    def run(self, query: str, replies: list[ChatMessage], documents: list[Document]) -> dict[str, Any]:
        passages = [(f"D{number}", document.content or "") for number, document in enumerate(documents, 1)]
        said = (checked(query, passages, reply.text or "", profile=self.profile) for reply in replies)
        return {"answers": [_answer(query, one) for one in said]}


def _answer(query: str, said: Plain) -> GeneratedAnswer:
    documents = [Document(content=source.quote, meta=source.metadata, score=source.score) for source in said.sources]
    return GeneratedAnswer(said.text, query, documents, {"refused": said.refused, "refusal_reason": said.reason})
