"""Replaces all vectors of a database with another embedder's, in one transaction."""

import sqlite3
from collections.abc import Callable

from footnotary.errors import StoreLocked
from footnotary.index.manifest import Manifest
from footnotary.index.sqlite.changes import force_rebuild
from footnotary.index.sqlite.row_checksums import insert_rows, update_checksums

_BATCH_SIZE = 1000

VectorLookup = Callable[[str, str, str], bytes | None]
"""The new vector of a passage by its project, its id and the digest of its text; None if there is none."""


def switch_embedder(c: sqlite3.Connection, to: Manifest, vector_of: VectorLookup) -> int:
    """Returns the number of passages with new vectors; indexes derived from the old ones are rebuilt.

    Raises `StoreLocked` if a passage has no new vector: it was stored after the new ones were computed.
    """
    chunks = c.execute(
        "SELECT c.number, p.name, c.id, c.digest FROM chunks c JOIN projects p ON p.number = c.project"
        " ORDER BY c.number"
    ).fetchall()
    c.execute("DELETE FROM vectors")
    for at in range(0, len(chunks), _BATCH_SIZE):
        rows: list[dict[str, int | bytes]] = []
        for number, project, id_, digest in chunks[at : at + _BATCH_SIZE]:
            vector = vector_of(project, id_, digest)
            if vector is None:
                raise StoreLocked(
                    f"passage {id_!r} of {project!r} changed meanwhile", hint="run the command again", retryable=True
                )
            rows.append({"chunk": number, "vector": vector})
        insert_rows(c, "vectors", rows)
    for key, value in to.entries().items():
        c.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))
        update_checksums(c, "meta", "key = ?", key)
    for (project,) in c.execute("SELECT number FROM projects").fetchall():
        force_rebuild(c, project)
    return len(chunks)
