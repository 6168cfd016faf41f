"""The runnables against LangChain itself."""

import pytest

from tests.integration.frameworks.conftest import FALSE, LEAVE, PASSAGES, QUESTION, REFUSAL, records

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def lc():
    pytest.importorskip("langchain_core", reason="langchain-core is not installed: pip install 'footnotary[langchain]'")
    from footnotary.integrations import langchain_runnable

    return langchain_runnable


def given(answer):
    from langchain_core.documents import Document

    return {"question": QUESTION, "documents": [Document(text) for text in PASSAGES], "answer": answer}


def test_the_engine_answers_in_a_chain_with_the_quotes_that_carry_it(lc, engine):
    from langchain_core.runnables import RunnablePassthrough

    said = (RunnablePassthrough() | lc.answering(engine, "hr")).invoke(QUESTION)
    assert not said["refused"]
    assert LEAVE.rstrip(".") in said["answer"]
    assert [document.page_content for document in said["documents"]] == [LEAVE]


def test_a_refusal_has_the_exact_text_and_no_document(lc, engine):
    said = lc.answering(engine, "hr").invoke("What is the capital of Australia?")
    assert (said["answer"], said["refused"], said["documents"]) == (REFUSAL, True, [])
    assert said["refusal_reason"]


def test_what_a_chain_returns_is_recorded_unless_the_settings_say_no(lc, open_with, home):
    answered = lc.answering(open_with(), "hr").invoke(QUESTION)
    checked = lc.checking().invoke(given(f"{LEAVE[:-1]} [1]."))
    unrecorded = lc.answering(open_with(audit="off"), "hr").invoke(QUESTION)
    assert records(home) == [("langchain", said["answer_id"], "answered") for said in (checked, answered)]
    assert unrecorded["answer_id"] == ""


def test_a_chain_s_answer_that_holds_passes_the_checks(lc):
    said = lc.checking().invoke(given(f"{LEAVE[:-1]} [1]."))
    assert not said["refused"]
    assert said["documents"][0].metadata["id"] == "D1"


def test_ids_that_are_numbers_do_not_take_the_place_of_places(lc):
    from langchain_core.documents import Document

    documents = [Document(text, id=name) for name, text in zip(("2", "1"), PASSAGES, strict=True)]
    right = {"question": QUESTION, "documents": documents, "answer": f"{LEAVE[:-1]} [1]."}
    assert not lc.checking().invoke(right)["refused"]
    assert lc.checking().invoke(right | {"answer": f"{LEAVE[:-1]} [2]."})["refused"]


@pytest.mark.parametrize("answer", [f"{FALSE[:-1]} [1].", LEAVE, f"{LEAVE[:-1]} [2].", f"{LEAVE[:-1]} [9]."])
def test_a_chain_s_answer_that_does_not_hold_becomes_the_refusal(lc, answer):
    said = lc.checking().invoke(given(answer))
    assert (said["answer"], said["refused"], said["documents"]) == (REFUSAL, True, [])
