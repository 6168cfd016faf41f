"""Re-embeds every passage of a store with another embedder than the one it was built with."""

import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import sha256_hex
from footnotary.durable import make_private_file
from footnotary.errors import BackendError
from footnotary.index.embedded.store import EmbeddedStore
from footnotary.index.manifest import Manifest
from footnotary.index.validation import validate_vectors
from footnotary.ingest.chunking.chunk_builder import text_to_embed
from footnotary.ports import Embedder

_BATCH_SIZE = 64
# Not `.db`: it holds no tenant data, and backups do not need it.
_STAGING_FILE = "reembedding.sqlite"


@dataclass(frozen=True, slots=True)
class ReembedResult:
    """The result: how many passages the store holds, and how many texts this run embedded."""

    passages: int
    embedded: int
    before: str
    now: str


def reembed(
    folder: Path, embedder: Embedder, report_progress: Callable[[int, int], None] | None = None
) -> ReembedResult:
    """Replaces the vectors of the embedded store in `folder` by those of `embedder`; all other data stays.

    New vectors are staged in a file next to the store, so that an interrupted run resumes where it stopped. The store
    changes in one transaction at the end. Processes that have it open with the old embedder are rejected from then on
    and must reopen it.
    """
    to = Manifest(embedder.name, embedder.dimensions)
    with closing(EmbeddedStore.as_built(folder)) as store:
        before = store.manifest.embedder
        if store.manifest == to:
            return ReembedResult(sum(d.chunks for p in store.projects() for d in store.documents(p)), 0, before, before)
        with _open_staging(folder / _STAGING_FILE, to) as waiting:
            made = _stage_vectors(store, embedder, waiting, report_progress)
            passages = store.switch_embedder(to, waiting.vector_of)
    (folder / _STAGING_FILE).unlink()
    return ReembedResult(passages, made, before, to.embedder)


def _stage_vectors(
    store: EmbeddedStore,
    embedder: Embedder,
    waiting: "_StagedVectors",
    report_progress: Callable[[int, int], None] | None,
) -> int:
    documents = [(project, stored) for project in store.projects() for stored in store.documents(project)]
    done, made, of = 0, 0, sum(stored.chunks for _, stored in documents)
    for project, stored in documents:
        chunks = store.chunks(project, store.passage_ids(project, stored.id))
        for at in range(0, len(chunks), _BATCH_SIZE):
            if report_progress is not None:
                report_progress(done, of)
            made += waiting.fill(project, chunks[at : at + _BATCH_SIZE], embedder)
            done += len(chunks[at : at + _BATCH_SIZE])
    return made


class _StagedVectors:
    """New vectors by the hash of the embedded text, and which passage needs which."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def fill(self, project: str, chunks: Sequence[Chunk], embedder: Embedder) -> int:
        """Embeds the texts that have no vector yet; returns how many."""
        texts = {sha256_hex(text): text for text in map(text_to_embed, chunks)}
        known = "SELECT 1 FROM made WHERE key = ?"
        new = [key for key in texts if self._connection.execute(known, (key,)).fetchone() is None]
        vectors = (
            embedder.embed_passages([texts[key] for key in new])
            if new
            else np.zeros((0, embedder.dimensions), np.float32)
        )
        validate_vectors(vectors, len(new), embedder.dimensions)
        rows = [(key, vector.astype("<f4").tobytes()) for key, vector in zip(new, vectors, strict=True)]
        wanted = [(project, chunk.id, chunk.digest, sha256_hex(text_to_embed(chunk))) for chunk in chunks]
        with self._connection:
            self._connection.executemany("INSERT INTO made VALUES (?, ?)", rows)
            self._connection.executemany("INSERT OR REPLACE INTO wanted VALUES (?, ?, ?, ?)", wanted)
        return len(new)

    def vector_of(self, project: str, id_: str, digest: str) -> bytes | None:
        sql = "SELECT vector FROM wanted JOIN made USING (key) WHERE project = ? AND id = ? AND digest = ?"
        row = self._connection.execute(sql, (project, id_, digest)).fetchone()
        return None if row is None else row[0]


@contextmanager
def _open_staging(path: Path, to: Manifest) -> Generator[_StagedVectors]:
    """Opens the staged vectors of this embedder; those of another embedder are discarded."""
    try:
        make_private_file(path)
        connection = sqlite3.connect(path)
        with closing(connection):
            connection.execute("CREATE TABLE IF NOT EXISTS embedder (name TEXT PRIMARY KEY)")
            if connection.execute("SELECT name FROM embedder").fetchall() != [(to.embedder,)]:
                for table in ("made", "wanted"):
                    connection.execute(f"DROP TABLE IF EXISTS {table}")
                connection.execute("DELETE FROM embedder")
                connection.execute("INSERT INTO embedder VALUES (?)", (to.embedder,))
            connection.execute("CREATE TABLE IF NOT EXISTS made (key TEXT PRIMARY KEY, vector BLOB NOT NULL)")
            connection.execute("DROP TABLE IF EXISTS wanted")
            connection.execute(
                "CREATE TABLE wanted (project TEXT, id TEXT, digest TEXT, key TEXT, PRIMARY KEY (project, id))"
            )
            connection.commit()
            yield _StagedVectors(connection)
    except (sqlite3.Error, OSError) as error:
        raise BackendError(
            f"cannot read or write {path}: {error}", hint="check the disk; if the file is damaged, delete it"
        ) from error
