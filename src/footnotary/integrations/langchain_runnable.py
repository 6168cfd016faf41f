"""LangChain: the engine as a runnable, and a runnable that holds the answer of any chain to the contract."""

# The library is no part of our own environment, so its types are not known there.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda

from footnotary.engine import Engine
from footnotary.integrations.plain import Plain, asked, checked, own_names


def answering(engine: Engine, project: str = "default") -> Runnable[str, dict[str, Any]]:
    """Question in; out come `answer`, `refused`, `refusal_reason` and `documents`, the quotes that carry it."""

    def answer(question: str) -> dict[str, Any]:
        return _record(asked(engine, question, project))

    return RunnableLambda(answer, name="footnotary")


def checking(profile: str = "default") -> Runnable[Mapping[str, Any], dict[str, Any]]:
    """Takes `question`, `documents` and `answer` of a chain that cites by `[1]`; gives what `answering` gives.

    An answer that does not hold is replaced by the refusal. Put it last, and stream nothing before it.
    """

    def check(given: Mapping[str, Any]) -> dict[str, Any]:
        documents: Sequence[Document] = given["documents"]
        names = own_names([d.id for d in documents])
        passages = [(name, d.page_content) for name, d in zip(names, documents, strict=True)]
        return _record(checked(given["question"], passages, given["answer"], profile=profile))

    return RunnableLambda(check, name="footnotary_checks")


def _record(said: Plain) -> dict[str, Any]:
    documents = [Document(source.quote, metadata=source.metadata) for source in said.sources]
    return {"answer": said.text, "refused": said.refused, "refusal_reason": said.reason, "documents": documents}
