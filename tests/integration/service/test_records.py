"""What the service keeps of its outcomes: a record before each leaves, a proof of each, and what people say of it."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from footnotary.audit import bundle
from footnotary.audit.signing import PublicKey, open_signer, read_public_key
from footnotary.evaluate.datasets.labelled_rows import read_rows
from footnotary.generate.chat.generator import ChatGenerator
from footnotary.replay import ReplayMatch, replay
from footnotary.service import state
from footnotary.service.auth.api_keys import ApiKeyStore
from footnotary.settings import load_settings
from footnotary.testing.chat_server import claims
from footnotary.testing.scripted_models import ScriptedChatModel
from footnotary.wiring import build_engine, open_replay
from harness.service.listening import wait_until

QUESTION = "What is the punishment for cheating?"
WRONG = "Whoever cheats shall be punished with imprisonment for ninety years."
ASKED = {"question": QUESTION, "project": "demo", "profile": "legal"}


@pytest.fixture
def client(start):
    return start()


def asked(client, **given):
    response = client.post("/v1/ask", json=ASKED | given)
    assert response.status_code == 200, response.text
    return response.json()


def drafts(monkeypatch, *replies):
    """Has every engine of the service draft with a model that says this."""

    def built(settings, policy, store, embedder):
        made = build_engine(settings, policy, store, embedder)
        return replace(made, generator=ChatGenerator(ScriptedChatModel(*replies), policy, True))

    monkeypatch.setattr(state, "build_engine", built)


def public_key(client, tmp_path) -> PublicKey:
    path = tmp_path / "key.pem"
    path.write_text(client.get("/v1/audit/key").json()["pem"])
    return read_public_key(path)


def test_every_outcome_has_one_record_whichever_way_it_was_asked_for(client):
    asked(client)
    asked(client, question="What is the speed of light in a vacuum?")
    asked(client, project="nowhere")
    client.post("/rag/query", json={"query": QUESTION, "project_id": "demo", "policy_profile": "legal"})
    listed = client.get("/v1/audit", params={"after": 0}).json()["records"]
    assert [(one["seq"], one["outcome"]) for one in listed] == [
        (1, "answered"), (2, "refused"), (3, "refused"), (4, "answered"),
    ]  # fmt: skip
    assert listed[2]["reason"] == "collection_not_found"
    assert client.get("/v1/audit/verify").json()["intact"]


def test_the_log_is_paged_from_either_end(client):
    for _ in range(5):
        asked(client)
    latest = client.get("/v1/audit", params={"limit": 2}).json()
    assert [one["seq"] for one in latest["records"]] == [5, 4]
    rest = client.get("/v1/audit", params={"before": latest["next"], "limit": 3}).json()
    assert [one["seq"] for one in rest["records"]] == [3, 2, 1]
    assert rest["next"] is None
    assert [one["seq"] for one in client.get("/v1/audit?after=3").json()["records"]] == [4, 5]


def test_a_bundle_proves_its_answer_offline_and_derives_it_again(client, tmp_path):
    given = asked(client)
    envelope = client.get(given["bundle"]).json()
    findings = bundle.verify_bundle(envelope, public_key(client, tmp_path))
    assert all(finding.passed for finding in findings), findings
    content = bundle.content_in(envelope)
    assert content["outcome"]["text"] in given["outcome"]["answer"] or content["outcome"]["claims"]
    assert isinstance(replay(content, open_replay(load_settings())), ReplayMatch)
    assert client.get(given["bundle"]).json() == envelope


def test_a_bundle_names_no_path_of_this_machine(client, home):
    given = asked(client)
    assert str(home.parent) not in json.dumps(bundle.content_in(client.get(given["bundle"]).json()))


def test_an_answer_can_be_read_again_as_it_was_delivered(client):
    given = asked(client)
    again = client.get(f"/v1/answers/{given['answer_id']}").json()
    assert again["outcome"] == given["outcome"]
    assert client.get("/v1/answers/ans_aaaaaaaaaaaaaaaaaaaaaaaaaa").status_code == 404


def test_what_was_answered_before_is_given_again_under_a_new_record(client):
    first, second = asked(client), asked(client)
    assert second["outcome"] == first["outcome"]
    assert second["answer_id"] != first["answer_id"]
    records = client.get("/v1/audit?after=0").json()["records"]
    assert [one["repeats"] for one in records] == [None, first["answer_id"]]


def test_nothing_is_given_again_once_the_index_has_changed(client):
    asked(client)
    client.post("/v1/projects/demo/documents?name=new.txt", content=b"Rule 1. Bells ring at noon every single day.")
    wait_until(lambda: all(job["state"] in ("done", "failed") for job in client.get("/v1/jobs").json()["jobs"]))
    asked(client)
    assert [one["repeats"] for one in client.get("/v1/audit?after=0").json()["records"]] == [None, None]


def test_an_outcome_that_cannot_be_recorded_does_not_leave(client, home):
    asked(client)
    with closing(sqlite3.connect(home / "tenants" / "local" / "audit.db", isolation_level=None)) as log:
        log.execute("CREATE TRIGGER full BEFORE INSERT ON records BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
    response = client.post("/v1/ask", json=ASKED)
    assert response.status_code == 503
    assert response.json()["code"] == "not_recorded"
    assert "imprisonment" not in response.text


def test_a_question_that_is_not_to_be_logged_stands_nowhere_in_the_home(client, home):
    """The asker's id opens what was kept; the files alone do not."""
    canary = "xylophonist"
    given = asked(client, question=f"What are PHI identifiers of a {canary}?", profile="compliance")
    marked = client.post(
        f"/v1/answers/{given['answer_id']}/feedback", json={"rating": "down", "comment": f"the {canary} is missing"}
    )
    assert marked.json()["comment_kept"] is False
    for path in home.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert canary.encode() not in data, path
            assert given["answer_id"].encode() not in data, path
    (record,) = client.get("/v1/audit").json()["records"]
    assert record["question"] is None
    assert record["answer_id"] is None
    content = bundle.content_in(client.get(given["bundle"]).json())
    assert canary in content["query"]["text"]


