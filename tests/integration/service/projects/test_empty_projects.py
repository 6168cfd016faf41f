"""A project that was created and has no documents yet, over HTTP and MCP."""

import asyncio
import json

import pytest
from mcp import Client

from footnotary.audit.bundle import content_in
from footnotary.mcp_server.server import build_server
from footnotary.replay import ReplayMatch, replay
from footnotary.service.auth.authentication import OPEN_CREDENTIAL
from footnotary.settings import load_settings
from footnotary.wiring import open_replay

QUESTION = "What is the punishment for cheating?"
MISSING = "project 'e' has no documents yet"


@pytest.fixture
def client(start):
    client = start(answer_cache="on")
    # Asked before it exists: the cache must not remember that it did not.
    assert asked(client)["needed"]["missing"] == "there is no project 'e'"
    assert client.post("/v1/projects", json={"name": "e"}).status_code == 201
    return client


def asked(client):
    return client.post("/v1/ask", json={"question": QUESTION, "project": "e"}).json()["outcome"]


def called(client, tool, arguments):
    async def call():
        async with Client(build_server(client.app.state.service, lambda _: OPEN_CREDENTIAL)) as mcp:
            return await mcp.call_tool(tool, arguments)

    return asyncio.run(call())


def test_an_empty_project_was_refused_as_if_it_did_not_exist(client):
    refused = asked(client)
    assert (refused["refusal_reason"], refused["needed"]["missing"]) == ("collection_not_found", MISSING)
    assert refused["needed"]["explanation"].startswith("The project 'e' has no documents yet.")
    said = client.post("/rag/query", json={"query": QUESTION, "project_id": "e"}).json()
    assert (said["refusal_reason"], said["sources"]) == ("collection_not_found", [])


def test_an_empty_project_was_no_model(client):
    assert client.get("/v1/models/e").status_code == 200
    assert "e" in [model["id"] for model in client.get("/v1/models").json()["data"]]
    body = {"model": "e@legal", "messages": [{"role": "user", "content": QUESTION}]}
    assert client.post("/v1/chat/completions", json=body).json()["footnotary"]["needed"]["missing"] == MISSING


@pytest.mark.parametrize(
    ("path", "status"),
    [("/documents", 200), ("/documents/x", 404), ("/sources/A_1_0", 404), ("/conversations", 200)],
)
def test_an_empty_project_has_no_document_and_no_passage(client, path, status):
    response = client.get(f"/v1/projects/e{path}")
    assert response.status_code == status
    assert status == 200 or response.json()["code"] == "not_found"


def test_a_document_of_an_empty_project_was_a_project_that_does_not_exist(client):
    response = client.post("/v1/ask", json={"question": QUESTION, "project": "e", "document": "x"})
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_an_empty_project_was_hidden_from_the_tools(client):
    listed = called(client, "list_projects", {}).structured_content["projects"]
    assert [(one["name"], one["documents"]) for one in listed] == [("demo", 2), ("e", 0)]
    given = called(client, "answer_grounded", {"question": QUESTION, "project": "e"}).structured_content
    assert (given["refusal_reason"], given["needed"]["missing"]) == ("collection_not_found", MISSING)
    assert called(client, "list_documents", {"project": "e"}).structured_content["documents"] == []
    assert (
        called(client, "search_evidence", {"question": QUESTION, "project": "e"}).structured_content["passages"] == []
    )
    missing = called(client, "get_source", {"id": "A_1_0", "project": "e"})
    assert json.loads(missing.content[0].text)["code"] == "not_found"


def test_the_refusal_of_an_empty_project_derives_again(client):
    asked(client)
    notary = client.app.state.service.tenant("local").notary
    (latest, _) = client.get("/v1/audit").json()["records"]
    content = content_in(notary.bundle(latest["answer_id"]))
    assert isinstance(replay(content, open_replay(load_settings({"verifier": "lexical"}, environ={}))), ReplayMatch)
