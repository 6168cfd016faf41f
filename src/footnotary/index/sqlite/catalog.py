"""The catalog, the source of truth: documents, chunks, vectors and the history of changes, in one SQLite database.

Every change of a document is one transaction, on disk before it returns (write-ahead log, `synchronous=EXTRA`). Readers
never wait for a writer and see the last commit at their next call. Nothing here knows of the derived indexes; it only
reports what changed since a given revision. Internally projects and chunks have numbers; only names and ids leave the
store.
"""

import sqlite3
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.validity import Validity
from footnotary.index.manifest import SCHEMA_VERSION, Manifest
from footnotary.index.sqlite.catalog_checks import SqliteChecks
from footnotary.index.sqlite.catalog_reader import CatalogReader
from footnotary.index.sqlite.changes import (
    CatalogDelta,
    Revision,
    delete_document,
    delete_project,
    delta_since,
    put_document,
    set_validity,
)
from footnotary.index.sqlite.connections import SqliteConnections
from footnotary.index.sqlite.embedder_switch import VectorLookup, switch_embedder
from footnotary.index.sqlite.row_checksums import (
    checksum_all_rows,
    insert_rows,
    list_tables,
    store_last_numbers,
    store_schema_digest,
)
from footnotary.index.sqlite.schema import (
    CHECKSUM_SCHEMA,
    FLAGS_SCHEMA,
    HISTORY_SCHEMA,
    MIGRATIONS,
    SCHEMA,
    split_statements,
)
from footnotary.ports import PutResult

# The audit log is in the same folder, so the hint never tells people to delete the whole folder.
CATALOG_REPAIR_HINT = (
    "restore it from a backup into a new data directory, or move truth.db* and the folder `derived` elsewhere and "
    "ingest the documents again"
)


class SqliteCatalog(CatalogReader):
    """Safe to share between threads. A caller that changes it must hold the writer lock."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        super().__init__(path, SqliteConnections(path, read_only=read_only, repair_hint=CATALOG_REPAIR_HINT))
        self.checks = SqliteChecks(self._connections)

    def close(self) -> None:
        self._connections.close()

    def manifest(self) -> Manifest | None:
        """The embedder and schema the database was created for; None if it is still empty."""
        if not self.path.exists():
            return None
        with self._connections.reading() as c:
            there = list_tables(c)
            if not there:
                return None
            self._verifier.learn(c)
            said = f"SELECT key, value, {self._verifier.intact('meta')} FROM meta"  # noqa: S608 (our names)
            rows = c.execute(said).fetchall() if "meta" in there else ()
        manifest = Manifest.from_entries({key: value for key, value, _ in rows}, self.path)
        for key, _, intact in rows if manifest.schema <= SCHEMA_VERSION else ():  # later versions may differ
            self._verifier.require(intact, f"the metadata entry {key!r}")
        return manifest

    def create(self, manifest: Manifest) -> None:
        """Creates the tables, all or none."""
        with self._connections.lent() as c:
            c.execute("PRAGMA journal_mode = WAL")
        with self._connections.transaction() as c:
            for statement in split_statements(SCHEMA + HISTORY_SCHEMA + CHECKSUM_SCHEMA + FLAGS_SCHEMA):
                c.execute(statement)
            insert_rows(c, "meta", [{"key": key, "value": value} for key, value in manifest.entries().items()])
            store_schema_digest(c)
            store_last_numbers(c)
            self._verifier.learn(c)

    def upgrade(self, to: int) -> None:
        """Migrates an older database to schema version `to`, all or nothing."""
        with self._connections.transaction() as c:
            (has,) = c.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
            for version in range(int(has), to):  # empty if another process was first
                for statement in MIGRATIONS[version]:
                    c.execute(statement)
            c.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(to),))
            if int(has) < to:
                checksum_all_rows(c)
                store_schema_digest(c)
                store_last_numbers(c)
            self._verifier.learn(c)

    # -- changes -------------------------------------------------------------------------------------------------

    def put(
        self,
        project: str,
        document: Document,
        chunks: Sequence[Chunk],
        vectors: Sequence[bytes],
        code: str,
        now: datetime,
    ) -> PutResult:
        with self._changing() as c:
            return put_document(c, project, document, chunks, vectors, code, now)

    def delete(self, project: str, document_id: str, now: datetime, *, keep_history: bool) -> bool:
        with self._changing() as c:
            return delete_document(c, project, document_id, now, keep_history=keep_history)

    def delete_project(self, project: str, now: datetime) -> int:
        with self._changing() as c:
            return delete_project(c, project, now)

    def set_validity(self, project: str, document_id: str, validity: Validity, now: datetime) -> bool:
        with self._changing() as c:
            return set_validity(c, project, document_id, validity, now)

    def switch_embedder(self, to: Manifest, vector_of: VectorLookup) -> int:
        with self._changing() as c:
            return switch_embedder(c, to, vector_of)

    @contextmanager
    def delta(self, number: int, since: Revision | None) -> Generator[CatalogDelta]:
        """The changes from `since` (None: from an empty project) to the present, read in one snapshot."""
        with self._connections.snapshot() as c:
            yield delta_since(c, number, since)

    # -- internals -----------------------------------------------------------------------------------------------

    @contextmanager
    def _changing(self) -> Generator[sqlite3.Connection]:
        with self._connections.transaction() as c:
            yield c
            store_last_numbers(c)
