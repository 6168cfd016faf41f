"""A model's search words: only after the probe, never as key terms, never needed."""

from dataclasses import replace

from footnotary.domain.query import Scope
from footnotary.engine import Engine
from footnotary.errors import ModelError
from footnotary.gate.intent import understand
from footnotary.generate.chat.query_expansion import ModelQueryExpander
from footnotary.profiles.load import load_profile
from footnotary.testing.scripted_models import ScriptedChatModel
from tests.unit.test_engine import QUESTION, engine

LEGAL = load_profile("legal")


def test_the_models_words_are_searched_for_and_are_no_key_terms():
    query = understand("What is the punishment for cheating?", Scope("law"), LEGAL)
    wider = ModelQueryExpander(ScriptedChatModel("fraud, deceit"))(query)
    assert {"fraud", "deceit"} <= set(wider.facets[0].terms)
    assert wider.facets[0].subject == query.facets[0].subject


def test_a_model_that_fails_adds_nothing():
    query = understand("What is the punishment for cheating?", Scope("law"), LEGAL)
    assert ModelQueryExpander(ScriptedChatModel(ModelError("down")))(query) == query


def asked(question):
    own, model = engine(), ScriptedChatModel("fraud", "fraud")
    replace(own, expand=ModelQueryExpander(model)).ask(question, Scope("law"))
    return len(model.asked)


def test_no_model_is_asked_before_the_probe_has_passed():
    assert asked("How do plants make sugar from sunlight?") == 0
    assert asked(QUESTION) == 1


def test_an_engine_without_an_expander_asks_no_model():
    assert isinstance(engine(), Engine)
    assert engine().expand is None
