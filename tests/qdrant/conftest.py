"""One real server for all tests of this folder, and an empty store on it for each."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("qdrant_client", reason="qdrant-client is not installed: pip install 'footnotary[qdrant]'")

from footnotary.index.manifest import Manifest
from footnotary.index.qdrant_server import QdrantServer, Where
from footnotary.index.qdrant_store import QdrantStore
from footnotary.testing.qdrant_process import NotHere, running
from footnotary.testing.stored_texts import EMBEDDER

MANIFEST = Manifest(EMBEDDER.name, EMBEDDER.dimensions)


@pytest.fixture(scope="session")
def qdrant_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    try:
        with running(tmp_path_factory.mktemp("qdrant")) as url:
            yield url
    except NotHere as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def _kept(qdrant_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantStore]:
    server = QdrantServer(qdrant_url, timeout_s=120)
    store = QdrantStore(server, secrets.token_hex(4), tmp_path_factory.mktemp("tenant"), MANIFEST)
    yield store
    for project in ("law", "school"):
        server.drop(store._collection(project))
    server.drop(store._catalogue)
    store.close()


@pytest.fixture
def store(_kept: QdrantStore) -> QdrantStore:
    """The same collections for every test, emptied: making them takes longer than any test."""
    server = _kept._server
    server.take_out(_kept._catalogue, Where({}, {"kind": ("manifest",)}))
    for project in ("law", "school"):
        if server.exists(_kept._collection(project)):
            server.take_out(_kept._collection(project), Where())
    return _kept


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
