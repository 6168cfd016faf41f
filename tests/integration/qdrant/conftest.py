"""One real server for all tests of this folder, and an empty store on it for each."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("qdrant_client", reason="qdrant-client is not installed: pip install 'footnotary[qdrant]'")

from footnotary.index.manifest import Manifest
from footnotary.index.qdrant.point_types import PointFilter
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.qdrant.store import QdrantStore
from footnotary.testing.qdrant_process import EMULATED, QdrantUnavailable, running_server
from footnotary.testing.sample_documents import EMBEDDER

MANIFEST = Manifest(EMBEDDER.name, EMBEDDER.dimensions)
WHOLE = "FOOTNOTARY_TEST_QDRANT_WHOLE"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """An emulated server takes seconds for a test: there, of the tests with several cases the first case stands for all.

    `make verify-release` runs every case, and so does a machine that needs no emulator.
    """
    if not EMULATED or os.environ.get(WHOLE) or os.environ.get("FOOTNOTARY_TEST_QDRANT_URL"):
        return
    seen: set[str] = set()
    for item in items:
        if Path(__file__).parent in item.path.parents:
            test = item.nodeid.partition("[")[0]
            if test in seen:
                item.add_marker(
                    pytest.mark.skip(f"the server is emulated: all cases run in make verify-release, or with {WHOLE}=1")
                )
            seen.add(test)


@pytest.fixture(scope="session")
def qdrant_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    try:
        with running_server(tmp_path_factory.mktemp("qdrant")) as url:
            yield url
    except QdrantUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def _kept(qdrant_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantStore]:
    server = QdrantServer(qdrant_url, timeout_s=120)
    store = QdrantStore(server, secrets.token_hex(4), tmp_path_factory.mktemp("tenant"), MANIFEST)
    yield store
    for name in ("law", "school"):
        server.drop(store._catalog.collection(name))
    server.drop(store._catalog.name)
    store.close()


@pytest.fixture
def store(_kept: QdrantStore) -> QdrantStore:
    """The same collections for every test, emptied: making them takes longer than any test."""
    catalog = _kept._catalog
    catalog.server.delete_points(catalog.name, PointFilter({}, {"kind": ("manifest",)}))
    for name in map(catalog.collection, ("law", "school")):
        if name in catalog.server._ready:
            catalog.server.delete_points(name, PointFilter())
    return _kept


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
