"""The questions that a refusal suggests: each is answered when it is asked."""

from contextlib import closing
from dataclasses import replace

import pytest

from footnotary.app.suggested_questions import suggested_questions
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Scope
from footnotary.errors import BackendError
from footnotary.profiles.load import load_profile
from footnotary.render.candidate_questions import candidate_questions
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import build_corpus, build_engine, open_store

HANDBOOK = """# Staff Handbook

## Paid leave

The documents say: paid leave is eighteen days a year.

## Leave of absence

Ask the office.
"""
SCOPE = Scope("hr")


@pytest.fixture
def engine(tmp_path):
    settings = load_settings({"home": tmp_path, "verifier": "lexical"}, environ={})
    with closing(open_store(settings, HashEmbedder())) as store:
        build_corpus(settings, store, HashEmbedder()).ingest_text("handbook.md", HANDBOOK, "hr")
        yield build_engine(settings, load_profile("default"), store, HashEmbedder())


class NoModel:
    name = "chat:never"

    def generate(self, *_):
        raise AssertionError("a language model was called for a suggestion")


@pytest.fixture
def refusal(engine):
    outcome = engine.ask("Who signs the certificate of paid leave and leave of absence on a Sunday?", SCOPE)
    assert isinstance(outcome, Refusal)
    return outcome


def test_a_suggestion_was_refused_when_it_was_asked(engine, refusal, monkeypatch):
    absence, paid = (candidate.text for candidate in candidate_questions(refusal))
    ask = type(engine).ask
    monkeypatch.setattr(
        type(engine), "ask", lambda self, asked, scope: refusal if asked == absence else ask(self, asked, scope)
    )
    assert isinstance(engine.ask(paid, SCOPE), Answer)
    assert suggested_questions(replace(engine, generator=NoModel()), refusal) == (paid,)


def test_an_answer_suggests_nothing(engine):
    assert suggested_questions(engine, engine.ask("How many days of paid leave are there?", SCOPE)) == ()


def test_a_fault_leaves_the_suggestion_out_and_not_the_refusal(engine, refusal, monkeypatch):
    def fails(*_, **__):
        raise BackendError("the store is gone")

    monkeypatch.setattr(type(engine), "ask", fails)
    assert suggested_questions(engine, refusal) == ()


def test_a_suggestion_was_answered_from_another_document(engine, refusal, monkeypatch):
    """What was suggested for the sauna of a pool was answered with the gates of a school."""
    paid = candidate_questions(refusal)[1]
    answer = engine.ask(paid.text, SCOPE)
    assert paid.is_answered_by(answer)
    (hit,) = answer.sources

    def from_elsewhere(**changes):
        other = replace(hit, chunk=replace(hit.chunk, **changes))
        return replace(answer, evidence=replace(answer.evidence, hits=(other,)))

    for elsewhere in (from_elsewhere(document_id="school.md"), from_elsewhere(section=("Staff Handbook", "Gates"))):
        monkeypatch.setattr(type(engine), "ask", lambda *_, said=elsewhere: said)
        assert suggested_questions(engine, refusal) == ()
