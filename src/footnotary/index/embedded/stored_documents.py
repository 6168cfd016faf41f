"""Reading stored documents from the catalog by project name: lists, texts, passages, validity and former versions."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import SemanticId, sha256_hex
from footnotary.domain.layout import Layout
from footnotary.domain.validity import Validity
from footnotary.errors import StoreLocked, UnknownProject, UsageError
from footnotary.index.sqlite.catalog_reader import CatalogReader
from footnotary.index.sqlite.changes import Revision
from footnotary.index.sqlite.row_serialization import validity_json
from footnotary.index.validation import unit_vectors
from footnotary.ports import FormerChunk, FormerVersion, StoredDocument, Vectors

_REVISION_CACHE_SIZE = 64


class StoredDocumentReader:
    """The part of a store that only reads. Projects that do not exist are empty unless a method says otherwise."""

    def __init__(self, catalog: CatalogReader, dimensions: int) -> None:
        self._catalog = catalog
        self._dimensions = dimensions
        self._said = lru_cache(_REVISION_CACHE_SIZE)(self._said_at)

    def projects(self) -> Sequence[str]:
        return self._catalog.projects()

    def documents(self, project: str) -> Sequence[StoredDocument]:
        found = self._catalog.find(project)
        return () if found is None else self._catalog.documents(found[0])

    def owners(self, project: str, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        found = self._catalog.find(project)
        return {} if found is None else self._catalog.owners(found[0], ids)

    def chunks(self, project: str, ids: Sequence[SemanticId]) -> Sequence[Chunk]:
        found = self._catalog.find(project)
        if found is None:
            return ()
        by_id = self._catalog.chunks(found[0], ids)
        return [by_id[asked] for asked in ids if asked in by_id]

    def passage_ids(self, project: str, document_id: str) -> Sequence[SemanticId]:
        """The ids of a document's chunks in reading order; empty if there is no such document."""
        found = self._catalog.find(project)
        return () if found is None else self._catalog.ids_of(found[0], document_id)

    def validities(self, project: str) -> Mapping[str, Validity]:
        found = self._catalog.find(project)
        return {} if found is None else self._said(*found)

    def former_versions(self, project: str, document_id: str) -> Sequence[FormerVersion]:
        found = self._catalog.find(project)
        return () if found is None else self._catalog.former_versions(found[0], document_id)

    def former_chunks(self, project: str, cited: SemanticId) -> Sequence[FormerChunk]:
        found = self._catalog.find(project)
        return () if found is None else self._catalog.former_chunks(found[0], cited)

    def document_sha256(self, project: str, document_id: str) -> tuple[str, str]:
        _, sha256, path = self._document(project, document_id)
        return sha256, path

    def document_text(self, project: str, document_id: str) -> str:
        """The cleaned text that the chunks' spans point into."""
        return self._document(project, document_id)[0]

    def layout(self, project: str, document_id: str) -> Layout | None:
        self._document(project, document_id)
        found = self._catalog.find(project)
        return None if found is None else self._catalog.layout(found[0], document_id)

    def stored(self, project: str, document_id: str) -> tuple[Document, Sequence[Chunk], Vectors, str]:
        """Everything needed to put a document into another store: the document, its chunks in reading order, unit
        vectors and its code."""
        self._document(project, document_id)
        found = self._catalog.find(project)
        whole = None if found is None else self._catalog.whole(found[0], document_id)
        if whole is None:
            raise UsageError(f"document {document_id!r} has just been deleted", hint="list the documents again")
        document, code, rows = whole
        chunks = self.chunks(project, [id_ for id_, _ in rows])
        vectors = np.frombuffer(b"".join(vector for _, vector in rows), "<f4").reshape(len(rows), self._dimensions)
        if len(chunks) != len(rows):
            raise StoreLocked(f"document {document_id!r} changed meanwhile", hint="try again", retryable=True)
        return document, chunks, unit_vectors(vectors), code

    def generation(self, project: str) -> int:
        """The number of changes to the project so far; 0 if it does not exist."""
        found = self._catalog.find(project)
        return 0 if found is None else found[1].generation

    def index_digest(self, project: str) -> str:
        """A digest of everything searchable and citable, with validity: the same documents give the same digest."""
        found = self._catalog.find(project)
        rows = [] if found is None else self._catalog.digests(found[0])
        said = sorted((id_, validity_json(validity)) for id_, validity in self.validities(project).items())
        lines = [f"{id_}\t{sha256}\t{digest}\n" for id_, sha256, digest in rows]
        return sha256_hex("".join((*lines, *(f"{id_}\t{validity}\n" for id_, validity in said))))

    def _said_at(self, number: int, revision: Revision) -> Mapping[str, Validity]:  # noqa: ARG002 (part of the cache key)
        return self._catalog.validities(number)

    def _document(self, project: str, document_id: str) -> tuple[str, str, str]:
        found = self._catalog.find(project)
        if found is None:
            raise UnknownProject(f"there is no project {project!r}", hint="ingest documents into it first")
        document = self._catalog.document(found[0], document_id)
        if document is None:
            raise UsageError(
                f"there is no document {document_id!r} in project {project!r}", hint="it may have been deleted"
            )
        return document
