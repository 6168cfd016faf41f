"""LlamaIndex: the engine as a query engine, and one that checks the answers of another."""

# The library is not part of our development environment, so its types are unknown there.
# pyright: reportMissingImports=false, reportUntypedBaseClass=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false

from typing import Any

from llama_index.core.base.response.schema import Response
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.query_engine import CustomQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode

from footnotary.integrations.framework_answers import Answerer, Checker, PlainOutcome

_CHANNEL = "llamaindex"


class FootnotaryQueryEngine(CustomQueryEngine):
    """Answers from our index, each recorded first; `engine` is an `Engine` or a `Session`.

    `metadata` of a response has `refused`, `refusal_reason` and `answer_id`; its nodes are the supporting quotes.
    """

    engine: Any
    project: str = "default"
    _answerer: Answerer = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._answerer = Answerer(self.engine, self.project, channel=_CHANNEL)

    def custom_query(self, query_str: str) -> Response:
        return _response(self._answerer.ask(query_str))


class CheckedQueryEngine(CustomQueryEngine):
    """Asks `inner`, such as a CitationQueryEngine, and returns its answer only if it passes every check."""

    inner: Any
    profile: str = "default"
    _checker: Checker = PrivateAttr()

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self._checker = Checker(self.profile, channel=_CHANNEL)

    def custom_query(self, query_str: str) -> Response:
        response = self.inner.query(query_str)
        passages = [(f"S{n}", _bare(node.node.get_content())) for n, node in enumerate(response.source_nodes, 1)]
        return _response(self._checker.check(query_str, passages, str(response)))


def _bare(text: str) -> str:
    """A CitationQueryEngine writes "Source 1:" above what it quotes."""
    first, line_end, rest = text.partition("\n")
    return rest if line_end and first.startswith("Source ") and first.endswith(":") else text


def _response(outcome: PlainOutcome) -> Response:
    nodes = [
        NodeWithScore(node=TextNode(text=source.quote, metadata=source.metadata), score=source.score)
        for source in outcome.sources
    ]
    meta = {"refused": outcome.refused, "refusal_reason": outcome.reason, "answer_id": outcome.answer_id}
    return Response(outcome.text, nodes, meta)
