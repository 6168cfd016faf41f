"""One session for every front: what is asked is recorded, cached where wanted, and never from a changed index."""

from contextlib import closing

import pytest

from footnotary.app.delivery import deliver
from footnotary.app.index_digests import IndexDigests
from footnotary.app.opening import notary_for
from footnotary.app.session import Session
from footnotary.audit.record import RequestOrigin
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.errors import BackendError, IndexChanging, RecordingFailed
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import build_corpus, build_engine, open_store

LEAVE = "Every permanent worker has eighteen days of paid leave in each year."
QUESTION = "How many days of paid leave does a permanent worker have in each year?"
ASKER = RequestOrigin("local", "somebody", "test")


class Front:
    """A store, a corpus to change it with, and sessions over it."""

    def __init__(self, home, **given):
        self.settings = load_settings({"home": home, **given})
        self.store = open_store(self.settings, HashEmbedder())
        self.corpus = build_corpus(self.settings, self.store, HashEmbedder())
        self.corpus.ingest_text("leave.txt", LEAVE, "hr")
        self.notary = notary_for(self.settings, "hash")
        self.engine = build_engine(self.settings, load_profile("default"), self.store, HashEmbedder())

    def session(self, **given):
        return Session(self.engine, self.store, IndexDigests(self.store), self.notary, **given)

    def close(self):
        if self.notary is not None:
            self.notary.close()
        self.store.close()


@pytest.fixture
def front(tmp_path):
    with closing(Front(tmp_path)) as front:
        yield front


def ask(session, question=QUESTION):
    return session.ask(question, Scope("hr"), ASKER)


def test_an_outcome_is_recorded_under_its_id_with_the_index_it_came_from(front):
    delivery = ask(front.session())
    assert isinstance(delivery.outcome, Answer)
    record = front.notary.log.find(delivery.answer_id)
    assert (record.seq, record.says["channel"]) == (delivery.record_seq, "test")
    assert record.says["index_digest"] == front.store.index_digest("hr")
    assert not delivery.from_request


def test_without_the_cache_every_question_is_computed(front):
    first, second = ask(front.session()), ask(front.session())
    assert front.notary.log.find(second.answer_id).says["repeats"] is None
    assert first.answer_id != second.answer_id


def test_with_the_cache_an_answer_is_repeated_until_the_index_changes(front):
    session = front.session(answer_cache=True)
    first, again = ask(session), ask(session)
    assert front.notary.log.find(again.answer_id).says["repeats"] == first.answer_id
    front.corpus.ingest_text("books.txt", "A reader may borrow five books for four weeks.", "hr")
    changed = ask(session)
    assert front.notary.log.find(changed.answer_id).says["repeats"] is None


def test_what_cannot_be_recorded_is_not_delivered(front, monkeypatch):
    def fails(*_, **__):
        raise BackendError("the disk is full", hint="make room", retryable=True)

    monkeypatch.setattr(front.notary, "record", fails)
    with pytest.raises(RecordingFailed, match="the disk is full") as raised:
        ask(front.session())
    assert (raised.value.hint, raised.value.retryable) == ("make room", True)


@pytest.mark.parametrize("changes", [1, 9])
def test_an_answer_from_a_changed_index_is_asked_again_and_given_up_in_the_end(front, monkeypatch, changes):
    real, asked = type(front.engine.generator).generate, []

    def generate(self, query, evidence):
        draft = real(self, query, evidence)
        asked.append(1)
        if len(asked) <= changes:
            front.corpus.ingest_text("leave.txt", LEAVE.replace("permanent", f"permanent, class {len(asked)},"), "hr")
        return draft

    monkeypatch.setattr(type(front.engine.generator), "generate", generate)
    if changes > 3:
        with pytest.raises(IndexChanging, match="'hr'") as raised:
            ask(front.session())
        assert raised.value.retryable
        assert raised.value.hint
    else:
        outcome = ask(front.session()).outcome
        held = {document.id: document.sha256 for document in front.store.documents("hr")}
        assert isinstance(outcome, Answer)
        assert all(held[citation.document_id] == citation.document_sha256 for citation in outcome.citations)
    assert len(asked) == (3 if changes > 3 else 2)


def test_with_the_audit_log_off_nothing_is_recorded_and_the_digest_is_not_computed(tmp_path, monkeypatch):
    with closing(Front(tmp_path, audit="off")) as front:
        monkeypatch.setattr(type(front.store), "index_digest", lambda *_: pytest.fail("nobody needs it"))
        delivery = ask(front.session(answer_cache=True))
        assert isinstance(delivery.outcome, Answer)
        assert (delivery.answer_id, delivery.record_seq) == ("", 0)
    assert not (tmp_path / "tenants" / "local" / "audit.db").exists()


def test_evidence_that_came_with_the_request_is_recorded_as_such(front):
    outcome = front.engine.ask(QUESTION, Scope("hr"))
    delivery = deliver(outcome, front.engine.profile, front.notary, ASKER)
    assert delivery.from_request
    assert front.notary.log.find(delivery.answer_id).says["index_digest"] == ""
