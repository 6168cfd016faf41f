"""LangChain: the usual chain, prompt | model | parser, with numbered documents and a prompt that asks for citations.

It has no component that cites; its documentation shows recipes, of which this one works with every model.
"""

from __future__ import annotations

from collections.abc import Iterator

from langchain_core.documents import Document as LangChainDocument
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_openai import ChatOpenAI

from benchmarks.peers.serving import Document, numbered

RULES = (
    "You answer questions from the given sources only. Cite the number of the source in square brackets behind each "
    "sentence, such as [1]. If the sources do not answer the question, say that you do not know.\n\n{sources}"
)


def _listed(given: dict[str, object]) -> str:
    documents: list[LangChainDocument] = given["documents"]  # type: ignore[assignment]
    return "\n\n".join(f"[{number}] {document.page_content}" for number, document in enumerate(documents, 1))


class LangChainPeer:
    def __init__(self, base_url: str) -> None:
        model = ChatOpenAI(model="scripted", base_url=base_url, api_key="none", max_retries=0, temperature=0)
        prompt = ChatPromptTemplate.from_messages([("system", RULES), ("human", "{question}")])
        self._chain = RunnablePassthrough.assign(sources=RunnableLambda(_listed)) | prompt | model | StrOutputParser()

    def _given(self, question: str, documents: list[Document]) -> dict[str, object]:
        return {"question": question, "documents": [LangChainDocument(d["text"], id=d["id"]) for d in documents]}

    def answer(self, question: str, documents: list[Document]) -> tuple[str, list[str]]:
        text = self._chain.invoke(self._given(question, documents))
        return text, numbered(text, documents)

    def stream(self, question: str, documents: list[Document]) -> Iterator[str]:
        yield from self._chain.stream(self._given(question, documents))
