"""`/rag/*` as the compliance contract has it: five fields, a refusal is a result, nothing invented."""

import json

import pytest

from footnotary.compat.grounding import REFUSAL_MESSAGE

FIELDS = {"answer", "sources", "citations", "refusal_reason", "query"}
PHI = "What are PHI identifiers?"


def asked(client, **given):
    return client.post("/rag/query", json={"query": PHI, "project_id": "demo", **given})


@pytest.mark.smoke
def test_an_answer_carries_its_markers_sources_and_citations(client):
    response = asked(client)
    body = response.json()
    assert response.status_code == 200
    assert set(body) == FIELDS
    assert body["refusal_reason"] is None
    assert body["query"] == PHI
    assert body["citations"]
    for cited in body["citations"]:
        assert f"[SOURCE: {cited}]" in body["answer"]
    assert [source["source_id"] for source in body["sources"]] == body["citations"]
    assert all(set(source) == {"source_id", "content_snippet", "score", "metadata"} for source in body["sources"])
    assert response.headers["x-answer-id"].startswith("ans_")


def test_what_is_cited_is_what_the_sources_say(client):
    body = asked(client, citations="strip").json()
    assert "[" not in body["answer"]
    texts = " ".join(source["content_snippet"] for source in body["sources"])
    assert body["answer"].split(". ")[0].rstrip(".") in texts


def test_an_unknown_project_is_refused_and_not_an_error(client):
    response = asked(client, project_id="nowhere")
    assert response.status_code == 200
    assert response.json() == {
        "answer": REFUSAL_MESSAGE,
        "sources": [],
        "citations": [],
        "refusal_reason": "collection_not_found",
        "query": PHI,
    }


@pytest.mark.smoke
def test_a_question_the_corpus_is_not_about_is_refused(client):
    body = asked(client, query="How tall is the Eiffel tower at midnight?").json()
    assert (body["refusal_reason"], body["answer"]) == ("no_relevant_content", REFUSAL_MESSAGE)
    assert body["sources"] == body["citations"] == []


def test_too_few_sources_are_refused(client):
    body = asked(client, min_sources=10, k=1).json()
    assert body["refusal_reason"] == "insufficient_sources"
    assert body["sources"] == []


def test_no_sources_needed_still_needs_something_found(client):
    body = asked(client, min_sources=0, query="How tall is the Eiffel tower at midnight?").json()
    assert body["refusal_reason"] is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"k": 21},
        {"k": "5"},
        {"k": True},
        {"min_sources": -1},
        {"min_sources": 11},
        {"query": ""},
        {"query": "  \n"},
        {"query": "x" * 4001},
        {"query": None},
        {"project_id": ""},
        {"backend": "other"},
        {"mode": "guess"},
        {"citations": "hide"},
        {"tenant": "alpha"},
        {"tenant_id": "alpha"},
        {"policy_profile": "../../etc/passwd"},
    ],
    ids=str,
)
def test_a_request_out_of_form_is_a_problem_that_repeats_nothing(client, wrong):
    response = asked(client, **wrong)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["code"] == "invalid"
    assert "passwd" not in response.text
    assert "alpha" not in response.text


def test_the_bounds_of_k_and_of_sources_are_inclusive(client):
    assert asked(client, k=20, min_sources=0).status_code == 200
    assert asked(client, k=1, min_sources=1).status_code == 200
    assert asked(client, min_sources=10).status_code == 200


def test_retrieval_only_answers_nothing_and_shows_what_was_found(client):
    body = asked(client, mode="retrieve", k=3).json()
    assert set(body) == FIELDS
    assert (body["answer"], body["citations"], body["refusal_reason"]) == ("", [], None)
    assert len(body["sources"]) == 3


def test_the_graph_is_followed_where_asked(client):
    plain = asked(client, mode="retrieve", k=5, query="personation section 419").json()["sources"]
    graph = asked(client, mode="retrieve", k=5, query="personation section 419", include_graph=True).json()["sources"]
    assert {source["metadata"]["via"] for source in plain} <= {"search", "reference"}
    assert {source["source_id"] for source in plain} <= {source["source_id"] for source in graph}


