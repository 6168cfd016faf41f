"""LangChain: the recipe with structured output, where the model returns an answer and the ids of its sources.

Prompt, source ids and fields are those of the recipe for citations in its documentation, with "article" for
"Wikipedia article". The server constrains the reply to the schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from langchain_core.documents import Document as LangChainDocument
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field

from benchmarks.peers.serving import Document

RULES = (
    "You're a helpful AI assistant. Given a user question and some article snippets, answer the user question. If none "
    "of the articles answer the question, just say you don't know.\n\nHere are the articles: {sources}"
)


class CitedAnswer(BaseModel):
    """Answer the user question based only on the given sources, and cite the sources used."""

    answer: str = Field(..., description="The answer to the user question, which is based only on the given sources.")
    citations: list[int] = Field(..., description="The integer IDs of the SPECIFIC sources which justify the answer.")


def _listed(given: dict[str, object]) -> str:
    documents: list[LangChainDocument] = given["documents"]  # type: ignore[assignment]
    return "\n\n" + "\n\n".join(f"Source ID: {n}\nArticle Snippet: {d.page_content}" for n, d in enumerate(documents))


class LangChainCitedPeer:
    def __init__(self, base_url: str, max_tokens: int | None = None) -> None:
        model = ChatOpenAI(
            model="scripted", base_url=base_url, api_key="none", max_retries=0, temperature=0, max_tokens=max_tokens
        )
        prompt = ChatPromptTemplate.from_messages([("system", RULES), ("human", "{question}")])
        structured = model.with_structured_output(CitedAnswer, method="json_schema")
        self._chain = RunnablePassthrough.assign(sources=RunnableLambda(_listed)) | prompt | structured

    def answer(self, question: str, documents: list[Document]) -> tuple[str, list[str]]:
        given = {"question": question, "documents": [LangChainDocument(d["text"], id=d["id"]) for d in documents]}
        said: CitedAnswer = self._chain.invoke(given)
        return said.answer, [documents[n]["id"] for n in said.citations if 0 <= n < len(documents)]

    def stream(self, question: str, documents: list[Document]) -> Iterator[str]:
        yield self.answer(question, documents)[0]