class TestRejectedDrafts:
    @pytest.fixture
    def client(self, start, monkeypatch):
        drafts(monkeypatch, claims((WRONG, [1])))
        return start(model="scripted", base_url="http://127.0.0.1:9/v1")

    def test_one_waits_for_a_person_and_is_in_nothing_that_was_delivered(self, client):
        given = asked(client)
        assert given["outcome"]["refusal_reason"]
        assert "ninety" not in json.dumps(given)
        assert "ninety" not in client.get(f"/v1/answers/{given['answer_id']}").text
        (case,) = client.get("/v1/review").json()["reviews"]
        assert case["kind"] == "rejected_draft"
        shown = client.get(f"/v1/review/{case['id']}").json()
        assert shown["claims"][0]["text"] == WRONG
        assert shown["delivered"] is False
        assert any(verdict["status"] == "fail" for verdict in shown["verdicts"])

    def test_its_raw_output_and_prompt_digest_are_proven_and_replayed(self, client, tmp_path):
        given = asked(client)
        envelope = client.get(given["bundle"]).json()
        assert all(finding.passed for finding in bundle.verify_bundle(envelope, public_key(client, tmp_path)))
        content = bundle.content_in(envelope)
        assert content["draft"]["raw"] == claims((WRONG, [1]))
        assert len(content["draft"]["prompt_sha256"]) == 64
        assert replay(content, open_replay(load_settings())) == ReplayMatch(
            ("query", "gate", "draft", "verdicts", "outcome")
        )

    def test_deciding_a_case_releases_nothing_and_makes_a_row(self, client, tmp_path):
        given = asked(client)
        (case,) = client.get("/v1/review").json()["reviews"]
        decided = client.post(f"/v1/review/{case['id']}", json={"state": "kept", "note": "one year, not ninety"}).json()
        assert (decided["state"], decided["supported"]) == ("kept", False)
        assert client.get("/v1/review").json()["reviews"] == []
        assert "ninety" not in client.get(f"/v1/answers/{given['answer_id']}").text
        path = tmp_path / "feedback.jsonl"
        path.write_bytes(client.get("/v1/feedback/export").content)
        (row,) = read_rows([path])
        assert (row.claim, row.supported, row.question) == (WRONG, False, QUESTION)

    def test_a_case_that_is_not_there_is_not_found(self, client):
        assert client.get("/v1/review/7").status_code == 404
        assert client.post("/v1/review/7", json={"state": "dismissed"}).status_code == 404


