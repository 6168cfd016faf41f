"""Consistency checks of a tenant's data on a Qdrant server: passages against records, texts against hashes."""

from __future__ import annotations

from footnotary.domain.chunk import Chunk
from footnotary.errors import BackendError
from footnotary.index.qdrant_catalog import PASSAGE, QdrantCatalog
from footnotary.index.qdrant_heads import Head
from footnotary.index.qdrant_passages import chunk_from_payload
from footnotary.index.qdrant_points import Where
from footnotary.index.sqlite_changes import content_digest


def problems_of(catalog: QdrantCatalog, *, deep: bool) -> list[str]:
    """The problems found, as text; empty if there are none. `deep` reads every passage."""
    problems: list[str] = []
    for project in catalog.projects():
        collection = catalog.collection(project)
        for record in catalog.records(project):
            place = f"project {project!r}, document {record.id!r}"
            held = catalog.server.count(collection, Where({"document": (record.id,), "version": (record.version,)}))
            if held != record.chunks:
                problems.append(f"{place}: found {held} passages, expected {record.chunks}; ingest it again")
            left = catalog.server.count(collection, Where({"document": (record.id,)}, {"version": (record.version,)}))
            if left:
                problems.append(
                    f"{place}: {left} passages of an interrupted change are left; the next change deletes them"
                )
            if deep and held == record.chunks:
                problems += _text_problems(catalog, place, record)
    return problems


def _text_problems(catalog: QdrantCatalog, place: str, record: Head) -> list[str]:
    text = catalog.body(record).text
    problems: list[str] = []
    chunks: list[Chunk] = []
    for payload in catalog.passages(record.project, record.id, PASSAGE):
        try:
            chunks.append(chunk_from_payload(payload))
        except BackendError as error:
            problems.append(f"{place}: {error.message}")
    problems += [
        f"{place}, passage {chunk.id!r}: the document has another text at the passage's span"
        for chunk in chunks
        if chunk.span.of(text) != chunk.text
    ]
    if not problems and content_digest(chunks) != record.digest:
        problems.append(f"{place}: its passages do not match the digest stored with it")
    return problems
