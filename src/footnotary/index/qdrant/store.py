"""A store on a Qdrant server or cluster, for collections too large for one machine.

Each tenant has a *catalog*, a collection of records without vectors, and for each project a collection of passages
with a dense and a sparse vector (`catalog`). Writing the record of a document commits a change of it
(`changes`); search results are checked against the records before they are returned (`search`).

One process at a time writes for a tenant: a lock in the tenant's folder excludes other processes of the machine, and a
lease on the server other machines (`writer_lease`). They wait, and raise `StoreLocked` if it takes too long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import SemanticId
from footnotary.domain.layout import Layout
from footnotary.domain.query import Filters, Reference
from footnotary.domain.validity import Validity
from footnotary.errors import UsageError
from footnotary.index.manifest import Manifest
from footnotary.index.qdrant.catalog import VERSION_FIELDS, QdrantCatalog
from footnotary.index.qdrant.changes import QdrantChanges
from footnotary.index.qdrant.document_records import record_validity
from footnotary.index.qdrant.integrity_check import find_problems
from footnotary.index.qdrant.passage_points import chunk_from_payload
from footnotary.index.qdrant.reindex import ReindexProgress, ReindexResult, reindex
from footnotary.index.qdrant.search import DenseQuery, LexicalQuery, lookup_provision, search_passages
from footnotary.index.qdrant.server import QdrantServer
from footnotary.index.validation import unit_vector, validate_document
from footnotary.ports import FormerChunk, FormerVersion, PutResult, ScoredId, StoredDocument, Vector, Vectors


class QdrantStore:
    """A `Store` on a server; threads may share it, and so may processes.

    `folder` is the tenant's folder on this machine, for the writer lock. No documents are stored there.
    """

    def __init__(
        self,
        server: QdrantServer,
        tenant: str,
        folder: Path,
        manifest: Manifest | None,
        *,
        read_only: bool = False,
    ) -> None:
        """`manifest` is the expected one; None accepts the one it was built with. Raises if they do not match."""
        self.folder = folder
        self._server = server
        self._catalog = QdrantCatalog(server, tenant)
        self._read_only = read_only
        self._said: dict[str, tuple[int, Mapping[str, Validity]]] = {}
        self.manifest = self._catalog.opened(manifest, make=not read_only)
        self._writer = QdrantChanges(self._catalog, folder, self.manifest.dimensions)

    def close(self) -> None:
        self._server.close()

    # -- reading -------------------------------------------------------------------------------------------------

    def projects(self) -> Sequence[str]:
        return self._catalog.projects()

    def documents(self, project: str) -> Sequence[StoredDocument]:
        return sorted((record.listed for record in self._catalog.records(project)), key=lambda document: document.id)

    def owners(self, project: str, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        found = self._catalog.named(project, "id", ids, VERSION_FIELDS)
        return {one.payload["id"]: one.payload["document"] for one in found}

    def chunks(self, project: str, ids: Sequence[SemanticId]) -> Sequence[Chunk]:
        return self._catalog.chunks(project, ids)

    def passage_ids(self, project: str, document_id: str) -> Sequence[SemanticId]:
        """The ids of a document's chunks in reading order; empty if there is no such document."""
        found = self._catalog.passages(project, document_id, (*VERSION_FIELDS, "start"))
        return [one["id"] for one in sorted(found, key=lambda one: (one["start"], one["id"]))]

    def validities(self, project: str) -> Mapping[str, Validity]:
        change = self.generation(project)
        held = self._said.get(project)
        if held is None or held[0] != change:
            records = self._catalog.records(project, says=("yes",))
            held = self._said[project] = change, {record.id: record_validity(record) for record in records}
        return held[1]

    def former_versions(self, project: str, document_id: str) -> Sequence[FormerVersion]:
        record = self._catalog.record(project, document_id)
        return () if record is None else [record.former(past) for past in record.past]

    def former_chunks(self, project: str, cited: SemanticId) -> Sequence[FormerChunk]:
        return self._catalog.former_chunks(project, cited)

    def document_sha256(self, project: str, document_id: str) -> tuple[str, str]:
        record = self._catalog.required(project, document_id)
        return record.sha256, record.path

    def document_text(self, project: str, document_id: str) -> str:
        """The cleaned text that the chunks' spans point into."""
        return self._catalog.body(self._catalog.required(project, document_id)).text

    def layout(self, project: str, document_id: str) -> Layout | None:
        return self._catalog.body(self._catalog.required(project, document_id)).layout

    def stored(self, project: str, document_id: str) -> tuple[Document, Sequence[Chunk], Vectors, str]:
        """Everything needed to put a document elsewhere: itself, its chunks in reading order, vectors and code."""
        record = self._catalog.required(project, document_id)
        found = self._catalog.with_vectors(record)
        vectors = [one.dense for one in found if one.dense is not None]
        stacked = np.stack(vectors) if vectors else np.zeros((0, self.manifest.dimensions), np.float32)
        chunks = [chunk_from_payload(one.payload) for one in found]
        return self._catalog.body(record).document(record), chunks, stacked, record.code

    def generation(self, project: str) -> int:
        """The number of changes to the project so far; 0 if it never existed."""
        return self._catalog.generation(project)

    def index_digest(self, project: str) -> str:
        """A digest of everything searchable and citable, with validity: the same documents give the same digest."""
        return self._catalog.digest(project)

    # -- changes -------------------------------------------------------------------------------------------------

    def put(self, project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, code: str) -> PutResult:
        validate_document(project, document, chunks, vectors, self.manifest.dimensions)
        return self._changes.put(project, document, chunks, vectors, code)

    def delete(self, project: str, document_id: str, *, keep_history: bool = False) -> bool:
        return self._changes.delete(project, document_id, keep_history=keep_history)

    def delete_project(self, project: str) -> int:
        """Deletes everything in a project, with all history; returns the number of documents, including former ones."""
        return self._changes.delete_project(project)

    def set_validity(self, project: str, document_id: str, validity: Validity) -> bool:
        return self._changes.set_validity(project, document_id, validity)

    def reindex(self, project: str, progress: ReindexProgress | None = None) -> ReindexResult:
        """Rebuilds the project's collection with the configured shards and replicas, while it is in use."""
        return reindex(self._catalog, self._changes, project, self.folder, self.manifest.dimensions, progress)

    # -- searches ------------------------------------------------------------------------------------------------

    def lexical(self, project: str, terms: Sequence[str], k: int, filters: Filters) -> Sequence[ScoredId]:
        return search_passages(self._catalog, project, [self._by_words(project, terms)], k, filters)[0]

    def dense(self, project: str, vector: Vector, k: int, filters: Filters) -> Sequence[ScoredId]:
        return search_passages(self._catalog, project, [self._by_meaning(vector)], k, filters)[0]

    def lexical_and_dense(
        self, project: str, terms: Sequence[str], vector: Vector, k: int, filters: Filters
    ) -> tuple[Sequence[ScoredId], Sequence[ScoredId]]:
        """The results of `lexical` and `dense`, in one request to the server."""
        ways = (self._by_words(project, terms), self._by_meaning(vector))
        by_words, by_meaning = search_passages(self._catalog, project, ways, k, filters)
        return by_words, by_meaning

    def lookup(self, project: str, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        return lookup_provision(self._catalog, project, reference, filters)

    # -- checks --------------------------------------------------------------------------------------------------

    def check(self, deep: bool = False) -> list[str]:
        """The problems found, as text; empty if there are none. `deep` reads every passage."""
        return find_problems(self._catalog, deep=deep)

    def _by_words(self, project: str, terms: Sequence[str]) -> LexicalQuery:
        return LexicalQuery.of(self._catalog, project, terms)

    def _by_meaning(self, vector: Vector) -> DenseQuery:
        return DenseQuery(unit_vector(vector, self.manifest.dimensions))

    @property
    def _changes(self) -> QdrantChanges:
        if self._read_only:
            raise UsageError("the store is open for reading only", hint="open it for writing")
        return self._writer
