"""Changes to the catalog: storing and deleting one document, and what changed since an earlier revision.

All functions run inside a transaction or snapshot that the caller opened.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import sha256_hex
from footnotary.domain.validity import Validity
from footnotary.errors import StoreCorrupt, UsageError
from footnotary.index.sqlite.connections import select_in
from footnotary.index.sqlite.history import delete_former_versions, insert_validity, retire_document, update_validity
from footnotary.index.sqlite.row_checksums import insert_row, insert_rows, next_number, update_checksums
from footnotary.index.sqlite.row_serialization import (
    FACET_COLUMNS,
    chunk_row,
    labels_json,
    layout_blob,
    offsets_json,
    to_json,
)
from footnotary.ports import PutResult

# A derived index that lags by more changes than this is rebuilt instead of updated.
MAX_LOGGED_CHANGES = 100_000


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision of one project: how many changes led to it, and a random stamp of the history they belong to."""

    generation: int
    stamp: str


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What the derived indexes need from one chunk; `facets` in the order of `label_matching.FACETS`."""

    number: int
    text: str
    title: str
    work: str
    facets: tuple[str, ...]
    vector: bytes


@dataclass(frozen=True, slots=True)
class CatalogDelta:
    """The changes from the revision `since` to `revision`: delete the chunks `removed`, then insert the `added`.

    `since` is None if the changes start from an empty project. `chunks` is the total number at `revision`. `added` is
    in order of number and can be iterated once, before the snapshot ends.
    """

    since: Revision | None
    revision: Revision
    chunks: int
    removed: tuple[int, ...]
    added: Iterator[IndexEntry]


def put_document(
    c: sqlite3.Connection,
    project: str,
    document: Document,
    chunks: Sequence[Chunk],
    vectors: Sequence[bytes],
    code: str,
    now: datetime,
) -> PutResult:
    """Stores one document in place of any earlier version of it, which becomes a former one."""
    number = _get_or_create_project(c, project)
    source = document.source
    earlier = _find_document(c, number, document.id)
    if earlier is not None:
        (was,) = c.execute("SELECT sha256 FROM documents WHERE number = ?", (earlier,)).fetchone()
        still = {(chunk.id, chunk.digest) for chunk in chunks} if was == source.sha256 else None
        retire_document(c, earlier, now, source.sha256, still)
    removed = [] if earlier is None else _remove_document(c, earlier)
    _reject_foreign_ids(c, number, project, document.id, chunks)
    generation = _next_generation(c, number, removed)
    held = next_number(c, "documents")
    insert_row(
        c,
        "documents",
        {
            "number": held,
            "project": number,
            "id": document.id,
            "sha256": source.sha256,
            "path": source.path,
            "title": source.title,
            "code": code,
            "media_type": source.media_type,
            "encoding": source.encoding,
            "licence": source.licence,
            "chunks": len(chunks),
            "digest": content_digest(chunks),
            "labels": labels_json(document.labels),
            "offsets": offsets_json(document.offsets),
            "text": document.text,
            "layout": layout_blob(document.layout),
        },
    )
    insert_validity(c, number, held, now, document.validity)
    place = {"project": number, "document": held, "generation": generation}
    numbered = list(enumerate(chunks, start=next_number(c, "chunks")))
    insert_rows(c, "chunks", [{"number": at, **place, **chunk_row(chunk)} for at, chunk in numbered])
    insert_rows(c, "vectors", [{"chunk": at, "vector": v} for (at, _), v in zip(numbered, vectors, strict=True)])
    aliases = [{"project": number, "alias": a, "chunk": at} for at, chunk in numbered for a in chunk.aliases]
    insert_rows(c, "aliases", aliases, ignore_existing=True)
    return "added" if earlier is None else "replaced"


def delete_document(
    c: sqlite3.Connection, project: str, document_id: str, now: datetime, *, keep_history: bool
) -> bool:
    """Returns whether there was anything to delete; if not, nothing changes."""
    row = c.execute("SELECT number FROM projects WHERE name = ?", (project,)).fetchone()
    if row is None:
        return False
    held = _find_document(c, row[0], document_id)
    erased = not keep_history and delete_former_versions(c, row[0], document_id)
    if held is None:
        return erased
    if keep_history:
        retire_document(c, held, now, None, None)
    _next_generation(c, row[0], _remove_document(c, held))
    return True


def delete_project(c: sqlite3.Connection, project: str, now: datetime) -> int:
    """Deletes all documents of a project and all history, including that of deleted documents; returns how many."""
    row = c.execute("SELECT number FROM projects WHERE name = ?", (project,)).fetchone()
    if row is None:
        return 0
    sql = "SELECT id FROM documents WHERE project = ?1 UNION SELECT id FROM versions WHERE project = ?1"
    ids = [id_ for (id_,) in c.execute(sql, row)]
    return sum(delete_document(c, project, id_, now, keep_history=False) for id_ in ids)


def set_validity(c: sqlite3.Connection, project: str, document_id: str, validity: Validity, now: datetime) -> bool:
    """Returns whether the document exists. It counts as a change: caches keyed by revision must see it."""
    row = c.execute("SELECT number FROM projects WHERE name = ?", (project,)).fetchone()
    held = None if row is None else _find_document(c, row[0], document_id)
    if row is None or held is None:
        return False
    update_validity(c, held, row[0], now, validity)
    _next_generation(c, row[0], ())
    return True


def delta_since(c: sqlite3.Connection, number: int, since: Revision | None) -> CatalogDelta:
    """The changes from `since` (None: from an empty project) to the present.

    Also starts from an empty project if `since` is too old. Raises `StoreCorrupt` if this database never had that
    revision.
    """
    revision = Revision(*c.execute("SELECT generation, stamp FROM projects WHERE number = ?", (number,)).fetchone())
    if since is not None and since != revision:
        stamp = _find_stamp(c, number, since.generation)
        if since.generation >= revision.generation or stamp not in (None, since.stamp):
            raise StoreCorrupt(
                f"the store is at generation {revision.generation}, but an index derived from it has seen generation "
                f"{since.generation} of another history: its -wal file was lost, or the database was replaced by an "
                "older copy",
                hint="restore the newest backup; if this is the newest, delete the store's folder `derived`: it is "
                "rebuilt",
            )
        since = None if stamp is None else since
    begun = 0 if since is None else since.generation
    (chunks,) = c.execute("SELECT coalesce(sum(chunks), 0) FROM documents WHERE project = ?", (number,)).fetchone()
    removed = () if since is None else tuple(removed_since(c, number, begun))
    return CatalogDelta(since, revision, chunks, removed, _iter_entries(c, number, begun))


def removed_since(c: sqlite3.Connection, number: int, generation: int) -> list[int]:
    """The chunks that were deleted from a project after an earlier generation."""
    sql = "SELECT removed FROM changes WHERE project = ? AND generation > ?"
    return [at for (listed,) in c.execute(sql, (number, generation)) for at in json.loads(listed)]


def content_digest(chunks: Sequence[Chunk]) -> str:
    """A digest of a document's stored chunks: ids, texts and spans."""
    lines = (f"{chunk.id}\t{chunk.digest}\t{chunk.span.start}\t{chunk.span.end}\n" for chunk in chunks)
    return sha256_hex("".join(sorted(lines)))


