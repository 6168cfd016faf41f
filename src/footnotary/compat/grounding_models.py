"""The compliance service's data types: retrieval results, answers, and refusal reasons."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from pydantic import AliasChoices, BaseModel, Field

from footnotary.domain.verdict import Reason
from footnotary.external.passages import clamp_score, first_field, first_text_field

REFUSAL_MESSAGE = "I don't have enough information from the indexed documents to answer."

INSUFFICIENT_SOURCES: Literal["insufficient_sources"] = "insufficient_sources"
COLLECTION_NOT_FOUND: Literal["collection_not_found"] = "collection_not_found"
NO_RELEVANT_CONTENT: Literal["no_relevant_content"] = "no_relevant_content"
GENERATION_ERROR: Literal["generation_error"] = "generation_error"

_GRAPH_FIELDS = ("is_graph", "from_graph", "graph")
_KIND_FIELDS = ("via", "source_type", "retrieval_type", "type", "origin")
# A file may be called "graph theory.pdf"; only the exact word names the retriever of a document.
_NAME_FIELDS = ("source", "retriever", "method", "kind")
_GRAPH_NAMES = frozenset({"graph", "knowledge_graph", "graph_expansion", "graph_expanded", "neo4j"})


class RetrievalSource(BaseModel):
    """One source retrieved for a question; answers cite it by its stable `source_id`."""

    source_id: str
    content_snippet: str
    score: float = 0.0
    metadata: dict[str, Any] = Field(default_factory=dict)


class RetrievalResult(BaseModel):
    """The retrieved sources, and whether they are enough to generate from. `results` is an alias of `sources`."""

    sources: list[RetrievalSource] = Field(validation_alias=AliasChoices("sources", "results"))
    query_analysis: dict[str, Any] = Field(default_factory=dict)
    is_sufficient: bool

    @property
    def results(self) -> list[RetrievalSource]:
        return self.sources

    @classmethod
    def from_documents(
        cls,
        documents: Iterable[Mapping[str, Any] | object],
        min_sources: int = 1,
        query_analysis: Mapping[str, Any] | None = None,
        include_graph: bool = False,
    ) -> "RetrievalResult":
        """Documents as sources, in order: mappings or objects with an id, content and optionally score and metadata.

        Documents without id or text and duplicates are dropped, and so are those added by a knowledge graph unless
        `include_graph` is set. An empty result is never sufficient, whatever `min_sources` says.
        """
        sources: list[RetrievalSource] = []
        seen: set[str] = set()
        for document in documents:
            source = _source(document)
            keys = {source.source_id, f"text {source.content_snippet.strip()}"}
            if not source.source_id.strip() or not source.content_snippet.strip() or keys & seen:
                continue
            if _is_graph(document) and not include_graph:
                continue
            seen |= keys
            sources.append(source)
        enough = len(sources) >= max(min_sources, 1)
        return cls(sources=sources, query_analysis=dict(query_analysis or {}), is_sufficient=enough)


class AnswerResult(BaseModel):
    """An answer with the ids it cites, or a refusal: the exact message, no citations, and the reason code."""

    answer_text: str
    citations: list[str] = Field(default_factory=list)
    refusal_reason: str | None = None
    confidence: float | None = None

    @property
    def is_refusal(self) -> bool:
        return self.refusal_reason is not None

    @classmethod
    def refusal(cls, reason: str | Reason, message: str = REFUSAL_MESSAGE) -> "AnswerResult":
        return cls(answer_text=message, citations=[], refusal_reason=str(reason))


def _source(document: Mapping[str, Any] | object) -> RetrievalSource:
    metadata = _metadata(document)
    names = ("source_id", "id", "chunk_id", "semantic_id")
    score = first_field(document, "score")
    return RetrievalSource(
        source_id=first_text_field(document, *names) or first_text_field(metadata, *names) or "",
        content_snippet=first_text_field(document, "content_snippet", "content", "page_content", "text") or "",
        score=clamp_score(first_field(metadata, "score") if score is None else score),
        metadata=metadata,
    )


def _is_graph(document: Mapping[str, Any] | object) -> bool:
    for holder in (document, _metadata(document)):
        if any(first_field(holder, name) is True for name in _GRAPH_FIELDS):
            return True
        if any((first_text_field(holder, name) or "").casefold().startswith("graph") for name in _KIND_FIELDS):
            return True
        if any((first_text_field(holder, name) or "").casefold() in _GRAPH_NAMES for name in _NAME_FIELDS):
            return True
    return False


def _metadata(document: Mapping[str, Any] | object) -> dict[str, Any]:
    metadata = first_field(document, "metadata")
    return dict(cast("Mapping[str, Any]", metadata)) if isinstance(metadata, Mapping) else {}
