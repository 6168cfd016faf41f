"""Rebuilds a project's passages in a new collection, which replaces the old one atomically.

For another number of shards or replicas, or other term weights. Searches continue throughout, and so do changes until
the last step, which copies what changed meanwhile and blocks writers on all machines while it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from footnotary.durable import make_private_folder
from footnotary.errors import BackendError, StoreLocked, UnknownProject
from footnotary.index.file_lock import FileLock
from footnotary.index.qdrant.catalog import QdrantCatalog, passage_schema
from footnotary.index.qdrant.changes import QdrantChanges
from footnotary.index.qdrant.document_records import QdrantDocumentRecord
from footnotary.index.qdrant.passage_points import chunk_from_payload, passage_point
from footnotary.index.qdrant.point_types import PointFilter
from footnotary.index.qdrant.writer_lease import WriterLease

ReindexProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ReindexResult:
    """The content of the new collection; `late` of the documents changed while the others were copied."""

    project: str
    collection: str
    documents: int
    passages: int
    late: int


def reindex(
    catalog: QdrantCatalog,
    changes: QdrantChanges,
    project: str,
    folder: Path,
    dimensions: int,
    progress: ReindexProgress | None = None,
) -> ReindexResult:
    """Rebuilds the project's collection and points its alias to the new one.

    Every passage is verified by its hash and counted before the switch; if the counts differ nothing is switched.
    An interrupted run leaves a collection that is never queried, and that the next run deletes.
    """
    make_private_folder(folder)
    with FileLock(folder / "reindex.lock").held(0) as got:
        if not got:
            raise StoreLocked("this tenant is already being reindexed", hint="wait until it finishes", retryable=True)
        lease = WriterLease(catalog, "reindex")
        with lease.held():
            return _rebuild(catalog, changes, lease, project, dimensions, progress)


def _rebuild(
    catalog: QdrantCatalog,
    changes: QdrantChanges,
    lease: WriterLease,
    project: str,
    dimensions: int,
    progress: ReindexProgress | None,
) -> ReindexResult:
    name = catalog.collection(project)
    old = catalog.server.behind(name)
    records = catalog.records(project)
    if old is None or not records:
        raise UnknownProject(f"there is no project {project!r}", hint="ingest documents into it first")
    new = f"{name}-{int(old.rpartition('-')[2]) + 1}"
    lease.confirm()
    catalog.server.delete_collection_if_exists(new)
    catalog.server.build(new, passage_schema(dimensions))
    copied: dict[str, str] = {}
    for at, record in enumerate(records, start=1):
        _copy_passages(catalog, record, new)
        copied[record.id] = record.version
        if progress:
            progress(at, len(records))
    with changes.one():
        lease.confirm()
        records = catalog.records(project)
        late = [record for record in records if copied.get(record.id) != record.version]
        _delete_stale_copies(catalog, new, copied, records)
        for record in late:
            _copy_passages(catalog, record, new)
        _require_complete(catalog, project, new, records)
        changes.lease.confirm()
        catalog.server.switch(name, new)
    catalog.server.delete_collection_if_exists(old)
    return ReindexResult(project, new, len(records), sum(record.chunks for record in records), len(late))


def _copy_passages(catalog: QdrantCatalog, record: QdrantDocumentRecord, into: str) -> None:
    """A version that is deleted meanwhile may be copied in part: the last step removes it and copies the next."""
    points = [
        passage_point(chunk_from_payload(one.payload), one.dense, record.version)
        for one in catalog.with_vectors(record)
        if one.dense is not None
    ]
    catalog.server.put(into, points)


def _delete_stale_copies(
    catalog: QdrantCatalog, new: str, copied: dict[str, str], records: list[QdrantDocumentRecord]
) -> None:
    """Deletes copied passages of versions that no record names any more."""
    named = {record.id: record.version for record in records}
    for document_id, version in copied.items():
        if named.get(document_id) != version:
            catalog.server.delete_points(new, PointFilter({"document": (document_id,), "version": (version,)}))


def _require_complete(catalog: QdrantCatalog, project: str, new: str, records: list[QdrantDocumentRecord]) -> None:
    held, wanted = catalog.server.count(new, PointFilter()), sum(record.chunks for record in records)
    if held != wanted:
        catalog.server.delete_collection_if_exists(new)
        raise BackendError(
            f"the new collection of project {project!r} has {held} passages instead of {wanted}; the old one stays",
            hint="run `footnotary doctor`, which names the incomplete documents",
        )
