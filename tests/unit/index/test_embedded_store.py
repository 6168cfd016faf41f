"""What the embedded store promises beyond the contract of every store."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from footnotary.domain.query import Filters
from footnotary.errors import UsageError
from footnotary.index import derived
from footnotary.index.embedded_store import EmbeddedStore
from footnotary.testing.dict_store import DictStore
from footnotary.testing.store_conformance import dense, everything, lexical
from footnotary.testing.stored_texts import EMBEDDER, Passage, penal_code, wages_act, written
from footnotary.text.tokens import content_terms


def opened(folder: Path) -> EmbeddedStore:
    return EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions)


def test_generations_count_changes_and_only_changes(tmp_path: Path):
    store = opened(tmp_path)
    assert store.generation("law") == 0
    penal_code().put_into(store)
    store.delete("law", "nothing")
    assert store.generation("law") == 1
    penal_code().put_into(store)
    store.delete("law", "ipc")
    assert store.generation("law") == 3
    assert store.generation("school") == 0
    store.close()


def test_the_index_digest_says_what_is_there_and_not_how_it_came_there(tmp_path: Path):
    one, other = opened(tmp_path / "one"), opened(tmp_path / "other")
    penal_code().put_into(one)
    wages_act().put_into(one)
    wages_act().put_into(other)
    assert one.index_digest("law") != other.index_digest("law")
    written("ipc", [Passage("IPC_1_0", "Later replaced.")]).put_into(other)
    assert one.index_digest("law") != other.index_digest("law")
    penal_code().put_into(other)
    assert one.index_digest("law") == other.index_digest("law")
    one.close()
    other.close()


def test_the_text_of_a_document_is_kept(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    assert store.document_text("law", "ipc") == penal_code().document.text
    with pytest.raises(UsageError):
        store.document_text("law", "wages")
    store.close()


def first_schema(folder: Path) -> None:
    """Makes of a store what the first version would have left: no layouts."""
    with closing(sqlite3.connect(folder / "truth.db")) as truth, truth:
        truth.execute("ALTER TABLE documents DROP COLUMN layout")
        truth.execute("UPDATE meta SET value = '1' WHERE key = 'schema'")


def test_a_store_of_the_first_schema_is_brought_up_to_date_when_opened_for_writing(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    store.close()
    first_schema(tmp_path)
    reader = EmbeddedStore(tmp_path, EMBEDDER.name, EMBEDDER.dimensions, read_only=True)
    assert reader.layout("law", "ipc") is None
    assert lexical(reader, "cheating")
    reader.close()
    writer = opened(tmp_path)
    assert writer.layout("law", "ipc") is None
    wages_act().put_into(writer)
    assert writer.documents("law")[1].id == "wages"
    writer.close()
    opened(tmp_path).close()


def test_a_search_inside_a_bulk_ingest_finds_what_was_put_so_far(tmp_path: Path):
    store = opened(tmp_path)
    with store.bulk("law"):
        penal_code().put_into(store)
        assert everything(store) == set(penal_code().ids)
        wages_act().put_into(store)
        store.delete("law", "ipc")
    assert everything(store) == set(wages_act().ids)
    assert lexical(store, "cheating") == []
    assert store.check(deep=True) == []
    store.close()


def test_a_bulk_ingest_writes_the_derived_indexes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = opened(tmp_path)
    marks: list[Path] = []
    replace = derived._replace
    monkeypatch.setattr(derived, "_replace", lambda path, content: (marks.append(path), replace(path, content)))
    with store.bulk("law"):
        for n in range(5):
            written(f"doc{n}", [Passage(f"D_{n}_0", f"Passage {n}.")]).put_into(store)
    assert len(marks) == 1
    assert len(everything(store)) == 5
    store.close()


def test_worn_indexes_are_built_anew_and_old_files_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(derived, "SMALL", 10)
    store = opened(tmp_path)
    for n in range(40):
        written(f"doc{n}", [Passage(f"D_{n}_0", f"Passage {n} of many.")]).put_into(store)
    first = {path.name for path in (tmp_path / "derived" / "1").iterdir()}
    for n in range(4):
        store.delete("law", f"doc{n}")
    assert {path.name for path in (tmp_path / "derived" / "1").iterdir()} == first
    assert len(everything(store)) == 36
    store.delete("law", "doc4")
    after = {path.name for path in (tmp_path / "derived" / "1").iterdir()}
    assert len(after) == len(first)
    assert after & first == {"lock", "state.json"}
    assert len(everything(store)) == 35
    assert store.check(deep=True) == []
    store.close()


def test_many_threads_may_search_while_one_writes(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    known = set(penal_code().ids)

    def search(_: int) -> bool:
        return known <= everything(store) and lexical(store, "conspiracy", 1) == ["IPC_120B_0"]

    with ThreadPoolExecutor(4) as pool:
        searches = pool.map(search, range(60))
        for n in range(5):
            written(f"doc{n}", [Passage(f"D_{n}_0", f"Passage {n}.")]).put_into(store)
        assert all(searches)
    store.close()


TEXTS = st.lists(st.sampled_from(["cheat", "wages", "paid", "prison", "property"]), min_size=1, max_size=4).map(
    " ".join
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "put", "delete", "reopen"]), st.integers(0, 3), st.lists(TEXTS, max_size=3)),
    max_size=8,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_after_any_history_it_finds_what_a_dictionary_finds(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, list[str]]]
):
    folder = tmp_path_factory.mktemp("history")
    store, model = opened(folder), DictStore()
    for step, n, texts in steps:
        if step == "put":
            law = written(f"doc{n}", [Passage(f"D{n}_{i}_0", text) for i, text in enumerate(texts)])
            assert law.put_into(store) == law.put_into(model)
        elif step == "delete":
            assert store.delete("law", f"doc{n}") == model.delete("law", f"doc{n}")
        else:
            store.close()
            store = opened(folder)
        for question in ("cheat", "wages paid", "prison property"):
            assert dense(store, question, 100) == dense(model, question, 100)
            assert set(lexical(store, question, 100)) == set(lexical(model, question, 100))
        for mine, theirs in zip(store.documents("law"), model.documents("law"), strict=True):
            assert mine == theirs
    assert store.check(deep=True) == []
    store.close()


def test_the_scores_depend_on_the_documents_and_not_on_their_history(tmp_path: Path):
    fresh, old = opened(tmp_path / "fresh"), opened(tmp_path / "old")
    written("ipc", [Passage("IPC_1_0", "cheating cheating property"), Passage("IPC_2_0", "cheating")]).put_into(old)
    for store in (fresh, old):
        penal_code().put_into(store)
    terms = content_terms("cheating property prison")
    assert fresh.lexical("law", terms, 9, Filters()) == old.lexical("law", terms, 9, Filters())
    fresh.close()
    old.close()
