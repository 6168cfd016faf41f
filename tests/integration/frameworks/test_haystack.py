"""The components against Haystack itself, in a pipeline."""

import pytest

from tests.integration.frameworks.conftest import FALSE, LEAVE, PASSAGES, QUESTION, REFUSAL, records

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def hs():
    pytest.importorskip("haystack", reason="haystack-ai is not installed: pip install 'footnotary[haystack]'")
    from footnotary.integrations import haystack_component

    return haystack_component


def piped(part, **given):
    from haystack import Pipeline

    pipeline = Pipeline()
    pipeline.add_component("footnotary", part)
    (answer,) = pipeline.run({"footnotary": given})["footnotary"]["answers"]
    return answer


def replied(text):
    from haystack import Document
    from haystack.dataclasses import ChatMessage

    documents = [Document(content=passage) for passage in PASSAGES]
    return {"query": QUESTION, "replies": [ChatMessage.from_assistant(text)], "documents": documents}


def test_the_engine_answers_in_a_pipeline_with_the_quotes_as_documents(hs, engine):
    answer = piped(hs.FootnotaryAnswerer(engine, "hr"), query=QUESTION)
    assert LEAVE.rstrip(".") in answer.data
    assert [document.content for document in answer.documents] == [LEAVE]


def test_a_refusal_has_the_exact_text_and_no_document(hs, engine):
    answer = piped(hs.FootnotaryAnswerer(engine, "hr"), query="What is the capital of Australia?")
    assert (answer.data, answer.documents, answer.meta["refused"]) == (REFUSAL, [], True)


def test_what_a_component_returns_is_recorded_unless_the_settings_say_no(hs, open_with, home):
    answered = piped(hs.FootnotaryAnswerer(open_with(), "hr"), query=QUESTION)
    checked = piped(hs.FootnotaryChecker(), **replied(f"{LEAVE[:-1]} [1]."))
    unrecorded = piped(hs.FootnotaryAnswerer(open_with(audit="off"), "hr"), query=QUESTION)
    assert records(home) == [("haystack", said.meta["answer_id"], "answered") for said in (checked, answered)]
    assert unrecorded.meta["answer_id"] == ""


def test_a_reply_that_holds_becomes_an_answer(hs):
    answer = piped(hs.FootnotaryChecker(), **replied(f"{LEAVE[:-1]} [1]."))
    assert not answer.meta["refused"]
    assert answer.documents[0].meta["id"] == "D1"


@pytest.mark.parametrize("reply", [f"{FALSE[:-1]} [1].", LEAVE, f"{LEAVE[:-1]} [2]."])
def test_a_reply_that_does_not_hold_becomes_the_refusal(hs, reply):
    answer = piped(hs.FootnotaryChecker(), **replied(reply))
    assert (answer.data, answer.documents) == (REFUSAL, [])
