"""What does not answer the question is refused wherever a question is asked, whoever drafted it."""

import asyncio
import json

import pytest
from typer.testing import CliRunner

from footnotary.cli.main import app
from footnotary.contracts.c3 import RetrievedChunk, generate_grounded_answer, synthesize_answer
from footnotary.contracts.grounding import GroundedGenerator, RetrievalResult, generate_answer
from footnotary.contracts.tutor import AnswerStatus, RAGAnswerGenerator
from footnotary.corpus import Corpus
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Filters, Scope
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.external.answer_check import CitablePassage, check_answer
from footnotary.profiles.load import load_profile
from footnotary.render.outcome_record import outcome_status
from footnotary.service.redaction import redacted_record
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.fake_reader import FakeReader
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

ALICE, BOB = "Alice joined the clinic in 2012.", "Bob joined the clinic in 2015."
QUESTION = "When did Alice join the clinic?"
READER = FakeReader({"Alice": 0.9, "Bob": 0.01})
NOTHING_ANSWERS = FakeReader({"": 0.01})
PROFILE = load_profile("default")
BY_CLAIM = PROFILE.model_copy(update={"streaming": PROFILE.streaming.model_copy(update={"release": "claim"})})
STORE, EMBEDDER = DictStore(), HashEmbedder()
Corpus(STORE, EMBEDDER).ingest_text("staff.txt", f"{ALICE} {BOB}", "staff")
ID = STORE.lexical("staff", ("alic",), 1, Filters())[0].id


def ask(*claims, profile=PROFILE):
    drafted = Says(*claims, cites=(ID,))
    engine = Engine(STORE, EMBEDDER, drafted, profile, checks_for(profile, reader=READER), reader=READER)
    return engine.ask(QUESTION, Scope("staff"))


def test_the_right_answer_is_delivered_and_the_neighbours_is_not():
    assert isinstance(ask(ALICE), Answer)
    outcome = ask(BOB)
    assert isinstance(outcome, Refusal)
    assert outcome.reason is Reason.OFF_QUESTION
    assert outcome_status(outcome) == "insufficient_context"


def test_a_refused_draft_is_not_shown_to_clients():
    record = redacted_record(ask(BOB), PROFILE)
    assert record["refusal_reason"] == "off_question"
    assert record["needed"]["missing"] == "the draft did not answer the question and was not delivered"
    assert "2015" not in json.dumps(record | {"retrieved_semantic_ids": []})


def test_a_stream_releases_what_is_an_answer_alone():
    outcome = ask(ALICE, BOB, profile=BY_CLAIM)
    assert (outcome.reason, [claim.text for claim in outcome.beginning.claims]) == (Reason.OFF_QUESTION, [ALICE])
    assert ask(BOB, profile=BY_CLAIM).beginning is None


def test_an_answer_from_anywhere_is_compared_with_its_question(monkeypatch):
    monkeypatch.setattr(
        "footnotary.external.answer_check.open_checks", lambda policy, _: checks_for(policy, reader=READER)
    )
    passages = [CitablePassage("S_1", f"{ALICE} {BOB}")]
    off = check_answer(f"{BOB[:-1]} [1].", passages, question=QUESTION)
    assert [verdict.reason for verdict in off.verdicts if verdict.status != "pass"] == [Reason.OFF_QUESTION]
    assert not off.holds
    assert check_answer(f"{ALICE[:-1]} [1].", passages, question=QUESTION).holds
    assert check_answer(f"{BOB[:-1]} [1].", passages).holds


@pytest.mark.parametrize(("question", "code"), [("Why was the appeal dismissed?", 4), (None, 0)])
def test_the_command_line_verifies_against_the_question_of_a_record(tmp_path, question, code):
    answer, chunks = tmp_path / "answer.json", tmp_path / "chunks.json"
    answer.write_text(json.dumps({"answer": "The appeal is dismissed [A_1].", "query": question}))
    chunks.write_text(json.dumps([{"semantic_id": "A_1", "text": "The appeal is dismissed. It was late."}]))
    done = CliRunner().invoke(app, ["verify", "--answer-file", str(answer), "--chunks-file", str(chunks), "--json"])
    assert done.exit_code == code, done.output
    assert json.loads(done.stdout)["reason"] == ("off_question" if code else None)


# -- the seeds' interfaces ------------------------------------------------------------------------------------------


@pytest.fixture
def reader_finds_no_answer(monkeypatch):
    monkeypatch.setattr("footnotary.wiring.open_reader_for", lambda *_: NOTHING_ANSWERS)


CHEATING = RetrievedChunk(
    chunk_id="1",
    semantic_id="IPC_420_0",
    text="Whoever cheats shall be punished with imprisonment for a term which may extend to seven years.",
    score=0.9,
    act="IPC",
    section="420",
)
PENALTY = "What is the punishment for cheating?"
SOURCES = RetrievalResult.from_documents([{"source_id": "N_1", "content": "A breach is notified within 60 days."}])
NOTICE = "When is a breach notified?"
BOOK = {"content": "An arithmetic progression is a sequence with a common difference.", "confidence": 0.9, "id": "ap"}
PROGRESSION = "What is an arithmetic progression?"


def test_each_of_them_answers_where_the_reader_is_not_asked():
    assert generate_grounded_answer(PENALTY, [CHEATING]).refusal_reason is None
    assert generate_answer(NOTICE, SOURCES).refusal_reason is None
    assert RAGAnswerGenerator().generate(PROGRESSION, [BOOK]).status is AnswerStatus.SUCCESS


@pytest.mark.usefixtures("reader_finds_no_answer")
def test_each_of_them_refuses_what_does_not_answer():
    for made in (generate_grounded_answer(PENALTY, [CHEATING]), synthesize_answer(PENALTY, [CHEATING])):
        assert made.refusal_reason is not None
        assert made.refusal_reason.startswith("off_question")
    assert generate_answer(NOTICE, SOURCES).refusal_reason == "off_question"
    assert asyncio.run(GroundedGenerator().generate_grounded(NOTICE, SOURCES)).refusal_reason == "off_question"
    pupil = RAGAnswerGenerator().generate(PROGRESSION, [BOOK])
    assert pupil.status is AnswerStatus.INSUFFICIENT_CONTEXT
    assert pupil.refusal_reason is not None
    assert pupil.refusal_reason.startswith("off_question")