def _get_or_create_project(c: sqlite3.Connection, name: str) -> int:
    """The number of a project, which is created if it does not exist."""
    row = c.execute("SELECT number FROM projects WHERE name = ?", (name,)).fetchone()
    if row is not None:
        return cast(int, row[0])
    number = next_number(c, "projects")
    insert_row(c, "projects", {"number": number, "name": name, "generation": 0, "stamp": ""})
    return number


def _find_document(c: sqlite3.Connection, number: int, document_id: str) -> int | None:
    """The number of the document with that id, if it exists."""
    row = c.execute("SELECT number FROM documents WHERE project = ? AND id = ?", (number, document_id)).fetchone()
    return None if row is None else row[0]


def _remove_document(c: sqlite3.Connection, held: int) -> list[int]:
    """Deletes a document and returns the numbers of its chunks."""
    removed = [at for (at,) in c.execute("SELECT number FROM chunks WHERE document = ?", (held,))]
    c.execute("DELETE FROM documents WHERE number = ?", (held,))
    return removed


def _reject_foreign_ids(
    c: sqlite3.Connection, number: int, project: str, document_id: str, chunks: Sequence[Chunk]
) -> None:
    sql = "SELECT c.id, d.id FROM chunks c JOIN documents d ON d.number = c.document WHERE c.project = ? AND c.id"
    for taken, owner in sorted(select_in(c, sql, (number,), [chunk.id for chunk in chunks])):
        raise UsageError(
            f"{taken!r} of document {document_id!r} is already an id of document {owner!r} in project {project!r}",
            hint="give one of the two documents another code, or delete the other document first",
        )


def _next_generation(c: sqlite3.Connection, number: int, removed: Sequence[int]) -> int:
    stamp = secrets.token_hex(8)
    c.execute("UPDATE projects SET generation = generation + 1, stamp = ? WHERE number = ?", (stamp, number))
    (generation,) = c.execute("SELECT generation FROM projects WHERE number = ?", (number,)).fetchone()
    update_checksums(c, "projects", "number = ?", number)
    change = {"project": number, "generation": generation, "stamp": stamp, "removed": to_json(removed)}
    insert_row(c, "changes", change)
    oldest = generation - MAX_LOGGED_CHANGES
    c.execute("DELETE FROM changes WHERE project = ? AND generation <= ?", (number, oldest))
    return cast(int, generation)


def force_rebuild(c: sqlite3.Connection, number: int) -> None:
    """Records a change after which indexes derived earlier can no longer be updated and must be rebuilt."""
    generation = _next_generation(c, number, ())
    c.execute("DELETE FROM changes WHERE project = ? AND generation < ?", (number, generation))


def _find_stamp(c: sqlite3.Connection, number: int, generation: int) -> str | None:
    sql = "SELECT stamp FROM changes WHERE project = ? AND generation = ?"
    row = c.execute(sql, (number, generation)).fetchone()
    return None if row is None else row[0]


def _iter_entries(c: sqlite3.Connection, number: int, since: int) -> Iterator[IndexEntry]:
    columns = ", ".join(f"c.{column}" for column in FACET_COLUMNS)
    rows = c.execute(
        f"SELECT c.number, c.text, c.labels, c.section, v.vector, {columns} FROM chunks c"  # noqa: S608 (our names)
        " JOIN vectors v ON v.chunk = c.number WHERE c.project = ? AND c.generation > ? ORDER BY c.number",
        (number, since),
    )
    for at, text, labels, section, vector, *facets in rows:
        try:
            said, path = json.loads(labels), json.loads(section)
            title = said.get("title") or (path[-1] if path else "")
            work = " ".join(filter(None, (said.get("act"), said.get("code"))))
        except (ValueError, TypeError, AttributeError, LookupError) as error:
            raise StoreCorrupt(
                f"the labels of a passage differ from what was stored: {error}",
                hint="run `footnotary doctor --deep`, then restore a backup or ingest the document it names again",
            ) from error
        yield IndexEntry(at, text, title, work, tuple(facets), vector)
