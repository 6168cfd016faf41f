"""The query engines against LlamaIndex itself."""

import pytest

from tests.integration.frameworks.conftest import FALSE, LEAVE, PASSAGES, QUESTION, REFUSAL, records

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def li():
    pytest.importorskip(
        "llama_index.core", reason="llama-index-core is not installed: pip install 'footnotary[llamaindex]'"
    )
    from footnotary.integrations import llamaindex_engine

    return llamaindex_engine


def citing(answer):
    """A CitationQueryEngine whose model says `answer`."""
    from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
    from llama_index.core.llms import CustomLLM
    from llama_index.core.llms.callbacks import llm_completion_callback
    from llama_index.core.query_engine import CitationQueryEngine
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, TextNode

    class Says(CustomLLM):
        @property
        def metadata(self):
            return LLMMetadata()

        @llm_completion_callback()
        def complete(self, prompt, formatted=False, **kwargs):
            return CompletionResponse(text=answer)

        @llm_completion_callback()
        def stream_complete(self, prompt, formatted=False, **kwargs):
            raise NotImplementedError

    class Given(BaseRetriever):
        def _retrieve(self, query_bundle):
            return [NodeWithScore(node=TextNode(text=text), score=1.0) for text in PASSAGES]

    return CitationQueryEngine.from_args(None, llm=Says(), retriever=Given())


def test_the_engine_is_a_query_engine_with_the_quotes_as_nodes(li, engine):
    response = li.FootnotaryQueryEngine(engine=engine, project="hr").query(QUESTION)
    assert LEAVE.rstrip(".") in str(response)
    assert [node.node.get_content() for node in response.source_nodes] == [LEAVE]
    assert (response.metadata["refused"], response.metadata["refusal_reason"]) == (False, None)


def test_a_refusal_has_the_exact_text_and_no_node(li, engine):
    response = li.FootnotaryQueryEngine(engine=engine, project="hr").query("What is the capital of Australia?")
    assert (str(response), response.source_nodes, response.metadata["refused"]) == (REFUSAL, [], True)


def test_what_a_query_engine_returns_is_recorded_unless_the_settings_say_no(li, open_with, home):
    answered = li.FootnotaryQueryEngine(engine=open_with(), project="hr").query(QUESTION)
    checked = li.CheckedQueryEngine(inner=citing(f"{LEAVE[:-1]} [1].")).query(QUESTION)
    unrecorded = li.FootnotaryQueryEngine(engine=open_with(audit="off"), project="hr").query(QUESTION)
    assert records(home) == [("llamaindex", said.metadata["answer_id"], "answered") for said in (checked, answered)]
    assert unrecorded.metadata["answer_id"] == ""


def test_a_citation_query_engine_s_answer_that_holds_passes(li):
    response = li.CheckedQueryEngine(inner=citing(f"{LEAVE[:-1]} [1].")).query(QUESTION)
    assert not response.metadata["refused"]
    assert response.source_nodes[0].node.metadata["id"] == "S1"


@pytest.mark.parametrize("answer", [f"{FALSE[:-1]} [1].", LEAVE, f"{LEAVE[:-1]} [2]."])
def test_a_citation_query_engine_s_answer_that_does_not_hold_becomes_the_refusal(li, answer):
    response = li.CheckedQueryEngine(inner=citing(answer)).query(QUESTION)
    assert (str(response), response.source_nodes) == (REFUSAL, [])