class TestFeedback:
    def test_a_good_mark_makes_rows_of_supported_claims(self, client, tmp_path):
        given = asked(client)
        path = f"/v1/answers/{given['answer_id']}/feedback"
        assert client.post(path, json={"rating": "up", "comment": "yes"}).json()["comment_kept"]
        rows = tmp_path / "feedback.jsonl"
        rows.write_bytes(client.get("/v1/feedback/export").content)
        assert [(row.claim, row.supported) for row in read_rows([rows])] == [
            (claim["text"], True) for claim in given["outcome"]["claims"]
        ]

    def test_a_bad_mark_makes_a_case_and_no_row(self, client):
        given = asked(client)
        client.post(f"/v1/answers/{given['answer_id']}/feedback", json={"rating": "down"})
        (case,) = client.get("/v1/review").json()["reviews"]
        assert case["kind"] == "disputed_answer"
        assert client.get(f"/v1/review/{case['id']}").json()["delivered"] is True
        assert client.get("/v1/feedback/export").content == b""

    def test_an_answer_that_is_not_there_cannot_be_marked(self, client):
        path = "/v1/answers/ans_aaaaaaaaaaaaaaaaaaaaaaaaaa/feedback"
        assert client.post(path, json={"rating": "up"}).status_code == 404


def test_answers_records_and_cases_of_a_tenant_are_not_there_for_another(start, home):
    with closing(ApiKeyStore(home)) as ring:
        mine, other = ({"Authorization": f"Bearer {ring.create(name, 'admin')[1]}"} for name in ("alpha", "beta"))
    client = start()
    given = client.post("/v1/ask", json=ASKED, headers=mine).json()
    client.post(f"/v1/answers/{given['answer_id']}/feedback", json={"rating": "down"}, headers=mine)
    for path in (f"/v1/answers/{given['answer_id']}", given["bundle"]):
        assert client.get(path, headers=mine).status_code == 200
        assert client.get(path, headers=other).status_code == 404
    assert client.get("/v1/audit", headers=other).json()["records"] == []
    assert client.get("/v1/review", headers=other).json()["reviews"] == []


def test_a_reader_gets_the_proof_of_an_answer_and_not_a_rejected_draft(start, home, monkeypatch):
    drafts(monkeypatch, claims((WRONG, [1])))
    with closing(ApiKeyStore(home)) as ring:
        reader = {"Authorization": f"Bearer {ring.create('alpha', 'reader')[1]}"}
    client = start(model="scripted", base_url="http://127.0.0.1:9/v1")
    given = client.post("/v1/ask", json=ASKED, headers=reader).json()
    assert client.get(given["bundle"], headers=reader).status_code == 403
    for path in ("/v1/audit", "/v1/audit/verify", "/v1/review", "/v1/review/1", "/v1/feedback/export"):
        assert client.get(path, headers=reader).status_code == 403


def test_the_key_file_is_for_its_owner_only(client, home: Path):
    asked(client)
    assert (home / "signing.key").stat().st_mode & 0o777 == 0o600
    assert open_signer(home / "signing.key").public.id == client.get("/v1/audit/key").json()["id"]


