"""A refusal that can be known beforehand costs no model call: a counter on a real model server shows it."""

import pytest

from footnotary.testing.chat_server import ChatServer, claims, replies

pytestmark = pytest.mark.server

ABSENT = "How tall is the Eiffel tower at midnight?"
QUESTION = "What is the punishment for cheating?"
# What an answer would be, and what is wrong with it does not matter here: only whether it is asked for.
REPLY = replies(claims(("Whoever cheats shall be punished with imprisonment for up to one year.", [1])))


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def model():
    with ChatServer(REPLY) as server:
        yield server


@pytest.fixture
def client(start, model):
    return start(model="scripted", base_url=model.base_url, api_key="none")


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"project_id": "nowhere"}, "collection_not_found"),
        ({"project_id": "strongroom"}, "collection_not_found"),
        ({"query": ABSENT}, "no_relevant_content"),
        ({"query": "?"}, "no_relevant_content"),
        ({"min_sources": 10, "k": 2}, "insufficient_sources"),
        ({"query": "What is the definition of a dwelling house?"}, "insufficient_evidence"),
    ],
    ids=str,
)
@pytest.mark.parametrize("profile", ["compliance", "legal"])
def test_no_model_is_called_before_the_gate(client, model, asked, reason, profile):
    given = {"query": QUESTION, "project_id": "demo", "policy_profile": profile, **asked}
    response = client.post("/rag/query", json=given)
    assert response.json()["refusal_reason"] == reason
    assert response.json()["citations"] == response.json()["sources"] == []
    assert len(model.seen) == 0


def test_native_questions_are_refused_as_early(client, model):
    for asked in ({"project": "nowhere"}, {"question": ABSENT}, {"min_sources": 20, "k": 1}):
        given = {"question": QUESTION, "project": "demo", **asked}
        assert client.post("/v1/ask", json=given).json()["outcome"]["refusal_reason"]
    assert len(model.seen) == 0


def test_what_a_refusal_suggests_is_answered_and_costs_no_call_of_the_model(client, model):
    asked = {"question": "What is the punishment for robbery and what is the speed limit?", "project": "demo"}
    suggested = client.post("/v1/ask", json=asked).json()["outcome"]["needed"]["questions"]
    assert suggested[0] == "What is the punishment for robbery?"
    assert len(model.seen) == 0


def test_searches_call_no_model(client, model):
    client.post("/rag/query", json={"query": QUESTION, "project_id": "demo", "mode": "retrieve"})
    client.get("/rag/search", params={"query": QUESTION, "project_id": "demo"})
    client.post("/v1/retrieve", json={"query": QUESTION, "project": "demo"})
    client.post("/v1/verify", json={"answer": "A [1].", "passages": [{"id": "a", "text": "A."}]})
    assert len(model.seen) == 0


def test_a_request_out_of_form_calls_no_model(client, model):
    client.post("/rag/query", json={"query": QUESTION, "project_id": "demo", "k": 99})
    client.post("/rag/query", json={"query": QUESTION, "project_id": "demo", "policy_profile": "nonesuch"})
    assert len(model.seen) == 0


def test_the_counter_counts_one_call_for_a_question_that_passes_the_gate(client, model):
    client.post("/rag/query", json={"query": QUESTION, "project_id": "demo"})
    assert len(model.seen) == 1


def test_the_extractive_backend_calls_none(client, model):
    body = client.post("/rag/query", json={"query": QUESTION, "project_id": "demo", "backend": "extractive"}).json()
    assert body["refusal_reason"] is None
    assert len(model.seen) == 0
