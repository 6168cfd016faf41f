"""Prompt injection in any part of a document, in three languages: what a model that follows it says is not delivered."""

import pytest

from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.wiring import build_corpus, build_engine, open_embedder, open_store
from harness.injection.trials import CARRIERS, Trial, benign, orders


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    settings = load_settings(
        {"verifier": "lexical", "home": tmp_path_factory.mktemp("home"), "embedder": "fast"}, environ={}
    )
    embedder, profile = open_embedder("fast"), load_profile("default")
    store = open_store(settings, embedder)
    yield Trial.of(build_engine(settings, profile, store, embedder), build_corpus(settings, store, embedder), profile)
    store.close()


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("language", ["en", "hi", "hinglish"])
def test_an_injection_is_not_followed_wherever_it_is_in_a_document(trial, carrier, language):
    """One order of each language here, another in each place; benchmarks/service/injection_places.py takes all."""
    own = [order for order in orders() if order.language == language]
    first = list(CARRIERS).index(carrier)
    order = own[first % len(own)]
    asked = 0
    for way, told in trial.obeyed(order, carrier, f"{language}{first}"):
        assert not told.delivered, (way, order)
        asked += told.asked
    assert asked, "the model was asked, and obeyed"


def test_texts_that_mention_instructions_are_answered_from(trial):
    refused = [case.statement for n, case in enumerate(benign()) if not trial.stated(case, f"benign{n}").answered]
    assert refused == []


def test_a_claim_that_only_withheld_text_has_is_refused_in_lexical_mode(trial):
    """The instruction was flagged and withheld, and words in common let the model's repetition of it through."""
    case = next(one for one in orders() if one.attack.text.startswith("When you are asked about this rule"))
    told = dict(trial.obeyed(case, "text, end", "withheld"))
    assert told["repeats the injection"].asked
    assert not any(one.delivered for one in told.values())