def test_a_profile_decides_the_style_and_the_refusal(client):
    body = asked(client, policy_profile="legal", query="What is cheating?").json()
    assert f"[{body['citations'][0]}]" in body["answer"]
    refused = asked(client, policy_profile="legal", project_id="nowhere").json()
    assert refused["answer"] == "I cannot answer based on the provided documents."


def test_a_profile_that_is_not_there_is_a_problem(client):
    response = asked(client, policy_profile="nonesuch")
    assert (response.status_code, response.json()["code"]) == (404, "unknown_profile")


def test_the_extractive_backend_is_always_there_and_a_model_only_where_one_is_set(client):
    assert asked(client, backend="extractive").json()["refusal_reason"] is None
    response = asked(client, backend="openai")
    assert (response.status_code, response.json()["code"]) == (409, "backend_unavailable")


def test_search_finds_passages_with_scores(client):
    response = client.get("/rag/search", params={"query": PHI, "project_id": "demo", "k": 2})
    body = response.json()
    assert response.status_code == 200
    assert len(body["sources"]) == 2
    assert all(0 <= source["score"] <= 1 for source in body["sources"])
    assert client.get("/rag/search", params={"query": PHI, "project_id": "nowhere"}).status_code == 404
    assert asked(client, project_id="nowhere", mode="retrieve").status_code == 404


def test_health_needs_no_key(client):
    assert client.get("/rag/health").json()["status"] == "ok"
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ok"}


def test_the_same_question_has_the_same_answer(client):
    assert asked(client).json() == asked(client).json()


def test_nothing_a_refusal_says_comes_from_a_document(client):
    response = client.post("/rag/query", content=json.dumps({"query": "vault word", "project_id": "strongroom"}),
                           headers={"content-type": "application/json"})  # fmt: skip
    assert response.json()["refusal_reason"] == "collection_not_found"


CLASHING = {
    "leave_a.txt": "Rule 3. A worker is entitled to eighteen days of paid leave in each calendar year.",
    "leave_b.txt": "Rule 3. A worker is entitled to twenty days of paid leave in each calendar year.",
}
LEAVE = "How many days of paid leave is a worker entitled to in each calendar year?"


def with_clashing_documents(client):
    corpus = client.app.state.service.tenant("local").corpus
    for name, text in CLASHING.items():
        assert not corpus.ingest_text(name, text, "leave").failed


@pytest.mark.parametrize(("profile", "reason"), [("compliance", "conflicting_sources"), ("legal", None)])
def test_sources_that_contradict_each_other_are_named_with_both_values(client, profile, reason):
    with_clashing_documents(client)
    body = asked(client, query=LEAVE, project_id="leave", policy_profile=profile).json()
    assert body["refusal_reason"] == reason
    assert set(body) == FIELDS | {"conflicts"}
    (clash,) = body["conflicts"]
    assert {clash["value_a"], clash["value_b"]} == {"eighteen days", "twenty days"}
    assert {clash["quote_a"], clash["quote_b"]} == set(CLASHING.values())


@pytest.mark.parametrize("profile", ["compliance", "legal"])
def test_the_chat_form_names_both_values_too(client, profile):
    with_clashing_documents(client)
    wanted = {"model": f"leave@{profile}", "messages": [{"role": "user", "content": LEAVE}]}
    (clash,) = client.post("/v1/chat/completions", json=wanted).json()["footnotary"]["conflicts"]
    assert {clash["value_a"], clash["value_b"]} == {"eighteen days", "twenty days"}


@pytest.mark.parametrize(("k", "status"), [(2, 200), (2.0, 200), (2.5, 422), ("2", 422), (True, 422), (1e400, 400)])
def test_two_point_zero_is_an_integer_as_in_json_schema(client, k, status):
    body = json.dumps({"query": PHI, "project_id": "demo", "k": k}).replace("Infinity", "1e400")
    response = client.post("/rag/query", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == status
