"""Every store of ours keeps the contract of `footnotary.ports.Store`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from footnotary.index.embedded import vector_matrix
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.ports import Store
from footnotary.testing.dict_store import DictStore
from footnotary.testing.sample_documents import EMBEDDER
from footnotary.testing.store_conformance import StoreConformance


class TestDictStore(StoreConformance):
    @pytest.fixture
    def store(self) -> Store:
        return DictStore(EMBEDDER.dimensions)


class TestEmbeddedStore(StoreConformance):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = EmbeddedStore(tmp_path / "tenant", EMBEDDER.name, EMBEDDER.dimensions)
        yield store
        assert store.check(deep=True) == []
        store.close()


class TestEmbeddedStoreWithFirstPasses(StoreConformance):
    """As if every project were a large one."""

    @pytest.fixture
    def store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
        monkeypatch.setattr(vector_matrix, "EXACT_MAX_ROWS", 0)
        monkeypatch.setattr(vector_matrix, "_GATHER_MAX_SHARE", 2.0)
        store = EmbeddedStore(tmp_path / "tenant", EMBEDDER.name, EMBEDDER.dimensions, ann_min_chunks=1)
        yield store
        assert store.check(deep=True) == []
        store.close()
