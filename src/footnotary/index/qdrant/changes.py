"""Changes of a tenant's documents on a Qdrant server, each applied completely or not at all.

The server has no transactions over several points, so one point commits: the record of a document
(`QdrantDocumentRecord`). Passages are written under a new version first, and are visible once the record names that
version. An interrupted change leaves passages that no search returns, and that the next change of the document deletes.
A lease on the server (`writer_lease`) makes the changes of all machines happen one after another.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.validity import Validity
from footnotary.durable import make_private_folder
from footnotary.errors import BackendError, StoreLocked, UsageError
from footnotary.index.file_lock import FileLock
from footnotary.index.qdrant.catalog import PASSAGE_FIELDS, VERSION_FIELDS, QdrantCatalog, passage_schema
from footnotary.index.qdrant.document_records import QdrantDocumentRecord, new_document_record, record_point_id
from footnotary.index.qdrant.passage_points import body_points, chunk_from_payload, former_point, passage_point
from footnotary.index.qdrant.point_types import CollectionNotFound, PointFilter
from footnotary.index.qdrant.writer_lease import WAIT_S, WriterLease
from footnotary.index.sqlite.changes import content_digest
from footnotary.index.sqlite.row_serialization import validity_json
from footnotary.index.validation import unit_vectors
from footnotary.ports import PutResult, Vectors

_log = logging.getLogger(__name__)


class QdrantChanges:
    """The changes of one tenant, one at a time: `folder` holds the lock of this machine, `lease` is that of all."""

    def __init__(self, catalog: QdrantCatalog, folder: Path, dimensions: int) -> None:
        self._catalog = catalog
        self._server = catalog.server
        self._folder = folder
        self._fields = passage_schema(dimensions)
        self._lock = FileLock(folder / "write.lock")
        self.lease = WriterLease(catalog)

    @contextmanager
    def one(self, *records: str) -> Generator[None]:
        """Excludes other writers of the tenant on all machines. Raises `StoreLocked`, which names the holder.

        `records` are the ids of the records that may be committed.
        """
        try:
            make_private_folder(self._folder)
            with self._lock.held(WAIT_S) as got:
                if not got:
                    raise StoreLocked(
                        f"another process ({self._lock.holder()}) is writing for tenant {self._catalog.tenant!r}, "
                        f"and did not finish within {WAIT_S:g} s",
                        hint="wait until it finishes and try again; reading works meanwhile",
                        retryable=True,
                    )
                with self.lease.held(*records):
                    yield
        except CollectionNotFound as error:
            raise StoreLocked(
                "the collection was deleted by another writer meanwhile", hint="try again", retryable=True
            ) from error
        except OSError as error:
            raise BackendError(f"{self._folder} cannot be written to: {error}", hint="check its permissions") from error

    def put(self, project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, code: str) -> PutResult:
        collection = self._catalog.collection(project)
        with self.one(record_point_id(project, document.id)):
            now, change = datetime.now(UTC), self._catalog.generation(project) + 1
            earlier = self._catalog.record(project, document.id)
            self._refuse_foreign_ids(project, document.id, chunks)
            versions = self._stored_versions(project, document.id)
            new = new_document_record(project, document, code, content_digest(chunks), len(chunks), now)
            replaced = earlier is not None and earlier.live
            if earlier is not None:
                kept = self._with_former_version(earlier, new, chunks, now, change) if replaced else earlier
                new = replace(new, past=kept.past)
            new = replace(new, version=secrets.token_hex(8))
            self._server.create(collection, self._fields)
            self._server.put(self._catalog.name, body_points(project, document, new.version))
            rows = zip(chunks, unit_vectors(vectors), strict=True)
            self._server.put(collection, [passage_point(chunk, row, new.version) for chunk, row in rows])
            self.commit(earlier, replace(new, change=change))
            self._sweep(project, document.id, versions)
        return "replaced" if replaced else "added"

    def delete(self, project: str, document_id: str, *, keep_history: bool) -> bool:
        kinds = ("body",) if keep_history else ("body", "former")
        with self.one(record_point_id(project, document_id)):
            record = self._catalog.record(project, document_id)
            if record is None or not (record.live or (record.past and not keep_history)):
                return False
            versions = self._stored_versions(project, document_id, kinds)
            change = self._catalog.generation(project) + 1
            if keep_history:
                passages = self._chunks_of(record)
                self._server.put(self._catalog.name, [former_point(project, c, record.version) for c in passages])
                gone = record.retired(datetime.now(UTC), len(passages), None, change)
                self.commit(record, replace(gone, change=change, live=False, version="", validity=None))
            else:
                self.commit(record, replace(record, change=change), erased=True)
            self._sweep(project, document_id, versions, kinds)
        return True

    def delete_project(self, project: str) -> int:
        where = PointFilter({"kind": ("document",), "project": (project,)})
        found = list(self._server.scan(self._catalog.name, where, ["id"]))
        ids = [one.payload["id"] for one in found if "id" in one.payload]
        deleted = sum(self.delete(project, id_, keep_history=False) for id_ in ids)
        if deleted:
            with self.one():
                if project not in self._catalog.projects():
                    self.lease.confirm()
                    self._server.drop(self._catalog.collection(project))
        return deleted

    def set_validity(self, project: str, document_id: str, validity: Validity) -> bool:
        with self.one(record_point_id(project, document_id)):
            record = self._catalog.record(project, document_id)
            if record is None or not record.live:
                return False
            change = self._catalog.generation(project) + 1
            self.commit(record, replace(record, change=change, validity=validity_json(validity)))
        return True

    def commit(self, earlier: QdrantDocumentRecord | None, new: QdrantDocumentRecord, *, erased: bool = False) -> None:
        """Replaces a document's record only if it is still the one that was read and the lease is still ours."""
        point = new.tombstone() if erased else new.point()
        if not self.lease.replace_record(point, "" if earlier is None else earlier.revision):
            raise StoreLocked(
                f"document {new.id!r} was changed by another writer meanwhile", hint="try again", retryable=True
            )

    def _stored_versions(self, project: str, document_id: str, kinds: Sequence[str] = ("body",)) -> list[str]:
        """All versions of which something is stored. Read before the commit, it has nothing of a later writer."""
        among = {"kind": kinds, "project": (project,), "document": (document_id,)}
        found = set(self._server.distinct(self._catalog.name, "version", PointFilter(among)))
        collection = self._catalog.collection(project)
        try:
            found.update(self._server.distinct(collection, "version", PointFilter({"document": (document_id,)})))
        except CollectionNotFound:
            self._server.forget(collection)
        return sorted(found)

    def _sweep(self, project: str, document_id: str, versions: Sequence[str], kinds: Sequence[str] = ("body",)) -> None:
        """Deletes these versions, which no record names any more.

        After a failure the next change does it, and no search returns them. Other versions are kept: a holder that was
        paused after its commit must not delete what the next one wrote.
        """
        if not versions:
            return
        among = {"document": (document_id,), "version": versions}
        try:
            self._server.delete_points(self._catalog.name, PointFilter({"kind": kinds, "project": (project,), **among}))
            with suppress(CollectionNotFound):
                self._server.delete_points(self._catalog.collection(project), PointFilter(among))
        except BackendError as error:
            _log.warning("old passages of document %s could not be deleted yet: %s", document_id, error)

    def _with_former_version(
        self,
        earlier: QdrantDocumentRecord,
        new: QdrantDocumentRecord,
        chunks: Sequence[Chunk],
        now: datetime,
        change: int,
    ) -> QdrantDocumentRecord:
        """The earlier record with its version added to the former ones, after copying its passages."""
        same = earlier.sha256 == new.sha256
        still = {(chunk.id, chunk.digest) for chunk in chunks} if same else set[tuple[str, str]]()
        gone = [chunk for chunk in self._chunks_of(earlier) if (chunk.id, chunk.digest) not in still]
        if same and not gone:
            return earlier
        self._server.put(self._catalog.name, [former_point(earlier.project, chunk, earlier.version) for chunk in gone])
        return earlier.retired(now, len(gone), new.sha256, change)

    def _refuse_foreign_ids(self, project: str, document_id: str, chunks: Sequence[Chunk]) -> None:
        found = self._catalog.named(project, "id", [chunk.id for chunk in chunks], VERSION_FIELDS)
        for id_, owner in sorted((one.payload["id"], one.payload["document"]) for one in found):
            if owner != document_id:
                raise UsageError(
                    f"{id_!r} of document {document_id!r} is already an id of document {owner!r} "
                    f"in project {project!r}",
                    hint="give one of the two documents another code, or delete the other document first",
                )

    def _chunks_of(self, record: QdrantDocumentRecord) -> list[Chunk]:
        return [
            chunk_from_payload(payload) for payload in self._catalog.passages(record.project, record.id, PASSAGE_FIELDS)
        ]
