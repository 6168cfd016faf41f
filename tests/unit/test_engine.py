"""The contract, on the engine with fakes at its edges."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.corpus import Corpus
from footnotary.domain.draft import Claim
from footnotary.domain.outcome import Answer, EvidenceGap, Refusal
from footnotary.domain.query import Scope
from footnotary.domain.verdict import Reason
from footnotary.engine import Engine
from footnotary.errors import BackendError, ModelError, UsageError
from footnotary.generate.extractive.generator import ExtractiveGenerator
from footnotary.profiles.load import load_profile
from footnotary.render.answer_text import text_without_markers
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

LEGAL = load_profile("legal")
ACT = """ACT: Indian Penal Code, 1860
CODE: IPC
KIND: act

Section 417. Punishment for cheating.
Whoever cheats shall be punished with imprisonment for a term which may extend to one year, or with fine, or with both.

Section 420. Cheating and dishonestly inducing delivery of property.
Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished with imprisonment for a term which may extend to seven years, and shall also be liable to fine.
"""
QUESTION = "What is the punishment under section 420 IPC?"


def engine(generator=None, profile=LEGAL):
    store, embedder = DictStore(), HashEmbedder()
    report = Corpus(store, embedder).ingest_text("ipc.txt", ACT, "law")
    assert not report.failed
    return Engine(store, embedder, generator or ExtractiveGenerator(profile), profile, checks_for(profile))


def ask(generator=None, question=QUESTION, project="law"):
    return engine(generator).ask(question, Scope(project))


def test_an_answer_cites_every_claim_with_a_quote_that_stands_in_its_source():
    outcome = ask()
    assert isinstance(outcome, Answer)
    for number, _ in enumerate(outcome.claims):
        citations = [c for c in outcome.citations if c.claim == number]
        assert citations
        for citation in citations:
            chunk = outcome.evidence.chunk(citation.id)
            assert citation.quote == citation.chunk_span.of(chunk.text)
            located = citation.source_span
            assert ACT.encode()[located.bytes.start : located.bytes.end].decode() == citation.quote
            assert outcome.text[citation.answer_span.start : citation.answer_span.end] == outcome.claims[number].text


def test_claims_stand_where_they_are_said_to_in_the_stripped_answer_with_a_list():
    house = "KIND: guidelines\n\n# Garden\nThe garden opens at nine. A guest of the garden may:\n(a) pick plums;\n(b) feed ducks.\n\nThe garden closes at six.\n"
    store, embedder = DictStore(), HashEmbedder()
    assert not Corpus(store, embedder).ingest_text("garden.md", house, "house").failed
    profile = load_profile("default")
    (cited,) = {
        hit.chunk.id for hit in Engine(store, embedder, Says(""), profile, ()).search("garden", Scope("house")).hits
    }
    claims = (
        "The garden opens at nine.",
        "A guest of the garden may:\n(a) pick plums;\n(b) feed ducks.",
        "The garden closes at six.",
    )
    draft = Says(*claims, cites=(cited,))
    outcome = Engine(store, embedder, draft, profile, checks_for(profile)).ask(
        "When does the garden open and close?", Scope("house")
    )
    assert isinstance(outcome, Answer), outcome
    assert [citation.answer_span.of(text_without_markers(outcome)) for citation in outcome.citations] == list(claims)


@pytest.mark.parametrize("call", [Engine.ask, Engine.search])
def test_another_tenants_name_was_put_on_the_documents_of_this_one(call):
    with pytest.raises(
        UsageError, match="the scope names tenant 'other', but this engine answers from documents of 'local'"
    ):
        call(engine(), QUESTION, Scope("law", tenant="other"))
    own = replace(engine(), tenant="acme")
    assert call(own, QUESTION, Scope("law", "acme"))
    with pytest.raises(UsageError):
        call(own, QUESTION, Scope("law"))


def test_the_answer_is_about_the_section_asked_for():
    assert {citation.id for citation in ask().citations} == {"IPC_420_0"}


@pytest.mark.parametrize(
    ("draft", "reason"),
    [
        (Says("Up to seven years."), Reason.CLAIM_UNCITED),
        (Says("Up to seven years of imprisonment for cheating.", cites=("IPC_421_0",)), Reason.CITATION_UNKNOWN),
        (Says("Cheating: imprisonment up to ten years.", cites=("IPC_420_0",)), Reason.NUMBER_UNSUPPORTED),
        (Says("Cheating: imprisonment up to seventy years.", cites=("IPC_420_0",)), Reason.NUMBER_UNSUPPORTED),
        (
            Says("Whoever cheats shall not be punished with imprisonment.", cites=("IPC_420_0",)),
            Reason.TERM_SUBSTITUTED,
        ),
        (Says("Section 421 punishes cheating with imprisonment.", cites=("IPC_420_0",)), Reason.SECTION_UNSUPPORTED),
        (Says("Cheats are punished.", cites=("IPC_420_0",), malformed=("［1］",)), Reason.CITATION_MALFORMED),
        (Says(declined=True), Reason.GENERATOR_DECLINED),
        (Says(), Reason.EMPTY_ANSWER),
        (Says("The moon is made of green cheese.", cites=("IPC_420_0",)), Reason.CITATION_UNSUPPORTING),
        (
            Says("As we know, whoever cheats shall be punished with imprisonment.", cites=("IPC_420_0",)),
            Reason.OUTSIDE_KNOWLEDGE,
        ),
    ],
)
def test_a_bad_draft_is_refused_with_its_reason(draft, reason):
    outcome = ask(draft)
    assert isinstance(outcome, Refusal)
    assert outcome.reason is reason
    assert outcome.message == "I cannot answer based on the provided documents."


def test_a_faithful_paraphrase_is_delivered():
    outcome = ask(Says("A person who cheats this way faces up to 7 years in prison and a fine.", cites=("IPC_420_0",)))
    assert isinstance(outcome, Answer), outcome.verdicts


def test_one_good_claim_does_not_carry_a_bad_one():
    good = Claim("Whoever cheats shall be punished with imprisonment.", ("IPC_420_0",))
    outcome = ask(Says(good, Claim("The court must also take away the passport.", ())))
    assert isinstance(outcome, Refusal)


def test_all_failed_checks_are_listed_and_the_first_reason_is_fixed():
    outcome = ask(Says("Section 421 imposes seventy years."))
    failed = {verdict.reason for verdict in outcome.verdicts if verdict.status != "pass"}
    assert Reason.CLAIM_UNCITED in failed
    assert outcome.reason is min(failed, key=lambda reason: reason.order)


class Counting:
    """A generator that must not be called."""

    name = "counting"
    calls = 0

    def generate(self, query, evidence):
        self.calls += 1
        raise AssertionError("the gate let an unanswerable question through")


@pytest.mark.parametrize(
    ("question", "project", "reason"),
    [
        ("What is the punishment for cheating?", "no such project", Reason.COLLECTION_NOT_FOUND),
        ("How do plants make sugar from sunlight?", "law", Reason.NO_RELEVANT_CONTENT),
        ("What is the punishment under section 42 IPC?", "law", Reason.INSUFFICIENT_EVIDENCE),
    ],
)
def test_an_early_refusal_costs_no_generation(question, project, reason):
    counting = Counting()
    outcome = ask(counting, question, project)
    assert isinstance(outcome, Refusal)
    assert counting.calls == 0
    if reason is not Reason.INSUFFICIENT_EVIDENCE:
        assert outcome.reason is reason


def test_a_model_that_fails_is_an_error_and_not_an_i_do_not_know():
    class Failing:
        name = "failing"

        def generate(self, query, evidence):
            raise ModelError("the server hung up")

    with pytest.raises(ModelError):
        ask(Failing())


def test_a_check_that_cannot_run_refuses():
    def broken(submission):
        raise BackendError("the model is gone")

    own = engine(Says("Whoever cheats shall be punished with imprisonment.", cites=("IPC_420_0",)))
    outcome = Engine(own.store, own.embedder, own.generator, LEGAL, (*own.checks, ("broken", broken))).ask(
        QUESTION, Scope("law")
    )
    assert isinstance(outcome, Refusal)
    assert [v.status for v in outcome.verdicts if v.check == "broken"] == ["skip"]


def test_a_refusal_in_hindi_is_exact():
    outcome = ask(question="सड़क पर गाड़ी की गति सीमा क्या है?")
    assert outcome.message == LEGAL.refusal.hi


def test_the_same_question_gets_the_same_outcome():
    own = engine()
    assert own.ask(QUESTION, Scope("law")) == own.ask(QUESTION, Scope("law"))


texts = st.text(alphabet=st.sampled_from("abc seven 7 [](){}1420_IPC.。।\u200b［］"), max_size=60)


@given(claims=st.lists(st.tuples(texts, st.lists(st.sampled_from(["IPC_420_0", "IPC_417_0", "IPC_42_0"]), max_size=2))))
def test_nothing_uncited_or_unknown_gets_out_whatever_a_generator_says(claims):
    draft = Says(*(Claim(text, tuple(cites)) for text, cites in claims))
    outcome = ENGINE_WITH(draft).ask(QUESTION, Scope("law"))
    if isinstance(outcome, Answer):
        assert all(claim.cites and set(claim.cites) <= outcome.evidence.ids for claim in outcome.claims)


BASE = engine()


def ENGINE_WITH(generator):
    return Engine(BASE.store, BASE.embedder, generator, LEGAL, BASE.checks)


def test_an_outcome_keeps_the_draft_for_the_audit_and_shows_it_nowhere():
    outcome = ask(Says("Up to 10 years for zebras.", cites=("IPC_420_0",)))
    assert isinstance(outcome, Refusal)
    assert outcome.draft is not None
    assert outcome.draft.claims[0].text == "Up to 10 years for zebras."
    assert "zebras" not in repr(replace(outcome, verdicts=(), needed=EvidenceGap("", "")))
