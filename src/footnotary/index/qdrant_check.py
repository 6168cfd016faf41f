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
        for head in catalog.heads(project):
            place = f"project {project!r}, document {head.id!r}"
            held = catalog.server.count(collection, Where({"document": (head.id,), "version": (head.version,)}))
            if held != head.chunks:
                problems.append(f"{place}: found {held} passages, expected {head.chunks}; ingest it again")
            left = catalog.server.count(collection, Where({"document": (head.id,)}, {"version": (head.version,)}))
            if left:
                problems.append(
                    f"{place}: {left} passages of an interrupted change are left; the next change deletes them"
                )
            if deep and held == head.chunks:
                problems += _text_problems(catalog, place, head)
    return problems


def _text_problems(catalog: QdrantCatalog, place: str, head: Head) -> list[str]:
    text = catalog.body(head).text
    problems: list[str] = []
    chunks: list[Chunk] = []
    for payload in catalog.passages(head.project, head.id, PASSAGE):
        try:
            chunks.append(chunk_from_payload(payload))
        except BackendError as error:
            problems.append(f"{place}: {error.message}")
    problems += [
        f"{place}, passage {chunk.id!r}: the document has another text at the passage's span"
        for chunk in chunks
        if chunk.span.of(text) != chunk.text
    ]
    if not problems and content_digest(chunks) != head.digest:
        problems.append(f"{place}: its passages do not match the digest stored with it")
    return problems
