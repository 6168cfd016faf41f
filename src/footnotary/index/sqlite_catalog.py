"""The truth: documents, chunks, vectors and what changed when, in one SQLite database.

Every change of a document is one transaction, on disk before it returns (write-ahead log, `synchronous=FULL`). Readers
never wait for a writer and see the last commit at their next call. Nothing here knows of the derived indexes; it only
says what changed since a given mark. Projects and chunks go by number inside; only names and ids leave the store.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source
from footnotary.domain.identity import SemanticId, sha256_hex
from footnotary.domain.layout import Layout
from footnotary.domain.validity import NOTHING_SAID, Validity
from footnotary.errors import StoreCorrupt
from footnotary.index.manifest import Manifest
from footnotary.index.records import READ_COLUMNS, chunk_from_row, labels_from_json, layout_from_blob, offsets_from_json
from footnotary.index.schema import HISTORY, SCHEMA, UPGRADES, statements
from footnotary.index.sqlite_changes import (
    Delta,
    Mark,
    delete_document,
    delete_project,
    delta_since,
    put_document,
    set_validity,
)
from footnotary.index.sqlite_connections import SqliteConnections, among
from footnotary.index.sqlite_history import former_rows, former_versions, has_history, stored_document, validities
from footnotary.ports import FormerChunk, FormerVersion, PutResult, StoredDocument


@dataclass(frozen=True, slots=True)
class Passage:
    """A stored chunk as a check looks at it; `marked` is what its span points at in its document."""

    number: int
    document: str
    id: SemanticId
    text: str
    marked: str
    digest: str
    vector: bytes


class SqliteCatalog:
    """Safe to share between threads. Whoever changes it holds the writer's lock."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path = path
        self._connections = SqliteConnections(path, read_only=read_only)

    def close(self) -> None:
        self._connections.close()

    def manifest(self) -> Manifest | None:
        """What the database was made for; None if there is nothing in it yet."""
        if not self.path.exists():
            return None
        with self._connections.lent() as c:
            tables = {name for (name,) in c.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if not tables:
                return None
            entries = dict(c.execute("SELECT key, value FROM meta")) if "meta" in tables else {}
        return Manifest.from_entries(entries, self.path)

    def create(self, manifest: Manifest) -> None:
        """Lays out the tables, all or none."""
        with self._connections.lent() as c:
            c.execute("PRAGMA journal_mode = WAL")
        with self._connections.transaction() as c:
            for statement in statements(SCHEMA + HISTORY):
                c.execute(statement)
            c.executemany("INSERT INTO meta VALUES (?, ?)", manifest.entries().items())

    def upgrade(self, to: int) -> None:
        """Makes an older database one of schema version `to`, all or nothing."""
        with self._connections.transaction() as c:
            (has,) = c.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
            for version in range(int(has), to):  # none, if another process was first
                for statement in UPGRADES[version]:
                    c.execute(statement)
            c.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(to),))

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
        with self._connections.transaction() as c:
            return put_document(c, project, document, chunks, vectors, code, now)

    def delete(self, project: str, document_id: str, now: datetime, *, keep_history: bool) -> bool:
        with self._connections.transaction() as c:
            return delete_document(c, project, document_id, now, keep_history=keep_history)

    def delete_project(self, project: str, now: datetime) -> int:
        with self._connections.transaction() as c:
            return delete_project(c, project, now)

    def set_validity(self, project: str, document_id: str, validity: Validity, now: datetime) -> bool:
        with self._connections.transaction() as c:
            return set_validity(c, project, document_id, validity, now)

    @contextmanager
    def delta(self, number: int, since: Mark | None) -> Generator[Delta]:
        """How to come from `since` (None: from nothing) to the present, as of one moment."""
        with self._connections.snapshot() as c:
            yield delta_since(c, number, since)

    # -- what is there -------------------------------------------------------------------------------------------

    def projects(self) -> list[str]:
        """The projects that hold a document, by name."""
        sql = "SELECT name FROM projects p WHERE EXISTS (SELECT 1 FROM documents WHERE project = p.number)"
        with self._connections.lent() as c:
            return sorted(name for (name,) in c.execute(sql))

    def find(self, project: str) -> tuple[int, Mark] | None:
        """A project's number and present mark."""
        sql = "SELECT number, generation, stamp FROM projects WHERE name = ?"
        with self._connections.lent() as c:
            row = c.execute(sql, (project,)).fetchone()
        return None if row is None else (row[0], Mark(row[1], row[2]))

    def mark(self, number: int) -> Mark:
        sql = "SELECT generation, stamp FROM projects WHERE number = ?"
        with self._connections.lent() as c:
            return Mark(*c.execute(sql, (number,)).fetchone())

    def documents(self, number: int) -> list[StoredDocument]:
        columns = "SELECT number, id, sha256, path, title, code, chunks, media_type FROM documents WHERE project = ?"
        standings = "SELECT document, validity, stored_at FROM standings WHERE project = ?"
        with self._connections.snapshot() as c:
            known = {row[0]: row[1:] for row in c.execute(standings, (number,))} if has_history(c) else {}
            rows = c.execute(columns, (number,)).fetchall()
        found: list[StoredDocument] = []
        for held, *plain in rows:
            validity, stored_at = known.get(held, (None, None))
            found.append(stored_document(plain, validity, stored_at))
        return sorted(found, key=lambda document: document.id)

    def document(self, number: int, document_id: str) -> tuple[str, str, str] | None:
        """A document's text, the hash of its original and the original's path."""
        sql = "SELECT text, sha256, path FROM documents WHERE project = ? AND id = ?"
        with self._connections.lent() as c:
            return c.execute(sql, (number, document_id)).fetchone()

    def whole(self, number: int, document_id: str) -> tuple[Document, str, list[tuple[SemanticId, bytes]]] | None:
        """A document, its code, and the ids and vectors of its chunks in reading order, as of one moment."""
        columns = "number, path, media_type, sha256, title, encoding, licence, text, offsets, labels, code"
        with self._connections.snapshot() as c:
            row = c.execute(
                f"SELECT {columns} FROM documents WHERE project = ? AND id = ?",  # noqa: S608 (our names)
                (number, document_id),
            ).fetchone()
            if row is None:
                return None
            held, *source, text, offsets, labels, code = row
            vectors = c.execute(
                "SELECT c.id, v.vector FROM chunks c JOIN vectors v ON v.chunk = c.number"
                " WHERE c.document = ? ORDER BY c.start, c.id",
                (held,),
            ).fetchall()
        layout, said = self.layout(number, document_id), self.validities(number).get(document_id, NOTHING_SAID)
        whole = Document(
            document_id, Source(*source), text, (), offsets_from_json(offsets), labels_from_json(labels), layout, said
        )
        return whole, code, vectors

    def layout(self, number: int, document_id: str) -> Layout | None:
        """Where a document's words stand on its pages; None where it has none, or was stored before we kept that."""
        with self._connections.lent() as c:
            if not c.execute("SELECT 1 FROM pragma_table_info('documents') WHERE name = 'layout'").fetchone():
                return None  # an older database, opened for reading only
            row = c.execute(
                "SELECT layout FROM documents WHERE project = ? AND id = ?", (number, document_id)
            ).fetchone()
        return None if row is None else layout_from_blob(row[0])

    def validities(self, number: int) -> dict[str, Validity]:
        with self._connections.lent() as c:
            return validities(c, number) if has_history(c) else {}

    def former_versions(self, number: int, document_id: str) -> list[FormerVersion]:
        with self._connections.lent() as c:
            return former_versions(c, number, document_id) if has_history(c) else []

    def former_chunks(self, number: int, cited: SemanticId) -> list[FormerChunk]:
        """Raises `StoreCorrupt` like `chunks`."""
        with self._connections.snapshot() as c:
            rows = list(former_rows(c, number, cited)) if has_history(c) else []
        return [FormerChunk(self._sound(row, version.document.id, aliases), version) for version, aliases, row in rows]

    def digests(self, number: int) -> list[tuple[str, str, str]]:
        """Of every document its id, its original's hash and the digest of what is stored of it, in order of id."""
        with self._connections.lent() as c:
            return sorted(c.execute("SELECT id, sha256, digest FROM documents WHERE project = ?", (number,)))

    def owners(self, number: int, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        sql = "SELECT c.id, d.id FROM chunks c JOIN documents d ON d.number = c.document WHERE c.project = ? AND c.id"
        with self._connections.lent() as c:
            return dict(among(c, sql, (number,), ids))

    def ids(self, numbers: Sequence[int]) -> dict[int, SemanticId]:
        with self._connections.lent() as c:
            return dict(among(c, "SELECT number, id FROM chunks WHERE number", (), numbers))

    def ids_of(self, number: int, document_id: str) -> list[SemanticId]:
        """The chunks of a document in reading order."""
        sql = (
            "SELECT c.id FROM chunks c JOIN documents d ON d.number = c.document"
            " WHERE d.project = ? AND d.id = ? ORDER BY c.start, c.number"
        )
        with self._connections.lent() as c:
            return [chunk for (chunk,) in c.execute(sql, (number, document_id))]

    def works(self, number: int) -> list[str]:
        with self._connections.lent() as c:
            return [work for (work,) in c.execute("SELECT DISTINCT f_work FROM chunks WHERE project = ?", (number,))]

    def numbers(self, number: int, asked: Mapping[str, Sequence[str]], without: Sequence[str]) -> list[int]:
        """The chunks whose facets are among the keys asked for, less those of some documents, in order."""
        where, values = _facet_condition(asked, without)
        with self._connections.lent() as c:
            rows = c.execute(f"SELECT number FROM chunks WHERE project = ?{where}", (number, *values))  # noqa: S608
            return sorted(chunk for (chunk,) in rows)

    def provision(
        self, number: int, asked: Mapping[str, Sequence[str]], without: Sequence[str]
    ) -> list[tuple[str, int, SemanticId, str]]:
        """Of every chunk with these facets its document, start, id and opening words, in reading order."""
        where, values = _facet_condition(asked, without)
        sql = f"SELECT f_document, start, id, substr(text, 1, 64) FROM chunks WHERE project = ?{where}"  # noqa: S608
        with self._connections.lent() as c:
            return sorted(c.execute(sql, (number, *values)))

    def chunks(self, number: int, ids: Sequence[SemanticId]) -> dict[SemanticId, Chunk]:
        """The chunks by each id or alias asked for; where an alias is also an id, the id is meant.

        Raises `StoreCorrupt` for a chunk whose text does not have its digest: what is cited is what was put.
        """
        columns = ", ".join(f"c.{column}" for column in READ_COLUMNS)
        whole = f"SELECT c.number, d.id, {columns} FROM chunks c JOIN documents d ON d.number = c.document"  # noqa: S608
        by_alias = "SELECT a.alias, a.chunk FROM aliases a JOIN chunks c ON c.number = a.chunk"
        with self._connections.snapshot() as c:
            named = dict(among(c, "SELECT id, number FROM chunks WHERE project = ? AND id", (number,), ids))
            unnamed = [asked for asked in ids if asked not in named]
            # Of several chunks with one alias the first in order of id is meant: the last row to come here.
            aliased = among(c, f"{by_alias} WHERE a.project = ? AND a.alias", (number,), unnamed, " ORDER BY c.id DESC")
            named |= dict(aliased)
            numbers = sorted(set(named.values()))
            aliases: dict[int, list[str]] = {}
            for chunk, alias in among(c, "SELECT chunk, alias FROM aliases WHERE chunk", (), numbers):
                aliases.setdefault(chunk, []).append(alias)
            found = {
                row[0]: self._sound(row[2:], row[1], tuple(sorted(aliases.get(row[0], ()))))
                for row in among(c, f"{whole} WHERE c.number", (), numbers)
            }
        return {asked: found[chunk] for asked, chunk in named.items()}

    def _sound(self, row: tuple[Any, ...], document_id: str, aliases: tuple[str, ...]) -> Chunk:
        try:
            chunk = chunk_from_row(row, document_id, aliases)
            if sha256_hex(chunk.text) == chunk.digest:
                return chunk
        except (ValueError, TypeError, AttributeError):  # what should be JSON, a span or text is not
            pass
        raise StoreCorrupt(
            f"passage {row[0]!r} of document {document_id!r} in {self.path} is not what was stored",
            hint="run `footnotary doctor`, and restore the store from a backup or ingest the document again",
        )

    # -- checks --------------------------------------------------------------------------------------------------

    def damage(self, *, deep: bool) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        with self._connections.lent() as c:
            rows = c.execute(f"PRAGMA {'integrity_check' if deep else 'quick_check'}(20)").fetchall()
            found = [str(text) for (text,) in rows if text != "ok"]
            return found + [f"dangling reference: {row}" for row in c.execute("PRAGMA foreign_key_check")]

    def former_damage(self) -> list[str]:
        """Texts of former versions that are not what was stored."""
        with self._connections.lent() as c:
            rows = c.execute("SELECT digest, text FROM texts") if has_history(c) else ()
            wrong = [digest for digest, text in rows if sha256_hex(text) != digest]
        return [f"a text of a former version does not have its digest, {digest}" for digest in wrong]

    def passages(self, number: int) -> Iterator[Passage]:
        """Every chunk, document by document."""
        sql = (
            "SELECT d.number, c.number, d.id, c.id, c.text, c.start, c.stop, c.digest, v.vector FROM chunks c"
            " JOIN documents d ON d.number = c.document LEFT JOIN vectors v ON v.chunk = c.number"
            " WHERE c.project = ? ORDER BY d.number, c.number"
        )
        held: Any = None
        whole = ""
        with self._connections.snapshot() as c:
            for owner, at, document, chunk, text, start, stop, digest, vector in c.execute(sql, (number,)):
                if owner != held:
                    held = owner
                    (whole,) = c.execute("SELECT text FROM documents WHERE number = ?", (owner,)).fetchone()
                yield Passage(at, document, chunk, text, whole[start:stop], digest, vector or b"")


def _facet_condition(asked: Mapping[str, Sequence[str]], without: Sequence[str]) -> tuple[str, list[str]]:
    where = "".join(f" AND f_{facet} IN ({', '.join('?' * len(keys))})" for facet, keys in asked.items())
    if without:
        where += f" AND f_document NOT IN ({', '.join('?' * len(without))})"
    return where, [*(key for keys in asked.values() for key in keys), *without]
