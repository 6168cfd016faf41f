"""What a caller asks for reaches every part: with `verifier="lexical"` no trained model is opened, whatever the profile says."""

import pytest

from footnotary import load_profile, open_engine, verify_claim
from footnotary.app.opening import tenant_of
from footnotary.domain.outcome import Answer
from footnotary.domain.query import Scope
from footnotary.errors import UsageError
from footnotary.reader import shipped
from footnotary.replay import replay
from footnotary.service.state import Policy, ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import build_corpus, open_checks, open_replay, open_row_scorers, open_store

LEAVE = "Every permanent worker has eighteen days of paid leave in each year."
QUESTION = "How many days of paid leave does a permanent worker have in each year?"
MODELS = ("OnnxReader", "OnnxInjectionClassifier", "HubVerifier")


class Opened(Exception):
    """A trained model was opened."""


@pytest.fixture(autouse=True)
def no_models(monkeypatch):
    """The environment asks for the profile's models, and opening any of them fails the test."""
    monkeypatch.delenv("FOOTNOTARY_VERIFIER", raising=False)

    def opened(folder):
        raise Opened(folder)

    for cached in (shipped._open_shipped, shipped._injection_classifier, shipped.open_verifier):
        cached.cache_clear()
    for name in MODELS:
        monkeypatch.setattr(shipped, name, opened)
    yield
    for cached in (shipped._open_shipped, shipped._injection_classifier, shipped.open_verifier):
        cached.cache_clear()


@pytest.fixture
def home(tmp_path):
    settings = load_settings({"home": tmp_path, "verifier": "lexical"}, environ={})
    store = open_store(settings, HashEmbedder())
    build_corpus(settings, store, HashEmbedder()).ingest_text("leave.txt", LEAVE, "hr")
    store.close()
    return tmp_path


@pytest.fixture
def words(home):
    return load_settings({"home": home, "verifier": "lexical", "rate_per_minute": 0}, environ={})


def test_the_environment_alone_would_open_one(home):
    with pytest.raises(Opened):
        open_engine("legal", home=home / "other", embedder="fast")
    with pytest.raises(Opened):
        verify_claim("Workers rest for eighteen days.", LEAVE)


def test_an_engine_opened_with_words_opens_none(tmp_path):
    engine = open_engine("legal", home=tmp_path, embedder="fast", verifier="lexical")
    assert (engine.reader, engine.reranker) == (None, None)
    engine.store.close()


def test_a_claim_verified_by_words_opens_none():
    assert not verify_claim("Workers rest for eighty days.", LEAVE, verifier="lexical").supported


def test_the_service_opens_none_and_names_none_in_its_records(words):
    state = ServiceState(words, HashEmbedder())
    try:
        tenant = state.tenant("local")
        engine = tenant.engine(Policy("legal"))
        assert engine.reader is None
        outcome = engine.ask(QUESTION, Scope("hr", "local"))
        assert isinstance(outcome, Answer)
        models = tenant.notary._models(engine.profile)
        assert {models[part] for part in ("verifier", "answerability", "injection", "reranker")} == {""}
    finally:
        state.close()


def test_evaluation_opens_none(words):
    scorers = open_row_scorers("legal", words)
    assert scorers.reader is None
    assert scorers.claims.scores([(LEAVE, (LEAVE,))]) == [1.0]


def test_replay_opens_none(words):
    decides = open_replay(words)(load_profile("legal"))
    assert decides.reader is None
    assert set(decides.models.values()) == {""}
    assert [name for name, _ in decides.checks] == [name for name, _ in open_checks(load_profile("legal"), words)]
    assert replay({}, open_replay(words)).what == "content"


def test_an_engine_knows_the_tenant_whose_store_it_opened(tmp_path):
    engine = open_engine("legal", home=tmp_path, embedder="fast", verifier="lexical", tenant="acme")
    assert (engine.tenant, tenant_of(engine)) == ("acme", "acme")
    with pytest.raises(UsageError, match="the scope names tenant 'local'"):
        engine.ask(QUESTION, Scope("hr"))
    engine.store.close()
