"""Claim by claim: of a rejected draft the beginning that is an answer by itself, and only where a profile says so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnotary.corpus import Corpus
from footnotary.domain.draft import Claim
from footnotary.domain.outcome import Answer, Refusal
from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.profiles.load import load_profile
from footnotary.testing.dict_store import DictStore
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.testing.scripted_models import Says
from footnotary.verify.run import checks_for

WHOLE = load_profile("legal")
BY_CLAIM = WHOLE.model_copy(update={"streaming": WHOLE.streaming.model_copy(update={"release": "claim"})})
ACT = """ACT: Indian Penal Code, 1860
CODE: IPC
KIND: act

Section 420. Cheating and dishonestly inducing delivery of property.
Whoever cheats and thereby dishonestly induces the person deceived to deliver any property shall be punished with imprisonment for a term which may extend to seven years, and shall also be liable to fine.
"""
GOOD = (
    Claim("Whoever cheats shall be punished with imprisonment which may extend to seven years.", ("IPC_420_0",)),
    Claim("Whoever cheats shall also be liable to fine.", ("IPC_420_0",)),
)
BAD = Claim("Whoever cheats shall be punished with imprisonment which may extend to ninety years.", ("IPC_420_0",))
STORE, EMBEDDER = DictStore(), HashEmbedder()
Corpus(STORE, EMBEDDER).ingest_text("ipc.txt", ACT, "law")


def ask(*claims, profile=BY_CLAIM, **draft):
    engine = Engine(STORE, EMBEDDER, Says(*claims, **draft), profile, checks_for(profile))
    return engine.ask("What is the punishment for cheating under section 420 IPC?", Scope("law"))


def test_by_default_a_rejected_draft_has_no_beginning():
    outcome = ask(*GOOD, BAD, profile=WHOLE)
    assert isinstance(outcome, Refusal)
    assert outcome.beginning is None


@pytest.mark.parametrize("count", [1, 2])
def test_what_passed_before_the_first_bad_claim_is_the_beginning(count):
    outcome = ask(*GOOD[:count], BAD)
    assert isinstance(outcome, Refusal)
    assert outcome.beginning.claims == GOOD[:count]
    assert all(verdict.status == "pass" for verdict in outcome.beginning.verdicts)


def test_a_claim_behind_a_bad_one_is_no_part_of_the_beginning():
    assert ask(GOOD[0], BAD, GOOD[1]).beginning.claims == GOOD[:1]


def test_nothing_is_released_before_a_bad_first_claim():
    assert ask(BAD, *GOOD).beginning is None


def test_a_draft_with_a_malformed_marker_has_no_beginning():
    assert ask(*GOOD, BAD, malformed=("［1］",)).beginning is None


def test_the_beginning_cites_as_the_same_claims_do_when_they_are_the_whole():
    assert ask(*GOOD, BAD).beginning.citations == ask(*GOOD).citations


def test_a_draft_that_passes_is_an_answer_as_ever():
    assert ask(*GOOD) == ask(*GOOD, profile=BY_CLAIM)
    assert isinstance(ask(*GOOD), Answer)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from((*GOOD, BAD)), min_size=1, max_size=5))
def test_no_beginning_ever_holds_a_bad_claim(claims):
    outcome = ask(*claims)
    if BAD not in claims:
        return
    assert isinstance(outcome, Refusal)
    released = outcome.beginning.claims if outcome.beginning else ()
    assert released == tuple(claims[: claims.index(BAD)])
