"""Consistency checks of a tenant's data on a Qdrant server: passages against records, texts against hashes."""

from __future__ import annotations

from footnotary.domain.chunk import Chunk
from footnotary.errors import BackendError
from footnotary.index.qdrant.catalog import PASSAGE_FIELDS, QdrantCatalog
from footnotary.index.qdrant.document_records import QdrantDocumentRecord
from footnotary.index.qdrant.passage_points import chunk_from_payload
from footnotary.index.qdrant.point_types import PointFilter
from footnotary.index.sqlite.changes import content_digest


def find_problems(catalog: QdrantCatalog, *, deep: bool) -> list[str]:
    """The problems found, as text; empty if there are none. `deep` reads every passage."""
    problems: list[str] = []
    for project in catalog.projects():
        collection = catalog.collection(project)
        for record in catalog.records(project):
            place = f"project {project!r}, document {record.id!r}"
            held = catalog.server.count(
                collection, PointFilter({"document": (record.id,), "version": (record.version,)})
            )
            if held != record.chunks:
                problems.append(f"{place}: found {held} passages, expected {record.chunks}; ingest it again")
            left = catalog.server.count(
                collection, PointFilter({"document": (record.id,)}, {"version": (record.version,)})
            )
            if left:
                problems.append(
                    f"{place}: {left} passages of an interrupted change are left; the next change deletes them"
                )
            if deep and held == record.chunks:
                problems += _find_text_problems(catalog, place, record)
    return problems


def _find_text_problems(catalog: QdrantCatalog, place: str, record: QdrantDocumentRecord) -> list[str]:
    text = catalog.body(record).text
    problems: list[str] = []
    chunks: list[Chunk] = []
    for payload in catalog.passages(record.project, record.id, PASSAGE_FIELDS):
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
