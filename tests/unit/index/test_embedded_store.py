"""What the embedded store promises beyond the contract of every store."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from footnotary.domain.query import Filters
from footnotary.domain.validity import Validity
from footnotary.errors import StoreCorrupt, UsageError
from footnotary.index.embedded import derived_indexes
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.sqlite.changes import Revision
from footnotary.testing.dict_store import DictStore
from footnotary.testing.sample_documents import EMBEDDER, SamplePassage, make_document, penal_code, wages_act
from footnotary.testing.search_queries import all_ids, search_dense, search_lexical
from footnotary.text.tokens import content_terms
from harness.older_stores import made_older, tables


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
    make_document("ipc", [SamplePassage("IPC_1_0", "Later replaced.")]).put_into(other)
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


@pytest.mark.parametrize("schema", [1, 2])
def test_a_store_of_an_earlier_schema_can_be_read_as_it_is(tmp_path: Path, schema: int):
    store = opened(tmp_path)
    penal_code().put_into(store)
    store.close()
    made_older(tmp_path, schema)
    before = tables(tmp_path)
    reader = EmbeddedStore(tmp_path, EMBEDDER.name, EMBEDDER.dimensions, read_only=True)
    assert reader.layout("law", "ipc") is None
    assert search_lexical(reader, "cheating")
    assert [(document.id, document.stored_at) for document in reader.documents("law")] == [("ipc", None)]
    assert (reader.validities("law"), reader.former_versions("law", "ipc")) == ({}, [])
    assert reader.former_chunks("law", "IPC_420_0") == []
    assert reader.check() == []
    (told,) = reader.check(deep=True)
    assert "no row checksums" in told
    reader.close()
    assert tables(tmp_path) == before


def test_a_store_from_before_the_flags_is_read_as_one_that_was_never_examined(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    make_document("ipc", [SamplePassage("IPC_420_0", "Whoever cheats pays a fine.")]).put_into(store)
    store.close()
    made_older(tmp_path, 4)
    reader = EmbeddedStore(tmp_path, EMBEDDER.name, EMBEDDER.dimensions, read_only=True)
    assert [chunk.flags for chunk in reader.chunks("law", ["IPC_420_0"])] == [None]
    assert reader.former_chunks("law", "IPC_415_0")[0].chunk.flags is None
    assert reader.check(deep=True) == []
    reader.close()


@pytest.mark.parametrize("schema", [1, 2, 3, 4])
def test_e10_a_store_of_an_earlier_schema_is_brought_up_to_date_when_opened_for_writing(tmp_path: Path, schema: int):
    store = opened(tmp_path)
    penal_code().put_into(store)
    store.close()
    latest = tables(tmp_path)
    made_older(tmp_path, schema)
    writer = opened(tmp_path)
    assert all_ids(writer) == set(penal_code().ids)
    assert writer.set_validity("law", "ipc", Validity(supersedes=("older",))) is True
    wages_act().put_into(writer)
    make_document("ipc", [SamplePassage("IPC_420_0", "Whoever cheats pays a fine.")]).put_into(writer)
    (version,) = writer.former_versions("law", "ipc")
    assert version.document.validity.supersedes == ("older",)
    assert writer.former_chunks("law", "IPC_415_0")[0].chunk.text == penal_code().chunks[2].text
    assert writer.check(deep=True) == []
    writer.close()
    if schema > 1:
        assert tables(tmp_path) == latest
    opened(tmp_path).close()


def test_e10_a_store_whose_upgrade_is_cut_off_is_as_it_was_and_is_upgraded_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    store = opened(tmp_path)
    penal_code().put_into(store)
    store.close()
    made_older(tmp_path, 2)
    before = tables(tmp_path)

    def cut_off(_: sqlite3.Connection) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("footnotary.index.sqlite.catalog.checksum_all_rows", cut_off)
        with pytest.raises(KeyboardInterrupt):
            opened(tmp_path)
    assert tables(tmp_path) == before
    writer = opened(tmp_path)
    assert all_ids(writer) == set(penal_code().ids)
    assert writer.check(deep=True) == []
    writer.close()


def test_a_version_from_before_there_were_standings_has_no_date(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    store.close()
    made_older(tmp_path, 2)
    writer = opened(tmp_path)
    make_document("ipc", [SamplePassage("IPC_420_0", "Whoever cheats pays a fine.")]).put_into(writer)
    (version,) = writer.former_versions("law", "ipc")
    assert version.document.stored_at is None
    assert version.retired_at.tzinfo is not None
    writer.close()


def test_a_version_is_dated_by_the_stores_clock(tmp_path: Path):
    day = datetime(2026, 3, 1, 12, 30, 15, tzinfo=UTC)
    moments = iter((day, day + timedelta(days=1)))
    store = EmbeddedStore(tmp_path, EMBEDDER.name, EMBEDDER.dimensions, now=lambda: next(moments))
    penal_code().put_into(store)
    make_document("ipc", [SamplePassage("IPC_420_0", "Whoever cheats pays a fine.")]).put_into(store)
    (version,) = store.former_versions("law", "ipc")
    assert (version.document.stored_at, version.retired_at) == (day, day + timedelta(days=1))
    assert store.documents("law")[0].stored_at == day + timedelta(days=1)
    store.close()


def held(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / "truth.db")) as truth:
        return truth.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_a_text_that_stays_through_many_versions_is_kept_once(tmp_path: Path):
    store = opened(tmp_path)
    for n in range(20):
        passages = [SamplePassage("A_1_0", "This never changes."), SamplePassage("A_2_0", f"This is version {n}.")]
        make_document("a", passages).put_into(store)
    assert (held(tmp_path, "versions"), held(tmp_path, "former_chunks"), held(tmp_path, "texts")) == (19, 38, 20)
    assert (held(tmp_path, "chunks"), held(tmp_path, "vectors"), held(tmp_path, "standings")) == (2, 2, 1)
    snapshot = store._snapshot(*store._catalog.find("law"))
    assert (snapshot.lexicon.count, snapshot.matrix.count) == (2, 2)
    store.delete("law", "a")
    assert [held(tmp_path, table) for table in ("versions", "former_chunks", "texts", "standings")] == [0, 0, 0, 0]
    store.close()


@pytest.mark.parametrize(("content", "seen"), [(b"no database" * 1000, "damaged"), (b"", "empty or missing")])
def test_a_damaged_catalog_is_not_fixed_by_deleting_derived_files(tmp_path: Path, content: bytes, seen: str):
    store = opened(tmp_path)
    penal_code().put_into(store)
    store.close()
    (tmp_path / "truth.db").write_bytes(content)
    with pytest.raises(StoreCorrupt, match=seen) as error:
        opened(tmp_path)
    assert "move truth.db* and the folder `derived` elsewhere" in error.value.hint
    assert "delete" not in error.value.hint
    for path in (*tmp_path.glob("truth.db*"), tmp_path / "derived"):
        path.rename(path.with_name(f"aside-{path.name}"))
    again = opened(tmp_path)
    penal_code().put_into(again)
    assert again.check(deep=True) == []
    again.close()


def test_a_damaged_former_text_is_reported_and_not_shown(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    make_document("ipc", [SamplePassage("IPC_420_0", "Whoever cheats pays a fine.")]).put_into(store)
    with closing(sqlite3.connect(tmp_path / "truth.db")) as truth, truth:
        truth.execute("UPDATE texts SET text = replace(text, 'seven years', 'seventy years')")
    with pytest.raises(StoreCorrupt, match="IPC_420_0"):
        store.former_chunks("law", "IPC_420_0")
    assert [problem for problem in store.check(deep=True) if "former" in problem]
    store.close()


def test_what_is_said_of_a_documents_time_changes_the_index_digest(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    before = store.index_digest("law")
    store.set_validity("law", "ipc", Validity(effective_from=date(2020, 1, 1)))
    assert store.index_digest("law") != before
    store.set_validity("law", "ipc", Validity())
    assert store.index_digest("law") == before
    store.close()


def test_a_search_inside_a_bulk_ingest_finds_what_was_put_so_far(tmp_path: Path):
    store = opened(tmp_path)
    with store.bulk("law"):
        penal_code().put_into(store)
        assert all_ids(store) == set(penal_code().ids)
        wages_act().put_into(store)
        store.delete("law", "ipc")
    assert all_ids(store) == set(wages_act().ids)
    assert search_lexical(store, "cheating") == []
    assert store.check(deep=True) == []
    store.close()


def test_a_bulk_ingest_writes_the_derived_indexes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    store = opened(tmp_path)
    marks: list[Path] = []
    write = derived_indexes.write_state
    monkeypatch.setattr(
        derived_indexes, "write_state", lambda folder, *said: (marks.append(folder), write(folder, *said))
    )
    with store.bulk("law"):
        for n in range(5):
            make_document(f"doc{n}", [SamplePassage(f"D_{n}_0", f"Passage {n}.")]).put_into(store)
    assert len(marks) == 1
    assert len(all_ids(store)) == 5
    store.close()


def test_worn_indexes_are_rebuilt_and_old_files_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(derived_indexes, "SMALL_MATRIX_ROWS", 10)
    store = opened(tmp_path)
    for n in range(40):
        make_document(f"doc{n}", [SamplePassage(f"D_{n}_0", f"Passage {n} of many.")]).put_into(store)
    first = {path.name for path in (tmp_path / "derived" / "1").iterdir()}
    for n in range(4):
        store.delete("law", f"doc{n}")
    assert {path.name for path in (tmp_path / "derived" / "1").iterdir()} == first
    assert len(all_ids(store)) == 36
    store.delete("law", "doc4")
    after = {path.name for path in (tmp_path / "derived" / "1").iterdir()}
    assert len(after) == len(first)
    assert after & first == {"lock", "state.json"}
    assert len(all_ids(store)) == 35
    assert store.check(deep=True) == []
    store.close()


def test_many_threads_may_search_while_one_writes(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    known = set(penal_code().ids)

    def search(_: int) -> bool:
        return known <= all_ids(store) and search_lexical(store, "conspiracy", 1) == ["IPC_120B_0"]

    with ThreadPoolExecutor(4) as pool:
        searches = pool.map(search, range(60))
        for n in range(5):
            make_document(f"doc{n}", [SamplePassage(f"D_{n}_0", f"Passage {n}.")]).put_into(store)
        assert all(searches)
    store.close()


@pytest.mark.parametrize("is_first", [True, False])
def test_a_check_takes_no_change_of_another_process_for_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_first: bool
):
    writer, reader = opened(tmp_path), opened(tmp_path)
    penal_code().put_into(writer)
    wages_act().put_into(writer)
    at, changes = derived_indexes.DerivedIndexes.at, [0]

    def changed_beside(indexes: derived_indexes.DerivedIndexes, mark: Revision) -> derived_indexes.IndexSnapshot:
        def change() -> None:
            changes[0] += 1
            if changes[0] % 2:
                writer.delete("law", "wages")
            else:
                wages_act().put_into(writer)

        if is_first:
            change()
        snapshot = at(indexes, mark)
        if not is_first:
            change()
        return snapshot

    with monkeypatch.context() as patched:
        patched.setattr(derived_indexes.DerivedIndexes, "at", changed_beside)
        assert reader.check(deep=True) == []
    assert changes[0] > 2
    assert reader.check(deep=True) == []
    writer.close()
    reader.close()


TEXTS = st.lists(st.sampled_from(["cheat", "wages", "paid", "prison", "property"]), min_size=1, max_size=4).map(
    " ".join
)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "delete", "shelve", "reopen"]), st.integers(0, 3), st.lists(TEXTS, max_size=3)
    ),
    max_size=8,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_after_any_history_it_finds_what_a_dictionary_finds(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, list[str]]]
):
    folder = tmp_path_factory.mktemp("history")
    moment = datetime(2026, 1, 1, tzinfo=UTC)

    def reopened() -> EmbeddedStore:
        return EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions, now=lambda: moment)

    store, model = reopened(), DictStore(now=lambda: moment)
    for step, n, texts in steps:
        if step == "put":
            law = make_document(f"doc{n}", [SamplePassage(f"D{n}_{i}_0", text) for i, text in enumerate(texts)])
            assert law.put_into(store) == law.put_into(model)
        elif step == "delete":
            assert store.delete("law", f"doc{n}") == model.delete("law", f"doc{n}")
        elif step == "shelve":
            assert store.delete("law", f"doc{n}", keep_history=True) == model.delete(
                "law", f"doc{n}", keep_history=True
            )
        else:
            store.close()
            store = reopened()
        moment += timedelta(seconds=1)
        for question in ("cheat", "wages paid", "prison property"):
            assert search_dense(store, question, 100) == search_dense(model, question, 100)
            assert set(search_lexical(store, question, 100)) == set(search_lexical(model, question, 100))
        for mine, theirs in zip(store.documents("law"), model.documents("law"), strict=True):
            assert mine == theirs
        for n in range(4):
            for mine, theirs in (
                (store.former_versions("law", f"doc{n}"), model.former_versions("law", f"doc{n}")),
                (store.former_chunks("law", f"D{n}_0_0"), model.former_chunks("law", f"D{n}_0_0")),
            ):
                assert list(mine) == list(theirs)
    assert store.check(deep=True) == []
    store.close()


def test_the_scores_depend_on_the_documents_and_not_on_their_history(tmp_path: Path):
    fresh, old = opened(tmp_path / "fresh"), opened(tmp_path / "old")
    make_document(
        "ipc", [SamplePassage("IPC_1_0", "cheating cheating property"), SamplePassage("IPC_2_0", "cheating")]
    ).put_into(old)
    for store in (fresh, old):
        penal_code().put_into(store)
    terms = content_terms("cheating property prison")
    assert fresh.lexical("law", terms, 9, Filters()) == old.lexical("law", terms, 9, Filters())
    fresh.close()
    old.close()


def test_a_deleted_project_leaves_nothing_behind_not_even_history_and_others_alone(tmp_path: Path):
    store = opened(tmp_path)
    penal_code().put_into(store)
    wages_act().put_into(store)
    store.delete("law", wages_act().document.id, keep_history=True)
    penal_code().put_into(store, "school")
    assert store.delete_project("law") == 2
    assert store.delete_project("law") == 0
    assert list(store.projects()) == ["school"]
    assert not all_ids(store, "law")
    assert not store.former_versions("law", wages_act().document.id)
    assert all_ids(store, "school")
    assert store.check(deep=True) == []
    penal_code().put_into(store)
    assert all_ids(store, "law")
    store.close()
