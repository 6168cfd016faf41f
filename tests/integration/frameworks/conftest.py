"""An engine over a small store, for tests with the real libraries; each is skipped where its library is missing."""

from contextlib import closing

import pytest

from footnotary.audit.log import AuditLog
from footnotary.profiles.load import load_profile
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import build_corpus, open_engine, open_store

LEAVE = "Every permanent worker has eighteen days of paid leave in each year."
QUESTION = "How many days of paid leave does a permanent worker have in each year?"
FALSE = LEAVE.replace("eighteen", "twenty-eight")
PASSAGES = [LEAVE, "A reader may borrow five books for four weeks."]
REFUSAL = load_profile("default").refusal.en


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The data directory that checkers record in."""
    monkeypatch.setenv("FOOTNOTARY_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def open_with(home, monkeypatch):
    """Opens an engine as users do, with the settings given."""
    monkeypatch.setattr("footnotary.wiring.engine_assembly.open_embedder", lambda _: HashEmbedder())
    settings, engines = load_settings({"home": home}), []
    store = open_store(settings, HashEmbedder())
    build_corpus(settings, store, HashEmbedder()).ingest_text("leave.txt", LEAVE, "hr")
    store.close()

    def opened(**given):
        engines.append(open_engine(home=home, **given))
        return engines[-1]

    yield opened
    for engine in engines:
        engine.store.close()


@pytest.fixture
def engine(open_with):
    return open_with()


def records(home):
    """The channel, answer id and outcome of every record in the audit log."""
    path = home / "tenants" / "local" / "audit.db"
    if not path.exists():
        return []
    with closing(AuditLog(path, home / "heads" / "local.db", read_only=True)) as log:
        said = [record.says for record in log.latest(100)]
    return [(one["channel"], one["answer_id"], one["outcome"]) for one in said]
