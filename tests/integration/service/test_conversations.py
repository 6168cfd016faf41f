"""Conversations over HTTP: continued, edited, reopened and exported, and nobody else's."""

import io
import zipfile
from xml.etree import ElementTree

import pytest

from footnotary.service.auth.api_keys import ApiKeyStore
from tests.integration.service.test_documents import finished, sent

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
FIRST = "What is the punishment for cheating?"
SECOND = "And for theft?"


def ask(client, question, headers=None, **more):
    body = {"question": question, "project": "demo", "profile": "legal", **more}
    reply = client.post("/v1/ask", json=body, headers=headers or {})
    assert reply.status_code == 200, reply.text
    return reply.json()


@pytest.fixture
def keys(home):
    """A key of each role for two tenants."""
    ring = ApiKeyStore(home)
    made = {
        (tenant, role, n): {"Authorization": f"Bearer {ring.create(tenant, role)[1]}"}
        for tenant in ("alpha", "beta")
        for role in ("reader", "admin")
        for n in (1, 2)
    }
    ring.close()
    return made


def talk(client, headers=None):
    """Two turns; the second refers to the first."""
    first = ask(client, FIRST, headers, conversation="new")
    second = ask(
        client,
        SECOND,
        headers,
        conversation=first["conversation"],
        follows=first["answer_id"],
        history=[FIRST],
    )
    return first, second


def reopened(client, conversation, headers=None, project="demo"):
    return client.get(f"/v1/projects/{project}/conversations/{conversation}", headers=headers or {})


def test_a_follow_up_says_what_it_was_asked_as_and_a_first_question_does_not(client):
    first, second = talk(client)
    assert first["asked_as"] is None
    assert "theft" in second["asked_as"]
    assert second["asked_as"] != SECOND
    assert second["outcome"]["query"] == second["asked_as"]
    assert second["conversation"] == first["conversation"]


def test_a_conversation_is_reopened_from_the_audit_log_as_it_was_delivered(client):
    first, second = talk(client)
    found = reopened(client, first["conversation"]).json()
    assert [turn["question"] for turn in found["turns"]] == [FIRST, SECOND]
    assert [turn["asked_as"] for turn in found["turns"]] == [None, second["asked_as"]]
    assert [turn["outcome"] for turn in found["turns"]] == [first["outcome"], second["outcome"]]
    listed = client.get("/v1/projects/demo/conversations").json()
    assert listed["next"] is None
    assert [(one["id"], one["title"], one["turns"]) for one in listed["conversations"]] == [
        (first["conversation"], FIRST, 2)
    ]


def test_an_edited_question_takes_the_place_of_what_came_after_it(client):
    first, _ = talk(client)
    edited = ask(
        client, "What is theft?", conversation=first["conversation"], follows=first["answer_id"], history=[FIRST]
    )
    turns = reopened(client, first["conversation"]).json()["turns"]
    assert [turn["answer_id"] for turn in turns] == [first["answer_id"], edited["answer_id"]]
    again = ask(client, "What is mischief?", conversation=first["conversation"], follows=None)
    turns = reopened(client, first["conversation"]).json()["turns"]
    assert [turn["answer_id"] for turn in turns] == [again["answer_id"]]


def test_a_question_that_named_only_the_conversation_hid_its_earlier_turns(client):
    """It continues the conversation: it comes after the latest answer."""
    first, second = talk(client)
    third = ask(client, "What is mischief?", conversation=first["conversation"])
    turns = reopened(client, first["conversation"]).json()["turns"]
    assert [turn["answer_id"] for turn in turns] == [one["answer_id"] for one in (first, second, third)]


def test_the_stream_names_the_conversation_and_what_was_asked(client):
    first = ask(client, FIRST, conversation="new")
    body = {"question": SECOND, "project": "demo", "profile": "legal", "history": [FIRST], "stream": True}
    body |= {"conversation": first["conversation"], "follows": first["answer_id"]}
    said = client.post("/v1/ask", json=body).text
    assert f'"conversation":"{first["conversation"]}"' in said
    assert '"asked_as":"' in said


def test_a_profile_that_stores_no_questions_keeps_no_conversation(client):
    said = ask(client, FIRST, profile="compliance", conversation="new", history=["What is theft?"])
    assert said["conversation"] is None
    assert client.get("/v1/projects/demo/conversations").json()["conversations"] == []
    assert FIRST not in client.get("/v1/audit").text


def test_a_conversation_of_another_tenant_project_or_key_is_not_found(start, keys):
    client = start()
    mine, other = keys["alpha", "reader", 1], keys["alpha", "reader", 2]
    first, _ = talk(client, mine)
    conversation = first["conversation"]
    assert reopened(client, conversation, mine).status_code == 200
    assert reopened(client, conversation, keys["alpha", "admin", 1]).status_code == 200
    for headers, project in (
        (other, "demo"),
        (keys["beta", "admin", 1], "demo"),
        (mine, "strongroom"),
        (keys["alpha", "admin", 1], "strongroom"),
    ):
        reply = reopened(client, conversation, headers, project)
        assert (reply.status_code, reply.json()["code"]) == (404, "not_found")
    assert client.get("/v1/projects/demo/conversations", headers=other).json()["conversations"] == []
    assert client.get("/v1/projects/strongroom/conversations", headers=mine).json()["conversations"] == []


