"""An engine over a small store, for tests with the real libraries; each is skipped where its library is not there."""

import pytest

from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import build_corpus, build_engine, open_store

LEAVE = "Every permanent worker has eighteen days of paid leave in each year."
QUESTION = "How many days of paid leave does a permanent worker have in each year?"
FALSE = LEAVE.replace("eighteen", "twenty-eight")
PASSAGES = [LEAVE, "A reader may borrow five books for four weeks."]
REFUSAL = load_profile("default").refusal.en


@pytest.fixture
def engine(tmp_path):
    settings = load_settings({"verifier": "lexical", "home": tmp_path}, environ={})
    store = open_store(settings, HashEmbedder())
    build_corpus(settings, store, HashEmbedder()).ingest_text("leave.txt", LEAVE, "hr")
    yield build_engine(settings, load_profile("default"), store, HashEmbedder())
    store.close()
