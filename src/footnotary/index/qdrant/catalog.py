"""A tenant's catalog on a Qdrant server: document records, and the passages whose version a record names.

Passages are checked against the records before they are returned, so that leftovers of an interrupted change are never
visible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import SemanticId, sha256_hex
from footnotary.errors import BackendError, UnknownProject, UsageError
from footnotary.index.manifest import Manifest, require_matching_manifest
from footnotary.index.qdrant.document_records import QdrantDocumentRecord, record_point_id, record_validity
from footnotary.index.qdrant.passage_points import DocumentBody, chunk_from_payload
from footnotary.index.qdrant.point_types import (
    CollectionNotFound,
    CollectionSchema,
    FoundPoint,
    PointFilter,
    QdrantPoint,
)
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.sqlite.row_serialization import FACET_COLUMNS, READ_COLUMNS, validity_json
from footnotary.ports import FormerChunk

RECORD_FIELDS = CollectionSchema(
    ("kind", "project", "id", "aliases", "document", "version", "revision", "live", "says"), ("change",)
)
PASSAGE_FIELDS = (*READ_COLUMNS, "document", "version", "aliases")
VERSION_FIELDS = ("id", "document", "version")
_MANIFEST_POINT_ID = "00000000-0000-5000-8000-000000000001"
_IDS_PER_REQUEST = 500


def passage_schema(dimensions: int) -> CollectionSchema:
    return CollectionSchema(
        ("id", "aliases", "document", "version", *FACET_COLUMNS), words="words", dimensions=dimensions
    )


class QdrantCatalog:
    """The catalog of one tenant; `name` is the collection of its records, `collection` that of a project's passages."""

    def __init__(self, server: QdrantServer, tenant: str) -> None:
        self.server = server
        self.tenant = tenant
        self.name = f"footnotary-{sha256_hex(tenant)[:20]}"

    def collection(self, project: str) -> str:
        return f"{self.name}-{sha256_hex(project)[:20]}"

    def opened(self, wanted: Manifest | None, *, make: bool) -> Manifest:
        """The manifest it was built with; created with `wanted` if there is none and `make` is true."""
        try:
            found = self.server.read(self.name, [_MANIFEST_POINT_ID])
        except CollectionNotFound:
            found = []
        path = Path(f"{self.server.url}/{self.name}")
        if found:
            built = Manifest.from_entries(found[0].payload, path)
            require_matching_manifest(path, built, wanted or Manifest(built.embedder, built.dimensions))
            return built
        if not make or wanted is None:
            raise UsageError(f"tenant {self.tenant!r} has no store at {self.server.url}", hint="ingest documents first")
        self.server.create(self.name, RECORD_FIELDS)
        manifest = QdrantPoint(_MANIFEST_POINT_ID, {"kind": "manifest", **wanted.entries()})
        self.server.put_if_unchanged(self.name, manifest, PointFilter({"kind": ("none",)}))
        return self.opened(wanted, make=False)  # another machine may have created it first

    def replace(self, point: QdrantPoint, where: PointFilter) -> bool:
        """Writes a point with a new `revision` unless one with its id exists that does not match `where`.

        Returns whether it was written; raises `BackendError` if that is not known.
        """
        failure: BackendError | None = None
        try:
            self.server.put_if_unchanged(self.name, point, where)
        except BackendError as error:  # it may have been applied anyway
            failure = error
        now = self.server.read(self.name, [point.id], ["revision"])
        if now and now[0].payload["revision"] == point.payload["revision"]:
            return True
        if failure is not None:
            raise failure
        return False

    # -- records -------------------------------------------------------------------------------------------------

    def projects(self) -> list[str]:
        return self.server.distinct(self.name, "project", PointFilter({"kind": ("document",), "live": ("yes",)}))

    def record(self, project: str, document_id: str) -> QdrantDocumentRecord | None:
        found = self.server.read(self.name, [record_point_id(project, document_id)])
        return QdrantDocumentRecord.from_payload(found[0].payload, document_id) if found else None

    def records(self, project: str, says: Sequence[str] = ()) -> list[QdrantDocumentRecord]:
        """The records of the current documents, or only of those whose validity is known (`says`)."""
        among = {"kind": ("document",), "project": (project,), "live": ("yes",), **({"says": says} if says else {})}
        return [
            QdrantDocumentRecord.from_payload(one.payload) for one in self.server.scan(self.name, PointFilter(among))
        ]

    def required(self, project: str, document_id: str) -> QdrantDocumentRecord:
        record = self.record(project, document_id)
        if record is None or not record.live:
            if not self.generation(project):
                raise UnknownProject(f"there is no project {project!r}", hint="ingest documents into it first")
            raise UsageError(
                f"there is no document {document_id!r} in project {project!r}", hint="it may have been deleted"
            )
        return record

    def generation(self, project: str) -> int:
        where = PointFilter({"kind": ("document",), "project": (project,)})
        return self.server.highest(self.name, "change", where)

    def digest(self, project: str) -> str:
        records = sorted(self.records(project), key=lambda record: (record.id, record.sha256, record.digest))
        lines = [f"{record.id}\t{record.sha256}\t{record.digest}\n" for record in records]
        said = [
            (record.id, validity_json(record_validity(record)))
            for record in records
            if record_validity(record).is_specified
        ]
        return sha256_hex("".join((*lines, *(f"{id_}\t{validity}\n" for id_, validity in sorted(said)))))

    def body(self, record: QdrantDocumentRecord) -> DocumentBody:
        among = {
            "kind": ("body",),
            "project": (record.project,),
            "document": (record.id,),
            "version": (record.version,),
        }
        return DocumentBody.from_payloads([one.payload for one in self.server.scan(self.name, PointFilter(among))])

    def former_chunks(self, project: str, cited: SemanticId) -> Sequence[FormerChunk]:
        found: list[tuple[int, SemanticId, FormerChunk]] = []
        for name in ("id", "aliases"):
            where = PointFilter({"kind": ("former",), "project": (project,), name: (cited,)})
            for one in self.server.scan(self.name, where):
                record = self.record(project, one.payload["document"])
                past = {} if record is None else {past.version: past for past in record.past}
                if record is not None and (kept := past.get(one.payload["version"])) is not None:
                    former = FormerChunk(chunk_from_payload(one.payload), record.former(kept))
                    found.append((-kept.retired, former.chunk.id, former))
            if found:
                break
        return [former for *_, former in sorted(found, key=lambda one: one[:2])]

    # -- passages ------------------------------------------------------------------------------------------------

    def live(self, project: str, found: Sequence[FoundPoint]) -> list[FoundPoint]:
        """The passages whose version is the one their document's record names."""
        if not found:
            return []
        ids = {one.payload["document"] for one in found}
        records = self.server.read(self.name, [record_point_id(project, id_) for id_ in ids], ["id", "version", "live"])
        versions = {one.payload.get("id"): one.payload["version"] for one in records if one.payload["live"] == "yes"}
        return [one for one in found if versions.get(one.payload["document"]) == one.payload["version"]]

    def named(self, project: str, name: str, ids: Sequence[str], fields: Sequence[str]) -> list[FoundPoint]:
        """The passages whose field `name` has one of these values."""
        distinct = list(dict.fromkeys(ids))
        found: list[FoundPoint] = []
        for i in range(0, len(distinct), _IDS_PER_REQUEST):
            found += self.matching(project, PointFilter({name: distinct[i : i + _IDS_PER_REQUEST]}), fields)
        return found

    def matching(self, project: str, where: PointFilter, fields: Sequence[str]) -> list[FoundPoint]:
        try:
            found = list(self.server.scan(self.collection(project), where, fields))
        except CollectionNotFound:
            return []
        return self.live(project, found)

    def chunks(self, project: str, ids: Sequence[SemanticId]) -> Sequence[Chunk]:
        named = {one.payload["id"]: one for one in self.named(project, "id", ids, PASSAGE_FIELDS)}
        unnamed = [asked for asked in ids if asked not in named]
        aliased = self.named(project, "aliases", unnamed, PASSAGE_FIELDS) if unnamed else []
        # If several chunks share an alias, the first in order of id wins: the last one here.
        for one in sorted(aliased, key=lambda one: one.payload["id"], reverse=True):
            named |= {alias: one for alias in one.payload["aliases"] if alias in unnamed}
        return [chunk_from_payload(named[asked].payload) for asked in ids if asked in named]

    def passages(self, project: str, document_id: str, fields: Sequence[str]) -> list[Mapping[str, Any]]:
        return [one.payload for one in self.matching(project, PointFilter({"document": (document_id,)}), fields)]

    def with_vectors(self, record: QdrantDocumentRecord) -> list[FoundPoint]:
        """A document's passages as they were put, in reading order."""
        where = PointFilter({"document": (record.id,), "version": (record.version,)})
        found = list(self.server.scan(self.collection(record.project), where, PASSAGE_FIELDS, vectors=True))
        return sorted(found, key=lambda one: (one.payload["start"], one.payload["id"]))

    def holding(self, project: str, dimensions: Sequence[int]) -> tuple[int, dict[int, int]]:
        """The number of passages, and how many of them contain each of these words: the same on every node.

        Passages of an unfinished change count as well; records are not checked.
        """
        if not dimensions:
            return 0, {}
        wheres = [PointFilter(), *(PointFilter({"words": (dimension,)}) for dimension in dimensions)]
        try:
            passages, *holding = self.server.counts(self.collection(project), wheres)
        except CollectionNotFound:
            return 0, dict.fromkeys(dimensions, 0)
        return passages, dict(zip(dimensions, holding, strict=True))

    def works(self, project: str) -> list[str]:
        try:
            return self.server.distinct(self.collection(project), "f_work", PointFilter())
        except CollectionNotFound:
            return []