def test_what_was_answered_from_the_passages_of_the_request_is_proven_and_derived_again(client, tmp_path):
    leave = "Every worker shall be given eighteen days of paid leave in each year."
    asked = {
        "model": "guard",
        "messages": [{"role": "user", "content": "How many days of paid leave shall a worker be given?"}],
        "documents": [{"id": "HR_7", "text": leave}],
    }
    given = client.post("/v1/chat/completions", json=asked).json()
    envelope = client.get(f"/v1/answers/{given['footnotary']['answer_id']}/bundle").json()
    assert all(finding.passed for finding in bundle.verify_bundle(envelope, public_key(client, tmp_path)))
    content = bundle.content_in(envelope)
    assert content["outcome"]["text"] == leave
    assert isinstance(replay(content, open_replay(load_settings())), ReplayMatch)
    (record,) = client.get("/v1/audit").json()["records"]
    assert record["channel"] == "guard"


class TestQuotation:
    """A model's draft that is rejected, under a profile that quotes the sources then."""

    QUOTING = ASKED | {"profile": "default"}

    @pytest.fixture
    def client(self, start, monkeypatch):
        def built(settings, policy, store, embedder):
            made = build_engine(settings, policy, store, embedder)
            drafting = ChatGenerator(ScriptedChatModel(claims((WRONG, [1]))), policy, True)
            quoter = made.generator if policy.generation.on_rejected == "quote" else None
            return replace(made, generator=drafting, quoter=quoter)

        monkeypatch.setattr(state, "build_engine", built)
        return start()

    def test_the_answer_says_that_it_is_quoted_and_by_which_check_the_draft_was_rejected(self, client):
        outcome = asked(client, **self.QUOTING)["outcome"]
        assert (outcome["quoted"], outcome["generator"]) == (True, "extractive")
        assert outcome["rejected"]["reason"] == "number_unsupported"
        assert "numbers_are_supported" in {verdict["check"] for verdict in outcome["rejected"]["verdicts"]}

    @pytest.mark.parametrize("streamed", [True, False])
    def test_no_word_of_the_rejected_draft_leaves(self, client, streamed):
        response = client.post("/v1/ask", json=self.QUOTING | {"stream": streamed})
        assert "ninety" not in response.text
        assert '"quoted":true' in response.text

    @pytest.mark.parametrize("streamed", [True, False])
    def test_a_chat_completion_says_so_in_its_extension(self, client, streamed):
        body = {"model": "demo", "messages": [{"role": "user", "content": QUESTION}], "stream": streamed}
        response = client.post("/v1/chat/completions", json=body)
        assert response.status_code == 200, response.text
        assert "ninety" not in response.text
        assert '"quoted":true' in response.text

    def test_the_record_has_the_draft_and_the_verdicts_and_replays(self, client, tmp_path):
        given = asked(client, **self.QUOTING)
        envelope = client.get(given["bundle"]).json()
        assert all(finding.passed for finding in bundle.verify_bundle(envelope, public_key(client, tmp_path)))
        content = bundle.content_in(envelope)
        assert content["rejected"]["draft"]["claims"][0]["text"] == WRONG
        assert "number_unsupported" in {verdict["reason"] for verdict in content["rejected"]["verdicts"]}
        assert isinstance(replay(content, open_replay(load_settings())), ReplayMatch)
        again = client.get(f"/v1/answers/{given['answer_id']}")
        assert again.json()["outcome"] == given["outcome"]
        assert "ninety" not in again.text

    def test_a_profile_that_refuses_and_the_rag_route_refuse(self, client):
        assert asked(client, profile="legal")["outcome"]["refusal_reason"] == "number_unsupported"
        body = {"query": QUESTION, "project_id": "demo", "policy_profile": "default"}
        assert client.post("/rag/query", json=body).json()["refusal_reason"] == "number_unsupported"
