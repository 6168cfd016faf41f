"""The conflicts of a document over HTTP: compared on request, and those that the caller's own answers reported."""

import pytest

from footnotary.service.auth.api_keys import ApiKeyStore
from tests.integration.service.test_documents import code, finished, sent

TWELVE = "Every employee is entitled to 12 days of annual leave."
EIGHTEEN = "Every employee is entitled to 18 days of annual leave."
QUESTION = "How many days of annual leave is an employee entitled to?"
POLICY = f"Leave Policy\n\n{TWELVE} Requests are made to the head of the department.".encode()
HANDBOOK = f"Staff Handbook\n\n{EIGHTEEN} The office gives out the forms.".encode()


@pytest.fixture
def keys(home):
    ring = ApiKeyStore(home)
    names = {"reader": "reader", "second": "reader", "writer": "writer", "admin": "admin"}
    made = {name: {"Authorization": f"Bearer {ring.create('alpha', role)[1]}"} for name, role in names.items()}
    made["stranger"] = {"Authorization": f"Bearer {ring.create('beta', 'admin')[1]}"}
    ring.close()
    return made


def conflicts(client, name="policy.txt", project="p", headers=None, **params):
    return client.get(f"/v1/projects/{project}/document-conflicts/{name}", params=params, headers=headers or {})


def stored(client, headers=None):
    for name, data in (("policy.txt", POLICY), ("handbook.txt", HANDBOOK)):
        url = f"/v1/projects/p/documents?name={name}"
        octets = {"Content-Type": "application/octet-stream", **(headers or {})}
        reply = client.post(url, content=data, headers=octets)
        assert finished(client, reply.json()["job"], headers=headers or {})["state"] == "done"


def asked(client, headers=None):
    body = {"question": QUESTION, "project": "p", "profile": "default"}
    reply = client.post("/v1/ask", json=body, headers=headers or {}).json()
    assert reply["outcome"]["conflicts"], reply["outcome"]["answer"]
    return reply["answer_id"]


def test_a_document_shows_what_it_contradicts_and_where(client):
    stored(client)
    read = conflicts(client).json()
    assert (read["start"], read["next"], read["skipped"]) == (0, None, [])
    (found,) = read["conflicts"]
    assert (found["own"]["value"], found["other"]["value"]) == ("12 days", "18 days")
    assert (found["other"]["document"], found["other"]["title"]) == ("handbook.txt", "handbook")
    assert found["answer_id"] is None
    for side in (found["own"], found["other"]):
        text = client.get(f"/v1/projects/p/document-text/{side['document']}").json()["text"]
        assert text[side["start"] : side["end"]] == side["quote"]
    assert conflicts(client, start=read["passages"]).json()["conflicts"] == []


def test_a_document_that_is_not_there_has_no_conflicts(client):
    finished(client, sent(client))
    assert code(conflicts(client, "other.txt")) == (404, "not_found")
    assert code(conflicts(client, project="other")) == (404, "unknown_project")
    assert code(conflicts(client, start=-1)) == (422, "invalid")


def test_an_answer_that_reported_a_conflict_is_named_to_who_asked_and_to_an_admin(start, keys):
    client = start()
    stored(client, keys["writer"])
    answer = asked(client, keys["reader"])
    named = {
        name: [one["answer_id"] for one in conflicts(client, headers=keys[name]).json()["conflicts"]]
        for name in ("reader", "second", "admin")
    }
    assert named == {"reader": [answer, None], "second": [None], "admin": [answer, None]}
    other = conflicts(client, "handbook.txt", headers=keys["reader"]).json()["conflicts"][0]
    assert (other["answer_id"], other["own"]["quote"], other["other"]["quote"]) == (answer, EIGHTEEN, TWELVE)
    assert code(conflicts(client, headers=keys["stranger"])) == (404, "unknown_project")


def test_a_reported_conflict_is_settled_when_a_document_changes(client):
    stored(client)
    asked(client)
    assert len(conflicts(client).json()["conflicts"]) == 2
    finished(client, sent(client, "handbook.txt", HANDBOOK.replace(b"18", b"12")))
    assert conflicts(client).json()["conflicts"] == []


def test_a_reported_conflict_is_settled_when_one_document_supersedes_the_other(client):
    stored(client)
    asked(client)
    finished(client, sent(client, "handbook.txt", HANDBOOK, supersedes="policy.txt"))
    assert conflicts(client).json()["conflicts"] == []
