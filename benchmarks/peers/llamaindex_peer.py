"""LlamaIndex: CitationQueryEngine as it comes, with its own prompts, over a retriever that gives the passages."""

from __future__ import annotations

from collections.abc import Iterator

from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.llms.openai_like import OpenAILike

from benchmarks.peers.serving import Document, numbered

CONTEXT = 32_768


class FixedRetriever(BaseRetriever):
    """Finds what it was given."""

    def __init__(self, documents: list[Document]) -> None:
        self._given = documents
        super().__init__()

    def _retrieve(self, query_bundle: object) -> list[NodeWithScore]:  # noqa: ARG002
        return [NodeWithScore(node=_node(document), score=1.0) for document in self._given]


def _node(document: Document) -> TextNode:
    # The engine gives new ids to what it cites, and keeps the metadata; the model must not see it.
    kept = {"metadata": {"passage": document["id"]}, "excluded_llm_metadata_keys": ["passage"]}
    return TextNode(id_=document["id"], text=document["text"], **kept)


class LlamaIndexPeer:
    def __init__(self, base_url: str, max_tokens: int | None = None) -> None:
        # A context that holds all passages: with a small one it would ask the model once for each part of them.
        self._llm = OpenAILike(
            model="scripted", api_base=base_url, api_key="none", is_chat_model=True, max_retries=0, temperature=0.0,
            context_window=CONTEXT, max_tokens=max_tokens,
        )  # fmt: skip

    def _engine(self, documents: list[Document], streaming: bool) -> CitationQueryEngine:
        return CitationQueryEngine.from_args(
            None, llm=self._llm, retriever=FixedRetriever(documents), streaming=streaming
        )

    def answer(self, question: str, documents: list[Document]) -> tuple[str, list[str]]:
        response = self._engine(documents, False).query(question)
        # It splits long passages and gives back all parts; which of them a sentence cites is for the reader to look up.
        shown = [{"id": source.node.metadata["passage"]} for source in response.source_nodes]
        return str(response), numbered(str(response), shown or documents)

    def stream(self, question: str, documents: list[Document]) -> Iterator[str]:
        yield from self._engine(documents, True).query(question).response_gen
