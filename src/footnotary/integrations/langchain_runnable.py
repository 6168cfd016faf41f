"""LangChain: the engine as a runnable, and a runnable that checks the answer of any chain."""

# The library is not part of our development environment, so its types are unknown there.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda

from footnotary.app.session import Session
from footnotary.engine import Engine
from footnotary.integrations.framework_answers import Answerer, Checker, PlainOutcome, unique_names

_CHANNEL = "langchain"


def answering(engine: Engine | Session, project: str = "default") -> Runnable[str, dict[str, Any]]:
    """Question in; out come `answer`, `refused`, `refusal_reason`, `answer_id` and `documents`, the supporting quotes.

    What it answers is recorded first, as the settings of the engine say.
    """
    answerer = Answerer(engine, project, channel=_CHANNEL)

    def answer(question: str) -> dict[str, Any]:
        return _record(answerer.ask(question))

    return RunnableLambda(answer, name="footnotary")


def checking(profile: str = "default") -> Runnable[Mapping[str, Any], dict[str, Any]]:
    """Takes `question`, `documents` and `answer` of a chain that cites by `[1]`; returns what `answering` returns.

    An answer that fails a check is replaced by the refusal. Put it last, and stream nothing before it.
    """
    checker = Checker(profile, channel=_CHANNEL)

    def check(given: Mapping[str, Any]) -> dict[str, Any]:
        documents: Sequence[Document] = given["documents"]
        names = unique_names([d.id for d in documents])
        passages = [(name, d.page_content) for name, d in zip(names, documents, strict=True)]
        return _record(checker.check(given["question"], passages, given["answer"]))

    return RunnableLambda(check, name="footnotary_checks")


def _record(outcome: PlainOutcome) -> dict[str, Any]:
    return {
        "answer": outcome.text,
        "refused": outcome.refused,
        "refusal_reason": outcome.reason,
        "answer_id": outcome.answer_id,
        "documents": [Document(source.quote, metadata=source.metadata) for source in outcome.sources],
    }
