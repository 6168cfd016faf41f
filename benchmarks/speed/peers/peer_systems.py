"""One class for each peer: passages and vectors in, the nearest passages and a whole answer out.

Runs in the peer's own environment: nothing of Footnotary is imported, and each peer only when it is opened. Vectors are
given, so that no system spends time on embedding. Stores are the default local ones, written to disk where they can be.
"""

# pyright: basic
from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from benchmarks.speed.peers.facts import K


class PeerSystem(Protocol):
    """A system over a folder of its own. `answer` is missing in those that only store."""

    def ingest(self, texts: list[str], vectors: Any) -> None: ...

    def search(self, question: str, vector: Any) -> list[int]: ...


class LlamaIndex:
    """VectorStoreIndex with its SimpleVectorStore, persisted; CitationQueryEngine for answers."""

    def __init__(self, folder: Path, model_url: str) -> None:
        from llama_index.core.query_engine import CitationQueryEngine
        from llama_index.llms.openai_like import OpenAILike

        self._folder = folder
        self._llm = OpenAILike(
            model="scripted", api_base=model_url, api_key="none", is_chat_model=True, max_retries=0, temperature=0.0,
            context_window=32_768,
        )  # fmt: skip
        self._engine_class = CitationQueryEngine

    def ingest(self, texts: list[str], vectors: Any) -> None:
        from llama_index.core import MockEmbedding, VectorStoreIndex
        from llama_index.core.schema import TextNode

        nodes = [
            TextNode(id_=str(n), text=text, embedding=vector.tolist())
            for n, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]
        self._index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=vectors.shape[1]))
        self._index.storage_context.persist(str(self._folder))
        self._retriever = self._index.as_retriever(similarity_top_k=K)

    def search(self, question: str, vector: Any) -> list[int]:
        return [int(found.node.node_id) for found in self._retriever.retrieve(self._query(question, vector))]

    def answer(self, question: str, vector: Any) -> str:
        engine = self._engine_class.from_args(self._index, llm=self._llm, retriever=self._retriever)
        return str(engine.query(self._query(question, vector)))

    def _query(self, question: str, vector: Any) -> Any:
        from llama_index.core.schema import QueryBundle

        return QueryBundle(question, embedding=vector.tolist())


class Haystack:
    """InMemoryDocumentStore, saved to disk; prompt builder, chat generator and AnswerBuilder for answers."""

    def __init__(self, folder: Path, model_url: str) -> None:
        from benchmarks.peers.haystack_peer import HaystackPeer

        self._folder = folder
        self._peer = HaystackPeer(model_url)

    def ingest(self, texts: list[str], vectors: Any) -> None:
        from haystack import Document
        from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
        from haystack.document_stores.in_memory import InMemoryDocumentStore

        store = InMemoryDocumentStore(embedding_similarity_function="dot_product")
        rows = enumerate(zip(texts, vectors, strict=True))
        store.write_documents([Document(id=str(n), content=t, embedding=v.tolist()) for n, (t, v) in rows])
        store.save_to_disk(str(self._folder / "store.json"))
        self._retriever = InMemoryEmbeddingRetriever(store, top_k=K)

    def search(self, question: str, vector: Any) -> list[int]:  # noqa: ARG002 (the form of a system)
        return [int(found.id) for found in self._retriever.run(vector.tolist())["documents"]]

    def answer(self, question: str, vector: Any) -> str:
        found = self._retriever.run(vector.tolist())["documents"]
        return self._peer.answer(question, [{"id": one.id, "text": one.content} for one in found])[0]


class LangChain:
    """InMemoryVectorStore, dumped to disk; the usual chain of prompt, model and parser for answers."""

    def __init__(self, folder: Path, model_url: str) -> None:
        from benchmarks.peers.langchain_peer import LangChainPeer

        self._folder = folder
        self._peer = LangChainPeer(model_url)

    def ingest(self, texts: list[str], vectors: Any) -> None:
        from langchain_core.embeddings import Embeddings
        from langchain_core.vectorstores import InMemoryVectorStore

        class GivenVectors(Embeddings):
            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return [vector.tolist() for vector in vectors[: len(texts)]]

            def embed_query(self, text: str) -> list[float]:
                raise NotImplementedError(text)

        self._store = InMemoryVectorStore(GivenVectors())
        self._store.add_texts(texts, ids=[str(n) for n in range(len(texts))])
        self._store.dump(str(self._folder / "store.json"))

    def search(self, question: str, vector: Any) -> list[int]:  # noqa: ARG002 (the form of a system)
        return [int(found.id) for found in self._store.similarity_search_by_vector(vector.tolist(), k=K)]

    def answer(self, question: str, vector: Any) -> str:
        found = self._store.similarity_search_by_vector(vector.tolist(), k=K)
        return self._peer.answer(question, [{"id": one.id, "text": one.page_content} for one in found])[0]


class Chroma:
    """A persistent client with its HNSW index."""

    def __init__(self, folder: Path, model_url: str) -> None:  # noqa: ARG002 (the form of a system)
        import chromadb

        client = chromadb.PersistentClient(str(folder), chromadb.Settings(anonymized_telemetry=False))
        self._rows = client.create_collection("passages", configuration={"hnsw": {"space": "ip"}})

    def ingest(self, texts: list[str], vectors: Any) -> None:
        for start in range(0, len(texts), 1_000):
            some = slice(start, start + 1_000)
            ids = [str(n) for n in range(start, min(start + 1_000, len(texts)))]
            self._rows.add(ids=ids, documents=texts[some], embeddings=vectors[some])

    def search(self, question: str, vector: Any) -> list[int]:  # noqa: ARG002 (the form of a system)
        return [int(found) for found in self._rows.query(query_embeddings=[vector], n_results=K)["ids"][0]]


class LanceDb:
    """A table searched exactly, as is its default below the size at which an index is worth building."""

    def __init__(self, folder: Path, model_url: str) -> None:  # noqa: ARG002 (the form of a system)
        import lancedb

        self._base = lancedb.connect(folder)

    def ingest(self, texts: list[str], vectors: Any) -> None:
        import pyarrow as pa

        column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), vectors.shape[1])
        rows = {"id": pa.array(range(len(texts)), pa.int64()), "text": pa.array(texts), "vector": column}
        self._table = self._base.create_table("passages", pa.table(rows))

    def search(self, question: str, vector: Any) -> list[int]:  # noqa: ARG002 (the form of a system)
        found = self._table.search(vector).distance_type("dot").limit(K).to_list()
        return [int(row["id"]) for row in found]


class Faiss:
    """IndexFlatIP, written to disk, and the texts in a file of JSON lines."""

    def __init__(self, folder: Path, model_url: str) -> None:  # noqa: ARG002 (the form of a system)
        import faiss

        self._faiss, self._folder = faiss, folder

    def ingest(self, texts: list[str], vectors: Any) -> None:
        self._texts = texts
        self._index = self._faiss.IndexFlatIP(vectors.shape[1])
        self._index.add(vectors)
        self._faiss.write_index(self._index, str(self._folder / "index.faiss"))
        (self._folder / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts), "utf-8")

    def search(self, question: str, vector: Any) -> list[int]:  # noqa: ARG002 (the form of a system)
        return [int(n) for n in self._index.search(vector[None], K)[1][0]]


PEERS: dict[str, type] = {
    "llamaindex": LlamaIndex,
    "haystack": Haystack,
    "langchain": LangChain,
    "chroma": Chroma,
    "lancedb": LanceDb,
    "faiss": Faiss,
}