@pytest.mark.parametrize(
    ("headers", "project", "status"),
    [
        (("beta", "admin", 1), "demo", 404),
        (("alpha", "reader", 2), "demo", 404),
        (("alpha", "reader", 1), "strongroom", 404),
        (("alpha", "reader", 1), "demo", 200),
    ],
)
def test_nobody_continues_a_conversation_that_is_not_theirs(start, keys, headers, project, status):
    client = start()
    first, _ = talk(client, keys["alpha", "reader", 1])
    body = {"question": FIRST, "project": project, "profile": "legal", "conversation": first["conversation"]}
    assert client.post("/v1/ask", json=body, headers=keys[headers]).status_code == status


def test_an_answer_of_another_conversation_cannot_be_followed(client):
    first, _ = talk(client)
    other = ask(client, FIRST, conversation="new")
    body = {"question": SECOND, "project": "demo", "conversation": first["conversation"], "follows": other["answer_id"]}
    assert client.post("/v1/ask", json=body).status_code == 404


@pytest.mark.parametrize("conversation", [None, "new"])
def test_an_answer_to_follow_needs_its_conversation(client, conversation):
    first, _ = talk(client)
    body = {"question": SECOND, "project": "demo", "follows": first["answer_id"]}
    body |= {"conversation": conversation} if conversation else {}
    reply = client.post("/v1/ask", json=body)
    assert (reply.status_code, reply.json()["code"]) == (422, "unusable")


def export(client, answers, form, headers=None, project="demo"):
    body = {"answers": answers, "format": form}
    return client.post(f"/v1/projects/{project}/conversation-exports", json=body, headers=headers or {})


def test_a_word_export_has_a_real_footnote_for_every_citation(client):
    first, second = talk(client)
    refused = ask(client, "How high may a volcano be?")
    reply = export(client, [first["answer_id"], second["answer_id"], refused["answer_id"]], "docx")
    assert 'filename="conversation.docx"' in reply.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    body, notes = (ElementTree.fromstring(parts[f"word/{name}.xml"]) for name in ("document", "footnotes"))
    referred = [found.get(f"{W}id") for found in body.iter(f"{W}footnoteReference")]
    written = {note.get(f"{W}id"): "".join(note.itertext()) for note in notes.iter(f"{W}footnote")}
    cited = [c for said in (first, second) for c in said["outcome"]["citation_details"]]
    assert len(referred) == len(cited) > 0
    for number, citation in zip(referred, cited, strict=True):
        assert " ".join(citation["quote"].split()) in written[number]
        assert citation["id"] in written[number]
    said = "".join(body.itertext())
    assert refused["outcome"]["answer"] in said
    assert SECOND in said
    assert second["asked_as"] in said


def test_an_exported_word_file_is_read_back_with_its_footnotes(client):
    first, _ = talk(client)
    finished(client, sent(client, "talk.docx", export(client, [first["answer_id"]], "docx").content))
    said = client.get("/v1/projects/p/document-text/talk.docx").json()["text"]
    quote = " ".join(first["outcome"]["citation_details"][0]["quote"].split())
    assert f"Footnote 1: “{quote}”" in said


@pytest.mark.parametrize(("form", "mark"), [("markdown", "[^1]: “"), ("html", '<li id="note-1"')])
def test_a_text_export_has_the_sentences_and_their_footnotes(client, form, mark):
    first, _ = talk(client)
    said = export(client, [first["answer_id"]], form).text
    assert mark in said
    assert first["outcome"]["claims"][0]["text"].split(".")[0][:40] in said


@pytest.mark.parametrize("form", ["markdown", "html", "docx"])
def test_answers_of_another_tenant_or_project_are_not_exported(start, keys, form):
    client = start()
    first, _ = talk(client, keys["alpha", "reader", 1])
    answers = [first["answer_id"]]
    assert export(client, answers, form, keys["alpha", "reader", 1]).status_code == 200
    assert export(client, answers, form, keys["beta", "admin", 1]).status_code == 404
    assert export(client, answers, form, keys["alpha", "admin", 1], "strongroom").status_code == 404
    assert export(client, ["ans_" + "a" * 26], form, keys["alpha", "reader", 1]).status_code == 404


def test_the_answers_of_a_profile_that_stores_no_questions_are_exported_to_whoever_has_their_ids(client):
    said = ask(client, FIRST, profile="compliance", conversation="new")
    exported = export(client, [said["answer_id"]], "markdown").text
    assert FIRST.rstrip("?") in exported
