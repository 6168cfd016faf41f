"""Requests of every system are collected once, answered anywhere, and played back to the same systems."""

import json
import threading
from dataclasses import replace
from http.server import ThreadingHTTPServer

import pytest

from benchmarks.llm.peers import ours
from benchmarks.llm.peers.collect import collected
from benchmarks.llm.peers.complete import complete, recorded_replies
from benchmarks.llm.peers.model_server import ModelCall, RecordedReply, RecordingServer
from benchmarks.llm.peers.questions import PeerPassage, PeerQuestion
from benchmarks.llm.peers.replay import asking_readers
from benchmarks.llm.peers.stored_reader import ConstantReader, StoredReader, xl_model
from benchmarks.llm.peers.systems import PeerSystem
from benchmarks.peers.serving import handler_for

PASSAGE = PeerPassage("P_1", "Every reader may borrow five books at a time from the town library.")
QUESTION = PeerQuestion(
    "library", "How many books may a reader borrow at a time?", True, (PASSAGE,), ("P_1",), ("five books",)
)
TRUE = "Every reader may borrow five books at a time."


def reply_of(text, sources=(1,)):
    claims = [{"text": text, "sources": list(sources)}]
    return RecordedReply(json.dumps({"answerable": True, "claims": claims}), "stop", 100, 20)


STRICT = replace(QUESTION, profile="legal")


def requests_of_ours(question=QUESTION):
    return list(collected([question], None, 200, [ours.NAME]))


def system(server, probability=1.0):
    return ours.FootnotarySystem(
        "lexical", server.base_url, 200, StoredReader(ConstantReader(probability), {}, xl_model())
    )


def test_the_same_question_gives_the_same_request_every_time():
    (first,), (second,) = requests_of_ours(), requests_of_ours()
    assert first == second
    assert first["schema"]
    assert first["max_tokens"] == 200
    assert first["system"] == ours.NAME
    assert "five books" in first["messages"][-1]["content"]


def test_a_recorded_draft_is_checked_and_delivered_at_replay():
    (request,) = requests_of_ours()
    with RecordingServer({request["id"]: reply_of(TRUE)}) as server:
        outcome = system(server).answer(QUESTION)
    assert (outcome.text, outcome.cited, server.missing) == (TRUE, ("P_1",), 0)


def test_a_false_draft_is_refused_at_replay_where_the_profile_refuses():
    (request,) = requests_of_ours(STRICT)
    with RecordingServer({request["id"]: reply_of("Every reader may borrow nine books at a time.")}) as server:
        outcome = system(server).answer(STRICT)
    assert outcome.refused
    assert outcome.why.startswith("draft: ")


def test_in_place_of_a_false_draft_the_default_profile_quotes():
    (request,) = requests_of_ours()
    with RecordingServer({request["id"]: reply_of("Every reader may borrow nine books at a time.")}) as server:
        outcome = system(server).answer(QUESTION)
    assert (outcome.text, outcome.quoted) == (PASSAGE.text, True)
    assert outcome.why.startswith("draft: ")


def test_a_request_without_a_reply_is_a_failure_and_is_counted():
    with RecordingServer({}) as server:
        outcome = system(server).answer(QUESTION)
    assert outcome.failed
    assert server.missing == 1


def test_a_reply_that_was_cut_off_is_no_usable_reply():
    (request,) = requests_of_ours(STRICT)
    cut = RecordedReply('{"answerable": true, "claims": [', "length")
    with RecordingServer({request["id"]: cut}) as server:
        assert system(server).answer(STRICT).failed


def test_where_the_gate_refuses_no_model_is_asked():
    with RecordingServer({}) as server:
        outcome = system(server, probability=0.0).answer(QUESTION)
        assert outcome.refused
        assert outcome.why.startswith("gate: ")
        assert server.calls == []


def test_pairs_have_the_claim_and_the_question():
    (request,) = requests_of_ours()
    reworded = "Up to five books at once can be taken home by each reader."
    readers = asking_readers([QUESTION], {request["id"]: reply_of(reworded)}, 200)
    pairs = [pair for reader in readers for pair in reader.pairs]
    assert {pair["k"] for pair in pairs} == {"c", "q"}
    assert any(pair["a"] == QUESTION.question for pair in pairs)


def test_contents_in_parts_are_the_same_request():
    plain = ModelCall.of({"messages": [{"role": "user", "content": "ab"}], "max_tokens": 5})
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert plain == ModelCall.of({"messages": [{"role": "user", "content": parts}], "max_completion_tokens": 5})
    assert plain.id != ModelCall.of({"messages": [{"role": "user", "content": "ab"}], "max_tokens": 6}).id


def test_a_live_server_completes_what_is_missing_and_nothing_twice(tmp_path):
    (request,) = requests_of_ours()
    path = tmp_path / "replies.jsonl.gz"
    with RecordingServer({request["id"]: reply_of(TRUE)}) as server:
        complete([request, request], path, server.base_url, "model")
        complete([request], path, server.base_url, "model")
        assert len(server.calls) == 1
    assert recorded_replies(path) == {request["id"]: reply_of(TRUE)}


class ScriptedPeer:
    def answer(self, question, documents):
        if "fail" in question:
            raise ValueError("no")
        return f"{documents[0]['text']} [1]", [documents[0]["id"]]

    def stream(self, question, documents):
        yield self.answer(question, documents)[0]


@pytest.fixture
def peer():
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_for(ScriptedPeer()))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield PeerSystem("scripted", server.server_address[1])
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_peer_is_given_the_passages_and_its_citations_are_read(peer):
    outcome = peer.answer(QUESTION)
    assert outcome.text == f"{PASSAGE.text} [1]"
    assert outcome.cited == ("P_1",)


def test_an_error_of_a_peer_is_a_failure(peer):
    outcome = peer.answer(PeerQuestion("library", "fail", True, (PASSAGE,)))
    assert outcome.failed
    assert "ValueError" in outcome.why
