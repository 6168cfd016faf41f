"""LlamaIndex: the engine as a query engine, and one that holds the answers of another to the contract."""

# The library is no part of our own environment, so its types are not known there.
# pyright: reportMissingImports=false, reportUntypedBaseClass=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false

from typing import Any

from llama_index.core.base.response.schema import Response
from llama_index.core.query_engine import CustomQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode

from footnotary.integrations.plain import Plain, asked, checked


class FootnotaryQueryEngine(CustomQueryEngine):
    """Answers from our index. `metadata` of a response says `refused` and `refusal_reason`; nodes are the quotes."""

    engine: Any
    project: str = "default"

    def custom_query(self, query_str: str) -> Response:
        return _response(asked(self.engine, query_str, self.project))


class CheckedQueryEngine(CustomQueryEngine):
    """Asks `inner`, such as a CitationQueryEngine, and gives out its answer only where it keeps the contract."""

    inner: Any
    profile: str = "default"

    def custom_query(self, query_str: str) -> Response:
        response = self.inner.query(query_str)
        passages = [(f"S{n}", _bare(node.node.get_content())) for n, node in enumerate(response.source_nodes, 1)]
        return _response(checked(query_str, passages, str(response), profile=self.profile))


def _bare(text: str) -> str:
    """A CitationQueryEngine writes "Source 1:" above what it quotes."""
    first, line_end, rest = text.partition("\n")
    return rest if line_end and first.startswith("Source ") and first.endswith(":") else text


def _response(said: Plain) -> Response:
    nodes = [
        NodeWithScore(node=TextNode(text=source.quote, metadata=source.metadata), score=source.score)
        for source in said.sources
    ]
    return Response(said.text, nodes, {"refused": said.refused, "refusal_reason": said.reason})
