"""The store on a Qdrant server: what every store promises, and what is cut off halfway."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from footnotary.errors import IndexMismatch, StoreCorrupt, StoreLocked, UsageError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.manifest import Manifest
from footnotary.index.migration import migrate
from footnotary.index.qdrant.passage_points import passage_point
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.qdrant.store import QdrantStore
from footnotary.testing.sample_documents import EMBEDDER, SamplePassage, make_document, penal_code, textbook, wages_act
from footnotary.testing.search_queries import all_ids, search_lexical
from footnotary.testing.store_conformance import StoreConformance
from footnotary.testing.version_conformance import SAMPLE_VALIDITY, amended, with_validity


class TestQdrantStore(StoreConformance):
    """The same suite as the embedded store's."""


class Cut(Exception):
    """Stands for a process that ends."""


def cutting(monkeypatch: pytest.MonkeyPatch, target: object, method: str) -> None:
    def cut(*_: object, **__: object) -> None:
        raise Cut

    monkeypatch.setattr(target, method, cut)


@pytest.mark.parametrize("committed", [False, True])
def test_a_change_cut_off_happened_as_a_whole_or_not_at_all(
    store: QdrantStore, monkeypatch: pytest.MonkeyPatch, committed: bool
):
    penal_code().put_into(store)
    with monkeypatch.context() as broken:
        if committed:
            cutting(broken, store._server, "delete_points")
        else:
            cutting(broken, store._writer, "commit")
        with pytest.raises(Cut):
            amended().put_into(store)
    assert all_ids(store) == ({"IPC_420_0"} if committed else set(penal_code().ids))
    assert search_lexical(store, "conspiracy") == ([] if committed else ["IPC_120B_0"])
    assert len(store.former_versions("law", "ipc")) == committed
    assert any("interrupted" in problem for problem in store.check())
    amended().put_into(store)  # the same again, and nothing is left of the first attempt
    assert all_ids(store) == {"IPC_420_0"}
    assert store.check(deep=True) == []


def test_of_two_writers_of_one_document_the_later_gets_an_error(store: QdrantStore):
    penal_code().put_into(store)
    read = store._catalog.record("law", "ipc")
    assert read is not None
    amended().put_into(store)
    with pytest.raises(StoreLocked, match="another writer"):
        store._writer.commit(read, read)
    assert all_ids(store) == {"IPC_420_0"}


def test_a_passage_that_was_changed_on_the_server_is_never_cited(store: QdrantStore):
    penal_code().put_into(store)
    (found,) = store._catalog.named("law", "id", ["IPC_420_0"], ("document", "version"))
    forged = passage_point(penal_code().chunks[3], EMBEDDER.embed_question("x"), found.payload["version"])
    forged = replace(forged, payload={**forged.payload, "text": "Whoever cheats is free to go."})
    store._server.put(store._catalog.collection("law"), [forged])
    with pytest.raises(StoreCorrupt, match="IPC_420_0"):
        store.chunks("law", ["IPC_420_0"])
    assert any("IPC_420_0" in problem for problem in store.check(deep=True))


def test_another_embedder_is_refused(store: QdrantStore, qdrant_url: str, folder: Path):
    with pytest.raises(IndexMismatch, match="built with"):
        QdrantStore(QdrantServer(qdrant_url), store._catalog.tenant, folder, Manifest("another", EMBEDDER.dimensions))


def test_a_tenant_without_a_store_has_none_to_read(qdrant_url: str, folder: Path):
    with pytest.raises(UsageError, match="no store"):
        QdrantStore(QdrantServer(qdrant_url), "nobody", folder, None, read_only=True)


@pytest.mark.smoke
def test_documents_go_to_the_server_and_back_with_the_same_digest(store: QdrantStore, folder: Path):
    with closing(EmbeddedStore(folder / "a", EMBEDDER.name, EMBEDDER.dimensions)) as one:
        for law in (with_validity(penal_code(), SAMPLE_VALIDITY), wages_act(), textbook()):
            law.put_into(one)
        report = migrate(one, store, "law")
        assert (report.documents, report.copied, report.passages) == (3, 3, 9)
        assert store.index_digest("law") == one.index_digest("law")
        assert migrate(one, store, "law").copied == 0
        make_document("wages", [SamplePassage("MinimumWagesAct_2_0", "Wages are pay.")]).put_into(one)
        assert migrate(one, store, "law").copied == 1
        with closing(EmbeddedStore(folder / "b", EMBEDDER.name, EMBEDDER.dimensions)) as back:
            assert migrate(store, back, "law").copied == 3
            assert back.index_digest("law") == one.index_digest("law")
            assert back.chunks("law", penal_code().ids) == one.chunks("law", penal_code().ids)
            assert back.check(deep=True) == []
