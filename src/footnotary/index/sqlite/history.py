"""Former versions of documents in the catalog: replaced versions, kept for reading but never searchable.

No index is derived from them, and no passage query reads their tables. All functions run inside a transaction or
snapshot that the caller opened.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any

from footnotary.domain.identity import SemanticId
from footnotary.domain.validity import Validity
from footnotary.index.sqlite.connections import select_in
from footnotary.index.sqlite.row_checksums import checksum_sql, insert_row, update_checksums
from footnotary.index.sqlite.row_serialization import READ_COLUMNS, to_json, validity_from_json, validity_json
from footnotary.ports import FormerVersion, StoredDocument

_VERSION_COLUMNS = "id, sha256, path, title, code, chunks, media_type, validity, stored_at"
_PASSAGE_COLUMNS = "id, start, stop, page, kind, digest, section, labels, origin, flags"


def has_history(c: sqlite3.Connection) -> bool:
    """Whether the database has these tables; an older one may be open for reading only."""
    return c.execute("SELECT 1 FROM sqlite_schema WHERE name = 'standings'").fetchone() is not None


def has_flags(c: sqlite3.Connection) -> bool:
    """Whether passages have flags; a database of an earlier version may be open for reading only."""
    return c.execute("SELECT 1 FROM pragma_table_info('chunks') WHERE name = 'flags'").fetchone() is not None


def insert_validity(c: sqlite3.Connection, number: int, held: int, stored_at: datetime, validity: Validity) -> None:
    """Records when a document was stored and its validity."""
    said = {"stored_at": _format_time(stored_at), "validity": validity_json(validity)}
    insert_row(c, "standings", {"document": held, "project": number, **said})


def update_validity(c: sqlite3.Connection, held: int, number: int, now: datetime, validity: Validity) -> None:
    said = validity_json(validity)
    if c.execute("UPDATE standings SET validity = ? WHERE document = ?", (said, held)).rowcount:
        update_checksums(c, "standings", "document = ?", held)
    else:
        insert_validity(c, number, held, now, validity)  # it was stored before this table existed


def validities(c: sqlite3.Connection, number: int) -> dict[str, Validity]:
    sql = (
        "SELECT d.id, s.validity FROM standings s JOIN documents d ON d.number = s.document"
        " WHERE s.project = ? AND s.validity IS NOT NULL"
    )
    said = {id_: validity_from_json(validity) for id_, validity in c.execute(sql, (number,))}
    return {id_: validity for id_, validity in said.items() if validity.is_specified}


def retire_document(
    c: sqlite3.Connection, held: int, now: datetime, successor: str | None, still: Collection[tuple[str, str]] | None
) -> None:
    """Keeps a document that is about to be removed as a former version.

    If the same file is stored again, `still` holds id and digest of each passage of the new version: only passages not
    among them are kept.
    """
    rows = c.execute("SELECT number, id, digest FROM chunks WHERE document = ?", (held,))
    gone = [number for number, id_, digest in rows if still is None or (id_, digest) not in still]
    if still is not None and not gone:
        return
    version = c.execute(
        f"INSERT INTO versions (project, {_VERSION_COLUMNS}, retired_at, successor)"  # noqa: S608 (our names)
        " SELECT d.project, d.id, sha256, path, title, code, ?, media_type, validity, stored_at, ?, ?"
        " FROM documents d LEFT JOIN standings s ON s.document = d.number WHERE d.number = ?",
        (len(gone), _format_time(now), successor, held),
    ).lastrowid
    update_checksums(c, "versions", "number = ?", version)
    aliases: dict[int, list[str]] = {}
    for chunk, alias in select_in(c, "SELECT chunk, alias FROM aliases WHERE chunk", (), gone):
        aliases.setdefault(chunk, []).append(alias)
    texts = f"INSERT OR IGNORE INTO texts SELECT digest, text, {checksum_sql(('digest', 'text'))} FROM chunks"  # noqa: S608
    select_in(c, f"{texts} WHERE number", (), gone)
    c.executemany(
        f"INSERT INTO former_chunks (version, aliases, project, {_PASSAGE_COLUMNS})"  # noqa: S608 (our names)
        f" SELECT ?, ?, project, {_PASSAGE_COLUMNS} FROM chunks WHERE number = ?",
        ((version, to_json(sorted(aliases.get(number, ()))), number) for number in gone),
    )
    update_checksums(c, "former_chunks", "version = ?", version)


def delete_former_versions(c: sqlite3.Connection, number: int, document_id: str) -> bool:
    """Deletes all former versions of a document and the texts nothing else uses; returns whether there were any."""
    versions = c.execute("SELECT number FROM versions WHERE project = ? AND id = ?", (number, document_id)).fetchall()
    for version in versions:
        digests = [digest for (digest,) in c.execute("SELECT digest FROM former_chunks WHERE version = ?", version)]
        c.execute("DELETE FROM versions WHERE number = ?", version)
        orphaned = "DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM former_chunks f WHERE f.digest = texts.digest)"
        select_in(c, f"{orphaned} AND digest", (), digests)
    return bool(versions)


def former_versions(c: sqlite3.Connection, number: int, document_id: str) -> list[FormerVersion]:
    sql = (
        f"SELECT {_VERSION_COLUMNS}, retired_at, successor FROM versions"  # noqa: S608 (our names)
        " WHERE project = ? AND id = ? ORDER BY number DESC"
    )
    return [_former_version(row) for row in c.execute(sql, (number, document_id))]


def former_rows(
    c: sqlite3.Connection, number: int, cited: SemanticId
) -> Iterator[tuple[FormerVersion, tuple[str, ...], tuple[Any, ...]]]:
    """For every former passage with that id, or else that alias: its version, aliases and `READ_COLUMNS`."""
    found = _former_chunk_rows(c, "f.project = ? AND f.id = ?", (number, cited))
    if not found:  # aliases are rarely used, so they have no index here
        found = _former_chunk_rows(c, "f.project = ? AND instr(f.aliases, ?)", (number, to_json(cited)))
    for row in found:
        version, passage = row[:11], row[12:]
        yield _former_version(version), tuple(json.loads(row[11])), passage


def _former_chunk_rows(c: sqlite3.Connection, where: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
    version = ", ".join(f"v.{column}" for column in _VERSION_COLUMNS.split(", "))
    passage = ", ".join(
        "NULL" if column == "flags" and not has_flags(c) else f"{'t' if column == 'text' else 'f'}.{column}"
        for column in READ_COLUMNS
    )
    return c.execute(
        f"SELECT {version}, v.retired_at, v.successor, f.aliases, {passage} FROM former_chunks f"  # noqa: S608 (our names)
        f" JOIN versions v ON v.number = f.version JOIN texts t ON t.digest = f.digest"
        f" WHERE {where} ORDER BY v.number DESC, f.id",
        values,
    ).fetchall()


def _former_version(row: tuple[Any, ...]) -> FormerVersion:
    *plain, validity, stored_at, retired_at, successor = row
    return FormerVersion(stored_document(plain, validity, stored_at), datetime.fromisoformat(retired_at), successor)


def stored_document(plain: Sequence[Any], validity: str | None, stored_at: str | None) -> StoredDocument:
    """A document from its first seven fields, its validity and its storage time, if recorded."""
    moment = None if stored_at is None else datetime.fromisoformat(stored_at)
    return StoredDocument(*plain, validity=validity_from_json(validity), stored_at=moment)


def _format_time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
