"""What every framework gets, without any of them."""

import pytest

from footnotary.app.session import Session
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.errors import RecordingFailed
from footnotary.integrations.framework_answers import Answerer, Checker, unique_names, verdicts_on
from footnotary.settings import load_settings
from tests.integration.frameworks.conftest import FALSE, LEAVE, PASSAGES, QUESTION, records


def checked(ids, answer):
    return Checker(channel="test").check(QUESTION, list(zip(unique_names(ids), PASSAGES, strict=True)), answer)


def test_an_id_stays_a_name_unless_it_reads_as_a_position_or_another_has_it():
    assert unique_names(["HR_7", None, ""]) == ("HR_7", "D2", "D3")
    assert unique_names(["2", "1"]) == ("D1", "D2")
    assert unique_names(["same", "same", "other"]) == ("D1", "D2", "other")
    assert unique_names(["D2", None]) == ("D2", "DD2")


def test_an_answer_that_cites_by_position_is_checked_against_that_position_whatever_the_ids():
    for ids in (["2", "1"], ["0", "1"], ["same", "same"]):
        assert not checked(ids, f"{LEAVE[:-1]} [1].").refused
        assert checked(ids, f"{LEAVE[:-1]} [2].").refused


def test_what_an_engine_answers_is_recorded_under_the_id_it_is_returned_with(home, engine):
    answerer = Answerer(engine, "hr", channel="test")
    answer, refusal = answerer.ask(QUESTION), answerer.ask("What is the capital of Australia?")
    assert (answer.refused, refusal.refused) == (False, True)
    assert records(home) == [("test", refusal.answer_id, "refused"), ("test", answer.answer_id, "answered")]


def test_what_a_checker_returns_is_recorded(home):
    good, bad = checked([None, None], f"{LEAVE[:-1]} [1]."), checked([None, None], f"{FALSE[:-1]} [1].")
    assert records(home) == [("test", bad.answer_id, "refused"), ("test", good.answer_id, "answered")]


def test_nothing_is_recorded_where_the_settings_say_no(home, open_with, monkeypatch):
    answer = Answerer(open_with(audit="off"), "hr", channel="test").ask(QUESTION)
    settings = load_settings({"audit": "off"})
    checker = Checker(channel="test", settings=settings)
    checked_answer = checker.check(QUESTION, [("HR_7", LEAVE)], f"{LEAVE[:-1]} [1].")
    assert (answer.refused, checked_answer.refused) == (False, False)
    assert (answer.answer_id, checked_answer.answer_id) == ("", "")
    assert records(home) == []


def test_an_engine_put_together_by_hand_has_nowhere_to_record(home, engine):
    by_hand = Engine(engine.store, engine.embedder, engine.generator, engine.profile, engine.checks)
    assert not Answerer(by_hand, "hr", channel="test").ask(QUESTION).refused
    assert records(home) == []


def test_a_session_of_the_caller_is_used_as_it_is(home, engine):
    from footnotary.app.opening import session_of

    session = session_of(engine)
    assert isinstance(session, Session)
    first = Answerer(session, "hr", channel="one").ask(QUESTION)
    second = Answerer(session, "hr", channel="two").ask(QUESTION)
    assert records(home) == [("two", second.answer_id, "answered"), ("one", first.answer_id, "answered")]
    session.close()


def test_what_cannot_be_recorded_is_not_returned(engine, monkeypatch):
    from footnotary.audit.log import AuditLog
    from footnotary.errors import BackendError

    def full(self, entry):
        raise BackendError("the disk is full", hint="make room")

    monkeypatch.setattr(AuditLog, "append", full)
    with pytest.raises(RecordingFailed, match="the disk is full") as raised:
        Answerer(engine, "hr", channel="test").ask(QUESTION)
    assert raised.value.hint == "make room"


def test_without_a_question_no_check_compares_with_one():
    passages = [("A_1_0", "प्रवेश शुल्क 4 यूरो है।")]
    found = verdicts_on("प्रवेश शुल्क 4 यूरो है। [1]", passages)
    assert [verdict.check for verdict in found if verdict.status != "pass"] == []


def test_an_answer_that_repeats_the_question_is_off_the_question():
    passages = [("A_1_0", "The appeal is dismissed. It was late.")]
    found = verdicts_on("The appeal is dismissed. [1]", passages, question="Why was the appeal dismissed?")
    assert [verdict.reason for verdict in found if verdict.status != "pass"] == [Reason.OFF_QUESTION]
