"""Verifies rows when they are read: by their checksums, and a passage also by the digest of its text."""

import sqlite3
from pathlib import Path
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import sha256_hex
from footnotary.errors import StoreCorrupt
from footnotary.index.sqlite.row_checksums import (
    CHECKSUM_COLUMN,
    checksum_sql,
    checksummed_columns,
    has_checksums,
    list_tables,
)
from footnotary.index.sqlite.row_serialization import chunk_from_row


class RowVerifier:
    """Reports no damage before `learn` has read which tables of the database at `path` have row checksums."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._columns: dict[str, tuple[str, ...]] = {}

    def learn(self, c: sqlite3.Connection) -> None:
        """Reads by table which columns the checksums cover; none if the database version has no checksums."""
        self._columns = {table: checksummed_columns(c, table) for table in list_tables(c)} if has_checksums(c) else {}

    def intact(self, table: str, of: str = "") -> str:
        """SQL for whether a row matches its checksum; a row of a version without checksums counts as intact."""
        place = f"{of}." if of else ""
        return (
            f"{place}{CHECKSUM_COLUMN} IS {checksum_sql(self._columns[table], of)}"
            if table in self._columns
            else "true"
        )

    def require(self, intact: object, what: str) -> None:
        """Raises `StoreCorrupt`, naming `what`, if SQL found that the row is not intact."""
        if not intact:
            raise self._not_as_stored(what)

    def chunk(self, row: tuple[Any, ...], document_id: str, aliases: tuple[str, ...]) -> Chunk:
        """The passage in a row. Raises `StoreCorrupt` if it cannot be decoded or does not match its digest."""
        try:
            chunk = chunk_from_row(row, document_id, aliases)
            if sha256_hex(chunk.text) == chunk.digest:
                return chunk
        except (ValueError, TypeError, AttributeError):  # invalid JSON, span or text
            pass
        raise self._not_as_stored(f"passage {row[0]!r} of document {document_id!r}")

    def _not_as_stored(self, what: str) -> StoreCorrupt:
        return StoreCorrupt(
            f"{what} in {self._path} differs from what was stored",
            hint="run `footnotary doctor --deep`, then restore a backup or ingest the documents it names again",
        )
