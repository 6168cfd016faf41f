"""Threads share one store and one engine: what they find is what one alone finds, also while documents come and go."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from footnotary.domain.identity import sha256_hex
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.render.outcome_record import outcome_record
from footnotary.service.answering import AskRequest, answer
from footnotary.service.auth.authentication import OPEN_CREDENTIAL
from footnotary.service.problems import Problem
from footnotary.service.state import Policy, ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder

QUESTIONS = (
    "What is cheating?",
    "What is the punishment for cheating?",
    "What are PHI identifiers?",
    "What is theft?",
    "Within how many days must a breach be notified?",
    "How tall is the Eiffel tower at midnight?",
    "What is the punishment for theft in a dwelling house?",
    "What is a business associate?",
)


@pytest.fixture
def state(home):
    state = ServiceState(load_settings({"verifier": "lexical", "home": home}, environ={}), HashEmbedder())
    yield state
    state.close()


def record(state: ServiceState, question: str, profile: str) -> dict:
    tenant = state.tenant("local")
    engine = tenant.engine(Policy(profile))
    return outcome_record(engine.ask(question, Scope("demo", "local")), engine.profile.presentation.style)


def test_many_threads_get_the_answers_that_one_gets(state):
    asked = [(question, profile) for question in QUESTIONS for profile in ("legal", "compliance")]
    alone = {each: record(state, *each) for each in asked}
    with ThreadPoolExecutor(8) as pool:
        for each, together in zip(asked * 4, pool.map(lambda each: record(state, *each), asked * 4), strict=True):
            assert together == alone[each]


def test_searches_see_whole_documents_while_others_are_put_in_and_deleted(state):
    tenant, stop = state.tenant("local"), threading.Event()
    text = "Rule {n}. The keeper of warehouse {n} must keep a register of barrels."
    errors: list[BaseException] = []

    def write() -> None:
        try:
            for round_ in range(6):
                tenant.corpus.ingest_text(f"rule{round_}.txt", text.format(n=round_), "rules")
                tenant.store.delete("rules", f"rule{round_ - 1}.txt")
        except BaseException as error:
            errors.append(error)
        finally:
            stop.set()

    def read() -> None:
        outcome = None
        question = AskRequest("Who must keep a register of barrels?", "rules", Policy("default"))
        while not stop.is_set():
            with suppress(Problem):
                outcome = answer(tenant, OPEN_CREDENTIAL, question).outcome
            if isinstance(outcome, Answer):
                for citation in outcome.citations:
                    said = text.format(n=citation.document_id.removeprefix("rule").removesuffix(".txt"))
                    assert citation.quote in said
                    assert citation.document_sha256 == sha256_hex(said)

    with ThreadPoolExecutor(5) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        pool.submit(write).result()
        for reader in readers:
            reader.result()
    assert errors == []
    assert [document.id for document in tenant.store.documents("rules")] == ["rule5.txt"]


def test_what_was_deleted_while_it_was_read_is_not_cited(state, monkeypatch):
    """Also where it is deleted after it was found and before it is cited."""
    tenant = state.tenant("local")
    tenant.corpus.ingest_text("first.txt", "Rule 1. The keeper must keep a register of barrels.", "rules")
    engine = tenant.engine(Policy("default"))
    real, deleted = type(engine.generator).generate, []

    def generate(self, query, evidence):
        draft = real(self, query, evidence)
        if not deleted:
            deleted.append(tenant.store.delete("rules", "first.txt"))
            tenant.corpus.ingest_text(
                "second.txt", "Rule 2. The keeper must keep a register of barrels daily.", "rules"
            )
        return draft

    monkeypatch.setattr(type(engine.generator), "generate", generate)
    asked = AskRequest("Who must keep a register of barrels?", "rules", Policy("default"))
    outcome = answer(tenant, OPEN_CREDENTIAL, asked).outcome
    assert deleted == [True]
    assert isinstance(outcome, Answer)
    assert {citation.document_id for citation in outcome.citations} == {"second.txt"}


def test_an_index_that_never_rests_is_said_to_be_changing(state, monkeypatch):
    tenant = state.tenant("local")
    engine = tenant.engine(Policy("default"))
    real, count = type(engine.generator).generate, []

    def generate(self, query, evidence):
        count.append(1)
        text = f"Rule {len(count)}. The keeper must keep a register of barrels."
        draft = real(self, query, evidence)
        tenant.corpus.ingest_text("rule.txt", text, "rules")
        return draft

    tenant.corpus.ingest_text("rule.txt", "Rule 0. The keeper must keep a register of barrels.", "rules")
    monkeypatch.setattr(type(engine.generator), "generate", generate)
    asked = AskRequest("Who must keep a register of barrels?", "rules", Policy("default"))
    with pytest.raises(Problem) as problem:
        answer(tenant, OPEN_CREDENTIAL, asked)
    assert (problem.value.code, problem.value.headers["Retry-After"]) == ("index_changing", "1")


def test_two_tenants_asked_at_once_get_each_their_own(state):
    def found(tenant: str) -> str:
        engine = state.tenant(tenant).engine(Policy("default"))
        return str(engine.search("What word opens the vault?", Scope("strongroom", tenant)))

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda n: (n % 2, found(("alpha", "beta")[n % 2])), range(60)))
    assert all(("zephyrquartz" in text) == (which == 0) for which, text in results)
