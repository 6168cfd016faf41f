"""Reading the catalog: projects, documents, passages, facets, former versions; each row is verified as it is read."""

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, Source
from footnotary.domain.identity import SemanticId
from footnotary.domain.layout import Layout
from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity
from footnotary.index.label_matching import fold_label
from footnotary.index.sqlite.changes import (
    Revision,
    removed_since,
)
from footnotary.index.sqlite.checksum_verification import RowVerifier
from footnotary.index.sqlite.connections import SqliteConnections, select_in
from footnotary.index.sqlite.history import (
    former_rows,
    former_versions,
    has_flags,
    has_history,
    stored_document,
    validities,
)
from footnotary.index.sqlite.row_serialization import (
    READ_COLUMNS,
    labels_from_json,
    layout_from_blob,
    offsets_from_json,
    to_json,
)
from footnotary.ports import FormerChunk, FormerVersion, StoredDocument


class CatalogReader:
    """Reads by project number and verifies what it reads. Safe to share between threads."""

    def __init__(self, path: Path, connections: SqliteConnections) -> None:
        self.path = path
        self._connections = connections
        self._verifier = RowVerifier(path)

    def projects(self) -> list[str]:
        """The projects that hold a document, by name."""
        sql = "SELECT name FROM projects p WHERE EXISTS (SELECT 1 FROM documents WHERE project = p.number)"
        with self._connections.reading() as c:
            return sorted(name for (name,) in c.execute(sql))

    def find(self, project: str) -> tuple[int, Revision] | None:
        """A project's number and current revision."""
        sql = f"SELECT {self._verifier.intact('projects')}, number, generation, stamp FROM projects WHERE name = ?"  # noqa: S608
        with self._connections.lent() as c:
            row = c.execute(sql, (project,)).fetchone()
        if row is None:
            return None
        self._verifier.require(row[0], f"the record of project {project!r}")
        return row[1], Revision(row[2], row[3])

    def revision(self, number: int) -> Revision:
        sql = "SELECT generation, stamp FROM projects WHERE number = ?"
        with self._connections.lent() as c:
            return Revision(*c.execute(sql, (number,)).fetchone())

    def removed_since(self, number: int, revision: Revision) -> list[int]:
        """The chunks that were deleted after an earlier revision."""
        with self._connections.reading() as c:
            return removed_since(c, number, revision.generation)

    def documents(self, number: int) -> list[StoredDocument]:
        listed = "SELECT number, id, sha256, path, title, code, chunks, media_type FROM documents WHERE project = ?"
        standings = "SELECT document, validity, stored_at FROM standings WHERE project = ?"
        found: list[StoredDocument] = []
        with self._connections.reading() as c:
            known = {row[0]: row[1:] for row in c.execute(standings, (number,))} if has_history(c) else {}
            for held, *plain in c.execute(listed, (number,)):
                validity, stored_at = known.get(held, (None, None))
                found.append(stored_document(plain, validity, stored_at))
            return sorted(found, key=lambda document: document.id)

    def document(self, number: int, document_id: str) -> tuple[str, str, str] | None:
        """A document's text, the hash of its original and the original's path. Raises `StoreCorrupt` like `chunks`."""
        with self._connections.lent() as c:
            return self._record(c, number, document_id, "text, sha256, path")

    def whole(self, number: int, document_id: str) -> tuple[Document, str, list[tuple[SemanticId, bytes]]] | None:
        """A document, its code, and the ids and vectors of its chunks in reading order, read in one snapshot."""
        fields = "number, path, media_type, sha256, title, encoding, licence, text, offsets, labels, code"
        chunks = (
            f"SELECT c.id, v.vector, {self._verifier.intact('vectors', 'v')} FROM chunks c"  # noqa: S608 (our names)
            " JOIN vectors v ON v.chunk = c.number"
            " WHERE c.document = ? ORDER BY c.start, c.id"
        )
        with self._connections.reading() as c:
            row = self._record(c, number, document_id, fields)
            if row is None:
                return None
            held, *source, text, offsets, labels, code = row
            rows = c.execute(chunks, (held,)).fetchall()
            origin, labelled = offsets_from_json(offsets), labels_from_json(labels)
        for id_, _, intact in rows:
            self._verifier.require(intact, f"the vector of passage {id_!r}")
        layout, said = self.layout(number, document_id), self.validities(number).get(document_id, UNKNOWN_VALIDITY)
        whole = Document(document_id, Source(*source), text, (), origin, labelled, layout, said)
        return whole, code, [(id_, vector) for id_, vector, _ in rows]

    def layout(self, number: int, document_id: str) -> Layout | None:
        """The positions of a document's words on its pages; None if it has no pages or an older version stored it."""
        with self._connections.reading() as c:
            if not c.execute("SELECT 1 FROM pragma_table_info('documents') WHERE name = 'layout'").fetchone():
                return None  # an older database, opened for reading only
            row = self._record(c, number, document_id, "layout")
            return None if row is None else layout_from_blob(row[0])

    def validities(self, number: int) -> dict[str, Validity]:
        with self._connections.reading() as c:
            return validities(c, number) if has_history(c) else {}

    def former_versions(self, number: int, document_id: str) -> list[FormerVersion]:
        with self._connections.reading() as c:
            return former_versions(c, number, document_id) if has_history(c) else []

    def former_chunks(self, number: int, cited: SemanticId) -> list[FormerChunk]:
        """Raises `StoreCorrupt` like `chunks`."""
        with self._connections.reading() as c:
            rows = list(former_rows(c, number, cited)) if has_history(c) else []
        return [
            FormerChunk(self._verifier.chunk(row, version.document.id, aliases), version)
            for version, aliases, row in rows
        ]

    def digests(self, number: int) -> list[tuple[str, str, str]]:
        """For every document its id, the hash of its original and the digest of its stored chunks, in order of id."""
        with self._connections.lent() as c:
            return sorted(c.execute("SELECT id, sha256, digest FROM documents WHERE project = ?", (number,)))

    def owners(self, number: int, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        sql = "SELECT c.id, d.id FROM chunks c JOIN documents d ON d.number = c.document WHERE c.project = ? AND c.id"
        with self._connections.lent() as c:
            return dict(select_in(c, sql, (number,), ids))

    def ids(self, numbers: Sequence[int]) -> dict[int, SemanticId]:
        with self._connections.lent() as c:
            return dict(select_in(c, "SELECT number, id FROM chunks WHERE number", (), numbers))

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
        """The chunks whose facets match the requested keys, without those of some documents, in order."""
        where, values = _facet_condition(asked, without)
        with self._connections.lent() as c:
            rows = c.execute(f"SELECT number FROM chunks WHERE project = ?{where}", (number, *values))  # noqa: S608
            return sorted(chunk for (chunk,) in rows)

    def provision(
        self, number: int, asked: Mapping[str, Sequence[str]], without: Sequence[str]
    ) -> list[tuple[str, int, SemanticId, str]]:
        """For every chunk with these facets its document, start, id and first words, in reading order."""
        where, values = _facet_condition(asked, without)
        sql = f"SELECT f_document, start, id, substr(text, 1, 64) FROM chunks WHERE project = ?{where}"  # noqa: S608
        with self._connections.lent() as c:
            return sorted(c.execute(sql, (number, *values)))

    def chunks(self, number: int, ids: Sequence[SemanticId]) -> dict[SemanticId, Chunk]:
        """The chunks by each requested id or alias; if an alias is also an id, the id wins.

        Raises `StoreCorrupt` for a chunk that differs from what was stored, in any field: what is cited is what was
        put.
        """
        named_so = f"SELECT chunk, alias, {self._verifier.intact('aliases')} FROM aliases"  # noqa: S608
        by_alias = "SELECT a.alias, a.chunk FROM aliases a JOIN chunks c ON c.number = a.chunk"
        with self._connections.reading() as c:
            columns = READ_COLUMNS if has_flags(c) else READ_COLUMNS[:-1]
            fields = ", ".join(f"c.{column}" for column in columns) + ("" if columns is READ_COLUMNS else ", NULL")
            whole = (
                f"SELECT c.number, d.id, {self._verifier.intact('chunks', 'c')}, c.f_document, {fields}"  # noqa: S608 (our names)
                " FROM chunks c JOIN documents d ON d.number = c.document"
            )
            named = dict(select_in(c, "SELECT id, number FROM chunks WHERE project = ? AND id", (number,), ids))
            unnamed = [asked for asked in ids if asked not in named]
            # If several chunks share an alias, the first in order of id wins: the last row here.
            aliased = select_in(
                c, f"{by_alias} WHERE a.project = ? AND a.alias", (number,), unnamed, " ORDER BY c.id DESC"
            )
            named |= dict(aliased)
            numbers = sorted(set(named.values()))
            aliases: dict[int, list[str]] = {}
            for chunk, alias, intact in select_in(c, f"{named_so} WHERE chunk", (), numbers):
                self._verifier.require(intact, f"the alias {alias!r}")
                aliases.setdefault(chunk, []).append(alias)
            found: dict[int, Chunk] = {}
            for at, document, intact, owner, *row in select_in(c, f"{whole} WHERE c.number", (), numbers):
                self._verifier.require(
                    intact and owner == fold_label(document), f"passage {row[0]!r} of document {document!r}"
                )
                found[at] = self._verifier.chunk(tuple(row), document, tuple(sorted(aliases.get(at, ()))))
            return {asked: found[chunk] for asked, chunk in named.items()}

    def _record(self, c: sqlite3.Connection, number: int, document_id: str, fields: str) -> Any:
        """Some fields of a document; None if there is no such document."""
        sql = f"SELECT {self._verifier.intact('documents')}, {fields} FROM documents WHERE project = ? AND id = ?"  # noqa: S608
        row = c.execute(sql, (number, document_id)).fetchone()
        if row is None:
            return None
        self._verifier.require(row[0], f"document {document_id!r}")
        return row[1:]


def _facet_condition(asked: Mapping[str, Sequence[str]], without: Sequence[str]) -> tuple[str, list[str]]:
    where = "".join(f" AND f_{facet} IN ({', '.join('?' * len(keys))})" for facet, keys in asked.items())
    values = [key for keys in asked.values() for key in keys]
    if without:  # as one value: there may be more documents than a statement can have parameters
        where += " AND f_document NOT IN (SELECT value FROM json_each(?))"
        values.append(to_json(without))
    return where, values
