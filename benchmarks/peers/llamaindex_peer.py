"""LlamaIndex: CitationQueryEngine as it comes, with its own prompts, over a retriever that gives the passages."""

from __future__ import annotations

from collections.abc import Iterator

from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.llms.openai_like import OpenAILike

from benchmarks.peers.serving import Document, numbered


class FixedRetriever(BaseRetriever):
    """Finds what it was given."""

    def __init__(self, documents: list[Document]) -> None:
        self._given = documents
        super().__init__()

    def _retrieve(self, query_bundle: object) -> list[NodeWithScore]:  # noqa: ARG002
        return [NodeWithScore(node=TextNode(id_=d["id"], text=d["text"]), score=1.0) for d in self._given]


class LlamaIndexPeer:
    def __init__(self, base_url: str) -> None:
        self._llm = OpenAILike(model="scripted", api_base=base_url, api_key="none", is_chat_model=True, max_retries=0)

    def _engine(self, documents: list[Document], streaming: bool) -> CitationQueryEngine:
        return CitationQueryEngine.from_args(
            None, llm=self._llm, retriever=FixedRetriever(documents), streaming=streaming
        )

    def answer(self, question: str, documents: list[Document]) -> tuple[str, list[str]]:
        text = str(self._engine(documents, False).query(question))
        # It gives back all sources; which of them a sentence cites is for the reader to look up by number.
        return text, numbered(text, documents)

    def stream(self, question: str, documents: list[Document]) -> Iterator[str]:
        yield from self._engine(documents, True).query(question).response_gen
