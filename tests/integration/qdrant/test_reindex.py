"""A project's collection built anew while it is searched and changed."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from footnotary.errors import BackendError, UnknownProject
from footnotary.index.qdrant import reindex
from footnotary.index.qdrant.point_types import ClusterSharding, PointFilter
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.qdrant.store import QdrantStore
from footnotary.testing.sample_documents import EMBEDDER, SamplePassage, make_document, penal_code, wages_act
from footnotary.testing.search_queries import NO_FILTERS, all_ids, search_dense, search_lexical
from footnotary.testing.version_conformance import amended
from footnotary.text.tokens import content_terms


@pytest.fixture
def spread(store: QdrantStore, qdrant_url: str, folder: Path) -> Iterator[QdrantStore]:
    """The same tenant by settings that spread collections over more shards."""
    server = QdrantServer(qdrant_url, timeout_s=120, spread=ClusterSharding(shards=3))
    with closing(QdrantStore(server, store._catalog.tenant, folder, store.manifest)) as other:
        yield other


def test_a_new_collection_takes_the_place_of_the_old_one_as_the_settings_spread_it(
    store: QdrantStore, spread: QdrantStore
):
    for law in (penal_code(), wages_act()):
        law.put_into(store)
    name, digest = store._catalog.collection("law"), store.index_digest("law")
    old = store._server.behind(name)
    done = spread.reindex("law")
    new = store._server.behind(name)
    client = store._server._client
    assert (done.documents, done.passages, done.late, done.collection) == (2, 7, 0, new)
    assert new is not None
    assert new != old
    assert not client.collection_exists(str(old))
    assert client.get_collection(new).config.params.shard_number == 3
    assert store.index_digest("law") == digest
    assert all_ids(store) == {*penal_code().ids, *wages_act().ids}
    assert search_lexical(store, "conspiracy") == ["IPC_120B_0"]
    assert store.check(deep=True) == []
    amended().put_into(store)  # and it takes changes like the first
    assert search_lexical(store, "conspiracy") == []


def test_what_changes_meanwhile_is_in_the_new_collection(
    store: QdrantStore, spread: QdrantStore, monkeypatch: pytest.MonkeyPatch
):
    penal_code().put_into(store)
    wages_act().put_into(store)
    copying = reindex._copy_passages

    def interrupted(catalog: object, head: object, into: str) -> None:
        copying(catalog, head, into)  # type: ignore[arg-type]
        monkeypatch.setattr(reindex, "_copy_passages", copying)
        store.delete("law", "wages")
        amended().put_into(store)
        make_document("more", [SamplePassage("More_1_0", "Something new about fraud.")]).put_into(store)

    monkeypatch.setattr(reindex, "_copy_passages", interrupted)
    assert spread.reindex("law").documents == 2
    assert all_ids(store) == {"IPC_420_0", "More_1_0"}
    assert store._server.count(store._catalog.collection("law"), PointFilter()) == 2
    assert store.check(deep=True) == []


def test_nothing_is_switched_where_the_new_collection_is_not_whole(store: QdrantStore, monkeypatch: pytest.MonkeyPatch):
    penal_code().put_into(store)
    name = store._catalog.collection("law")
    old = store._server.behind(name)
    monkeypatch.setattr(reindex, "_copy_passages", lambda *_: None)
    with pytest.raises(BackendError, match="0 passages instead of 5"):
        store.reindex("law")
    assert store._server.behind(name) == old
    assert all_ids(store) == set(penal_code().ids)


def test_every_question_asked_meanwhile_is_answered_as_before(store: QdrantStore, spread: QdrantStore):
    penal_code().put_into(store)
    wrong: list[object] = []
    asked = 0
    over = threading.Event()

    def ask() -> None:
        nonlocal asked
        while not over.is_set():
            try:
                found = search_dense(store, "anything", 10)
            except Exception as error:
                found = error
            if not isinstance(found, list) or set(found) != set(penal_code().ids):
                wrong.append(found)
            asked += 1

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        for _ in range(2):
            spread.reindex("law")
    finally:
        over.set()
        thread.join()
    assert asked > 0
    assert wrong == []


def test_a_project_that_is_not_there_cannot_be_rebuilt(store: QdrantStore):
    with pytest.raises(UnknownProject):
        store.reindex("nothing")


def test_both_lists_in_one_trip_are_the_two_lists(store: QdrantStore, monkeypatch: pytest.MonkeyPatch):
    for law in (penal_code(), wages_act()):
        law.put_into(store)
    terms, vector = content_terms("cheating and wages"), EMBEDDER.embed_question("cheating and wages")
    apart = store.lexical("law", terms, 3, NO_FILTERS), store.dense("law", vector, 3, NO_FILTERS)
    trips: list[int] = []
    ask = store._server.nearest
    monkeypatch.setattr(store._server, "nearest", lambda *given: trips.append(len(given[1])) or ask(*given))
    assert store.lexical_and_dense("law", terms, vector, 3, NO_FILTERS) == apart
    assert trips == [2]
    assert store.lexical_and_dense("law", (), vector, 3, NO_FILTERS) == ((), apart[1])
