"""FAULTS B11: of a rejected draft a reader is told the codes of the checks; details and the draft are for the audit."""

import json

import pytest

from footnotary.domain.verdict import Reason
from footnotary.service.auth.api_keys import ROLES, ApiKeyStore
from harness.service.scripted_chat import ScriptedChat

QUESTION = "What is the punishment for cheating?"
# Words that only the draft has.
DRAFTS = {
    "a figure": "A person who cheats shall be punished with imprisonment of up to 8765 years [1].",
    "a name": "Cheating is punished by order of Zarquon Quibblethorpe [1].",
    "no citation": "A person who cheats is always forgiven by quibblethorpe custom.",
    "a false id": "A person who cheats shall be punished [Quibblethorpe_9_0].",
    "a bracket": "A person who cheats shall be punished [^quibblethorpe].",
    "hidden": "A person who cheats shall be pun\u200bished by quibblethorpe [1].",
}
CANARIES = ("8765", "quibblethorpe", "zarquon", "forgiven", "\\u200b", "\u200b")


@pytest.fixture
def house(start, home, monkeypatch):
    model = ScriptedChat()
    monkeypatch.setattr("footnotary.wiring.models.open_model", lambda settings, profile: model)
    ring = ApiKeyStore(home)
    keys = {role: {"Authorization": f"Bearer {ring.create('local', role)[1]}"} for role in ROLES}
    ring.close()
    return start(model="scripted", base_url="http://127.0.0.1:9/v1", answer_cache="off"), model, keys


def leaks(text: str) -> list[str]:
    return [canary for canary in CANARIES if canary in text.lower()]


@pytest.mark.parametrize("draft", DRAFTS.values(), ids=DRAFTS)
@pytest.mark.parametrize("profile", ["default", "legal", "compliance"])
def test_b11_a_reader_gets_codes_and_no_more(house, draft, profile):
    client, model, keys = house
    model.reply = draft
    body = {"question": QUESTION, "project": "demo", "profile": profile}
    given = client.post("/v1/ask", json=body, headers=keys["reader"]).json()
    outcome = given["outcome"]
    assert outcome["refusal_reason"] in set(Reason) or (outcome.get("quoted") and profile != "legal"), outcome
    of_draft = (outcome.get("rejected") or outcome)["verdicts"]
    assert {verdict["detail"] for verdict in of_draft} == {""}
    assert set(of_draft[0]) == {"check", "status", "reason", "detail", "claims"}
    chat = {"model": f"demo@{profile}", "messages": [{"role": "user", "content": QUESTION}]}
    told = [
        json.dumps(given),
        client.post("/rag/query", json={"query": QUESTION, "project_id": "demo"}, headers=keys["reader"]).text,
        client.post("/v1/ask", json=body | {"stream": True}, headers=keys["reader"]).text,
        client.post("/v1/chat/completions", json=chat, headers=keys["reader"]).text,
        client.post("/v1/chat/completions", json=chat | {"stream": True}, headers=keys["reader"]).text,
        client.get(f"/v1/answers/{given['answer_id']}", headers=keys["reader"]).text,
    ]
    assert not [leaks(text) for text in told if leaks(text)]


def test_b11_the_draft_and_the_details_are_for_the_audit(house):
    client, model, keys = house
    model.reply = DRAFTS["a figure"]
    given = client.post("/v1/ask", json={"question": QUESTION, "project": "demo"}, headers=keys["reader"]).json()
    for role in ("reader", "writer"):
        assert client.get(given["bundle"], headers=keys[role]).status_code == 403
        for address in ("/v1/audit", "/v1/review"):
            assert client.get(address, headers=keys[role]).status_code == 403
    assert client.get(given["bundle"], headers=keys["admin"]).status_code == 200


def test_b11_the_same_draft_is_refused_in_the_same_words_every_time(house):
    client, model, keys = house
    said = set()
    for draft in DRAFTS.values():
        model.reply = draft
        body = {"question": QUESTION, "project": "demo", "profile": "legal"}
        outcome = client.post("/v1/ask", json=body, headers=keys["reader"]).json()["outcome"]
        said.add((outcome["answer"], json.dumps(outcome["needed"]), outcome["confidence"], tuple(outcome["citations"])))
    assert len(said) == 1, "beside the codes, one rejected draft is told like any other"
