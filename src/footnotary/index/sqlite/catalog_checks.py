"""Integrity checks on the catalog database itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from footnotary.domain.identity import SemanticId, sha256_hex
from footnotary.index.sqlite.connections import SqliteConnections
from footnotary.index.sqlite.history import has_history
from footnotary.index.sqlite.row_checksums import find_damaged_rows, has_checksums


@dataclass(frozen=True, slots=True)
class CheckedPassage:
    """A stored chunk as the checks read it; `marked` is the text its span points at in its document."""

    number: int
    document: str
    id: SemanticId
    text: str
    marked: str
    digest: str
    vector: bytes


class SqliteChecks:
    """Checks one database without changing it."""

    def __init__(self, connections: SqliteConnections) -> None:
        self._connections = connections

    def damage(self, *, deep: bool) -> list[str]:
        """The problems SQLite itself finds in the file."""
        with self._connections.reading() as c:
            rows = c.execute(f"PRAGMA {'integrity_check' if deep else 'quick_check'}(20)").fetchall()
            found = [str(text) for (text,) in rows if text != "ok"]
            return found + [f"dangling reference: {row}" for row in c.execute("PRAGMA foreign_key_check")]

    def damaged_rows(self) -> list[str]:
        """Rows that differ from what was stored, in any field."""
        with self._connections.reading() as c:
            if has_checksums(c):
                return list(find_damaged_rows(c))
        return [
            "the database has no row checksums (older version), so not all damage can be detected; "
            "open it for writing once (`footnotary doctor` does), which adds checksums for its current content"
        ]

    def damaged_former_texts(self) -> list[str]:
        """Texts of former versions that differ from what was stored."""
        with self._connections.reading() as c:
            rows = c.execute("SELECT digest, text FROM texts") if has_history(c) else ()
            wrong = [digest for digest, text in rows if sha256_hex(text) != digest]
        return [f"a text of a former version does not have its digest, {digest}" for digest in wrong]

    def passages(self, number: int) -> Iterator[CheckedPassage]:
        """Every chunk, document by document."""
        sql = (
            "SELECT d.number, c.number, d.id, c.id, c.text, c.start, c.stop, c.digest, v.vector FROM chunks c"
            " JOIN documents d ON d.number = c.document LEFT JOIN vectors v ON v.chunk = c.number"
            " WHERE c.project = ? ORDER BY d.number, c.number"
        )
        held: Any = None
        whole = ""
        with self._connections.reading() as c:
            for owner, at, document, chunk, text, start, stop, digest, vector in c.execute(sql, (number,)):
                if owner != held:
                    held = owner
                    (whole,) = c.execute("SELECT text FROM documents WHERE number = ?", (owner,)).fetchone()
                yield CheckedPassage(at, document, chunk, text, whole[start:stop], digest, vector or b"")
