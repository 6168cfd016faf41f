"""Seals: no field of the truth can change by accident without being noticed, and none is forgotten."""

import dataclasses
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnotary.domain.layout import Page, layout_of
from footnotary.domain.validity import Validity, parse_day
from footnotary.errors import FootnotaryError, StoreCorrupt
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.sqlite.row_checksums import (
    checksum_sql,
    checksummed_columns,
    insert_row,
    list_tables,
    register_checksum_function,
)
from footnotary.index.sqlite.schema import CHECKSUM_SCHEMA, HISTORY_SCHEMA, SCHEMA, split_statements
from footnotary.testing.sample_documents import EMBEDDER, SamplePassage, make_document, penal_code, wages_act


def _columns() -> list[tuple[str, str, str]]:
    """Table, name and type of all that a seal has to cover, as the schema has them."""
    with closing(sqlite3.connect(":memory:")) as c:
        for statement in split_statements(SCHEMA + HISTORY_SCHEMA + CHECKSUM_SCHEMA):
            c.execute(statement)
        found = "SELECT name, type FROM pragma_table_info(?) WHERE name <> 'seal'"
        return [(table, *row) for table in list_tables(c) for row in c.execute(found, (table,))]


COLUMNS = _columns()
TEXT_COLUMNS = [(table, name) for table, name, kind in COLUMNS if kind == "TEXT"]
OTHER = (
    "CASE typeof({0}) WHEN 'integer' THEN {0} + 1000 WHEN 'text' THEN {0} || 'x'"
    " WHEN 'blob' THEN CAST({0} || 'x' AS BLOB) ELSE 'x' END"
)


def opened(folder: Path) -> EmbeddedStore:
    return EmbeddedStore(folder, EMBEDDER.name, EMBEDDER.dimensions)


def filled(store: EmbeddedStore) -> None:
    """Something of every kind: aliases, a layout, a validity, and a version that was replaced."""
    law = penal_code()
    layout = layout_of([], [Page(595.0, 842.0, 90, "iv")])
    dataclasses.replace(law, document=dataclasses.replace(law.document, layout=layout)).put_into(store)
    store.set_validity("law", "ipc", Validity(effective_from=parse_day("2020-01-01")))
    make_document("ipc", [SamplePassage("IPC_420_0", "Whoever cheats pays a fine.", aliases=("IPC_420",))]).put_into(
        store
    )
    wages_act().put_into(store)


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("whole")
    store = opened(folder)
    filled(store)
    store.close()
    with closing(sqlite3.connect(folder / "truth.db")) as c:
        assert all(c.execute(f"SELECT 1 FROM {table}").fetchone() for table, _, _ in COLUMNS)
        c.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (folder / "truth.db").read_bytes()


def changed(folder: Path, truth: bytes, sql: str) -> None:
    """A copy in which something was changed, and all of SQLite's own indexes agree."""
    (folder / "truth.db").write_bytes(truth)
    with closing(sqlite3.connect(folder / "truth.db")) as c, c:
        assert c.execute(sql).rowcount


def is_noticed(folder: Path) -> bool:
    """By an error that says what to do, or by the deep check; any other exception is a fault."""
    try:
        with closing(opened(folder)) as store:
            return bool(store.check(deep=True))
    except FootnotaryError as error:
        return bool(error.hint)


@pytest.mark.parametrize(("table", "column"), [row[:2] for row in COLUMNS])
def test_a_change_of_any_column_is_noticed(tmp_path: Path, truth: bytes, table: str, column: str):
    changed(tmp_path, truth, f"UPDATE {table} SET {column} = {OTHER.format(column)}")
    assert is_noticed(tmp_path)


@pytest.mark.parametrize(("table", "column"), TEXT_COLUMNS)
def test_bytes_that_are_no_text_are_noticed(tmp_path: Path, truth: bytes, table: str, column: str):
    changed(tmp_path, truth, f"UPDATE {table} SET {column} = CAST(x'c328' || coalesce({column}, '') AS TEXT)")
    assert is_noticed(tmp_path)


@pytest.mark.parametrize(("table", "column"), TEXT_COLUMNS)
def test_text_that_became_bytes_is_noticed(tmp_path: Path, truth: bytes, table: str, column: str):
    changed(tmp_path, truth, f"UPDATE {table} SET {column} = CAST(coalesce({column}, '') AS BLOB)")
    assert is_noticed(tmp_path)


@pytest.mark.parametrize("sql", [
    "UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'chunks'",
    "DROP INDEX chunks_by_document",
], ids=["numbers", "tables"])  # fmt: skip
def test_what_sqlite_keeps_for_us_is_noticed_as_well(tmp_path: Path, truth: bytes, sql: str):
    (tmp_path / "truth.db").write_bytes(truth)
    with closing(sqlite3.connect(tmp_path / "truth.db")) as c, c:
        c.execute(sql)
    assert is_noticed(tmp_path)


def test_an_untouched_store_is_sound_after_every_kind_of_change(tmp_path: Path):
    with closing(opened(tmp_path)) as store:
        filled(store)
        assert store.check(deep=True) == []
        store.delete("law", "ipc", keep_history=True)
        assert store.check(deep=True) == []
        store.delete("law", "ipc")
        penal_code().put_into(store, "other")
        assert store.check(deep=True) == []
        store.delete_project("law")
        assert store.check(deep=True) == []


@pytest.mark.parametrize(
    "column", [name for table, name, _ in COLUMNS if table == "chunks" and name not in ("id", "number")]
)
def test_no_passage_leaves_that_is_not_what_was_stored(tmp_path: Path, truth: bytes, column: str):
    changed(tmp_path, truth, f"UPDATE chunks SET {column} = {OTHER.format(column)} WHERE id = 'IPC_420_0'")
    with closing(opened(tmp_path)) as store:
        if column == "project":
            assert store.chunks("law", ["IPC_420_0"]) == []  # what is another project's now is not there
            return
        with pytest.raises(StoreCorrupt):
            store.chunks("law", ["IPC_420_0"])


def test_no_document_or_alias_leaves_that_is_not_what_was_stored(tmp_path: Path, truth: bytes):
    changed(tmp_path, truth, "UPDATE documents SET path = 'other.txt' WHERE id = 'wages'")
    with closing(opened(tmp_path)) as store:
        with pytest.raises(StoreCorrupt, match="wages"):
            store.document_sha256("law", "wages")
        assert store.document_text("law", "ipc")
    changed(tmp_path, truth, "UPDATE aliases SET alias = 'IPC_421' WHERE alias = 'IPC_420'")
    with closing(opened(tmp_path)) as store, pytest.raises(StoreCorrupt, match="IPC_421"):
        store.chunks("law", ["IPC_420_0"])


VALUES = st.none() | st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(codec="utf-8")) | st.binary()


@given(st.dictionaries(st.sampled_from("abcdef"), VALUES, min_size=1))
def test_a_seal_is_the_same_from_here_as_from_the_database(row: dict[str, str | int | bytes | None]):
    with closing(sqlite3.connect(":memory:")) as c:
        register_checksum_function(c)
        c.execute(f"CREATE TABLE t ({', '.join(row)}, seal)")
        insert_row(c, "t", row)
        computed, stored = c.execute(f"SELECT {checksum_sql(checksummed_columns(c, 't'))}, seal FROM t").fetchone()
        assert computed == stored
