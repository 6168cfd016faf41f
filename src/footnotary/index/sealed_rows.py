"""Whether rows are what was stored: by their seals, and a passage also by the digest of its text."""

import sqlite3
from pathlib import Path
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import sha256_hex
from footnotary.errors import StoreCorrupt
from footnotary.index.records import chunk_from_row
from footnotary.index.seals import COLUMN, columns, expression, is_sealed, tables


class SealedRows:
    """Nothing is taken for damaged before `learn` has seen which tables of the database at `path` are sealed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._columns: dict[str, tuple[str, ...]] = {}

    def learn(self, c: sqlite3.Connection) -> None:
        """Notes by table what its seals cover; nothing where the database is of a version without them."""
        self._columns = {table: columns(c, table) for table in tables(c)} if is_sealed(c) else {}

    def intact(self, table: str, of: str = "") -> str:
        """SQL for whether a record is what was stored; one from before there were seals is taken for that."""
        place = f"{of}." if of else ""
        return f"{place}{COLUMN} IS {expression(self._columns[table], of)}" if table in self._columns else "true"

    def require(self, intact: object, what: str) -> None:
        """Raises `StoreCorrupt`, which names what it is, where SQL said that it is not."""
        if not intact:
            raise self._not_as_stored(what)

    def chunk(self, row: tuple[Any, ...], document_id: str, aliases: tuple[str, ...]) -> Chunk:
        """The passage a row holds. Raises `StoreCorrupt` where that is none, or not the one its digest names."""
        try:
            chunk = chunk_from_row(row, document_id, aliases)
            if sha256_hex(chunk.text) == chunk.digest:
                return chunk
        except (ValueError, TypeError, AttributeError):  # what should be JSON, a span or text is not
            pass
        raise self._not_as_stored(f"passage {row[0]!r} of document {document_id!r}")

    def _not_as_stored(self, what: str) -> StoreCorrupt:
        return StoreCorrupt(
            f"{what} in {self._path} is not what was stored",
            hint="run `footnotary doctor --deep`, and restore a backup or ingest the documents it names again",
        )
