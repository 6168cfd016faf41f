"""A service over a real store, as two tenants and the machine's own user see it."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from footnotary.mcp_server.mount import create_app_with_mcp
from footnotary.service.state import ServiceState
from footnotary.settings import load_settings
from footnotary.testing.fake_embedder import HashEmbedder
from footnotary.wiring import build_corpus, open_store
from harness.service.scripted_chat import ScriptedChat

CORPUS = Path(str(resources.files("footnotary"))) / "demo_corpus"
# A sentence that only one tenant holds; no other may ever read its last word.
CANARY = "zephyrquartz"
SECRET = f"Rule 7. The vault of tenant alpha opens with the word {CANARY}."

StartService = Callable[..., TestClient]


@pytest.fixture(scope="session")
def filled_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tenants `local`, `alpha` and `beta`: each with the project `demo`, and alpha with one that only it has."""
    home = tmp_path_factory.mktemp("filled") / "home"
    for tenant in ("local", "alpha", "beta"):
        settings = load_settings({"verifier": "lexical", "home": home, "tenant": tenant}, environ={})
        store = open_store(settings, HashEmbedder())
        corpus = build_corpus(settings, store, HashEmbedder())
        corpus.ingest_text("ipc_digest.txt", (CORPUS / "ipc_digest.txt").read_text(encoding="utf-8"), "demo")
        corpus.ingest_text("hipaa_digest.txt", (CORPUS / "hipaa_digest.txt").read_text(encoding="utf-8"), "demo")
        if tenant == "alpha":
            corpus.ingest_text("vault.txt", SECRET, "strongroom")
        store.close()
    return home


@pytest.fixture
def home(filled_home: Path, tmp_path: Path) -> Path:
    """A home of the test's own."""
    return Path(shutil.copytree(filled_home, tmp_path / "home"))


@pytest.fixture
def start(home: Path) -> Iterator[StartService]:
    """Starts a service over the home, with the settings given; no limit of rate unless asked for."""
    with ExitStack() as running:

        def started(**given: object) -> TestClient:
            verifier = os.environ.get("FOOTNOTARY_VERIFIER", "profile")  # of the environment, only this
            settings = load_settings({"verifier": verifier, "home": home, "rate_per_minute": 0, **given}, environ={})
            app = create_app_with_mcp(ServiceState(settings, HashEmbedder()))
            return running.enter_context(TestClient(app, base_url="http://localhost"))

        yield started


@pytest.fixture
def client(start: StartService) -> TestClient:
    """A service nobody made a key for."""
    return start()


@pytest.fixture
def model(monkeypatch):
    """A model that says what its `reply` is, in place of the one the settings name."""
    model = ScriptedChat(structured=True)
    monkeypatch.setattr("footnotary.wiring.models.open_model", lambda settings, profile: model)
    return model
