"""A large project asked by words and by meaning at the same time: the same lists, beside writers, and every error."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from threading import enumerate as threads

import numpy as np
import pytest

from footnotary.domain.query import Filters
from footnotary.errors import UsageError
from footnotary.index.embedded import search, vector_matrix
from footnotary.index.embedded.search import EmbeddedSearch
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.testing.sample_documents import SamplePassage, make_document

DIMENSIONS = 32
ANY = Filters()


def vector(number: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.random.default_rng(number).standard_normal(DIMENSIONS).astype(np.float32)


def put(store: EmbeddedStore, numbers: range) -> None:
    document = make_document(
        f"d{numbers.start}", [SamplePassage(f"P_{n}_0", f"Passage number{n} says something.") for n in numbers]
    )
    store.put("law", document.document, document.chunks, np.stack([vector(n) for n in numbers]), f"D{numbers.start}")


def asked(store: EmbeddedStore, number: int, k: int = 5) -> tuple[list[str], list[str]]:
    by_words, by_meaning = store.lexical_and_dense("law", [f"number{number}", "passag"], vector(number), k, ANY)
    return [hit.id for hit in by_words], [hit.id for hit in by_meaning]


def of_its_own() -> set[Thread]:
    return {thread for thread in threads() if thread.name.startswith("by-words")}


@pytest.fixture(autouse=True)
def before() -> set[Thread]:
    """Threads of stores that others have not closed."""
    return of_its_own()


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(vector_matrix, "EXACT_MAX_ROWS", 100)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    store = EmbeddedStore(tmp_path / "tenant", "random", DIMENSIONS, ann_min_chunks=1_000)
    with store.bulk("law"):
        put(store, range(1_200))
    yield store
    store.close()


def test_both_lists_are_what_each_way_gives(store: EmbeddedStore, before: set[Thread]):
    for number in (0, 700, 1_199):
        for filters in (ANY, Filters(without=frozenset({"d0"})), Filters(document="d0")):
            by_words = store.lexical("law", [f"number{number}", "passag"], 5, filters)
            by_meaning = store.dense("law", vector(number), 5, filters)
            both = store.lexical_and_dense("law", [f"number{number}", "passag"], vector(number), 5, filters)
            assert both == (by_words, by_meaning)
    assert of_its_own() - before


def test_a_small_project_is_searched_in_one_thread(tmp_path: Path, before: set[Thread]):
    store = EmbeddedStore(tmp_path, "random", DIMENSIONS)
    put(store, range(20))
    assert asked(store, 7, 1) == (["P_7_0"], ["P_7_0"])
    assert not of_its_own() - before
    store.close()


def test_one_core_is_not_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: set[Thread]):
    monkeypatch.setattr(search.os, "cpu_count", lambda: 1)
    store = EmbeddedStore(tmp_path, "random", DIMENSIONS, ann_min_chunks=1_000)
    with store.bulk("law"):
        put(store, range(1_200))
    assert asked(store, 7, 1) == (["P_7_0"], ["P_7_0"])
    assert not of_its_own() - before
    store.close()


@pytest.mark.parametrize("way", ["lexical", "dense"])
def test_what_goes_wrong_one_way_is_raised_and_nothing_keeps_running(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch, way: str
):
    asked(store, 1)
    with monkeypatch.context() as patched:

        def fails(*_: object) -> None:
            raise RuntimeError(f"no {way}")

        patched.setattr(EmbeddedSearch, way, fails)
        with pytest.raises(RuntimeError, match=f"no {way}"):
            asked(store, 1)
    assert asked(store, 1, 1) == (["P_1_0"], ["P_1_0"])


def test_a_search_does_not_wait_behind_what_others_began(store: EmbeddedStore):
    expected = asked(store, 3)
    done = Event()
    pool = store._search._executor  # pyright: ignore[reportPrivateUsage]
    busy = [pool.submit(done.wait) for _ in range(8)]
    try:
        assert asked(store, 3) == expected
    finally:
        done.set()
    assert all(one.result() for one in busy)


def test_both_ways_find_what_stays_while_documents_come_and_go(store: EmbeddedStore):
    stop = Event()

    def writes() -> None:
        while not stop.is_set():
            put(store, range(2_000, 2_003))
            store.delete("law", "d2000")

    writer = Thread(target=writes)
    writer.start()
    try:
        for _ in range(40):
            by_words, by_meaning = asked(store, 5, 1)
            assert (by_words, by_meaning) == (["P_5_0"], ["P_5_0"])
            assert set(asked(store, 2_001, 1)[0]) <= {"P_2001_0"} | {f"P_{n}_0" for n in range(1_200)}
    finally:
        stop.set()
        writer.join()


def test_a_closed_store_says_so_and_has_no_threads(store: EmbeddedStore, before: set[Thread]):
    asked(store, 1)
    store.close()
    assert not of_its_own() - before
    with pytest.raises(UsageError, match="closed"):
        asked(store, 1)
