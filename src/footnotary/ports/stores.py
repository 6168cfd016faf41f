"""Protocols of document stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import SemanticId
from footnotary.domain.layout import Layout
from footnotary.domain.query import Filters, Reference
from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity
from footnotary.ports.models import Vector, Vectors


@dataclass(frozen=True, slots=True)
class ScoredId:
    """A chunk's id and the raw score from its index; scores are comparable only within one list."""

    id: SemanticId
    score: float


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as the store knows it. `code` is the prefix of its ids, kept when it is replaced.

    `stored_at` is when this version was ingested, in UTC; None where the store has not recorded it.
    """

    id: str
    sha256: str
    path: str
    title: str
    code: str
    chunks: int
    media_type: str
    validity: Validity = UNKNOWN_VALIDITY
    stored_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FormerVersion:
    """A former version of a document: replaced by the one with hash `successor`, or, if None, deleted.

    `document.chunks` counts the passages of it that are kept.
    """

    document: StoredDocument
    retired_at: datetime
    successor: str | None


@dataclass(frozen=True, slots=True)
class FormerChunk:
    """A passage of a former version: it can be read, but search does not return it."""

    chunk: Chunk
    version: FormerVersion


PutResult: TypeAlias = Literal["added", "replaced"]


class Store(Protocol):
    """Stores and searches the documents and chunks of one tenant's projects.

    Writes are atomic per document: after `put` or `delete` returns, the change survives a crash and every
    search sees it; if it raises, nothing changed. A reader sees another process's committed writes at its
    next call. Lists are best first, equal scores in order of semantic id, so that runs repeat.
    """

    def projects(self) -> Sequence[str]: ...

    def documents(self, project: str) -> Sequence[StoredDocument]:
        """In order of id; empty for a project that does not exist."""
        ...

    def put(self, project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, code: str) -> PutResult:
        """Stores a document with its chunks and vectors in place of any earlier version of it.

        The replaced version is kept as a former version, so that old citations can be read. Of a version with the same
        hash only those passages are kept that the new one does not have. Creates the project if needed.

        Raises `UsageError` if an id belongs to another document of the project, `BackendError` if the vectors do not
        fit.
        """
        ...

    def delete(self, project: str, document_id: str, *, keep_history: bool = False) -> bool:
        """Whether there was anything to delete. After it returns, no search finds the document.

        Its former versions are deleted as well, even if the document itself was deleted before; with `keep_history`
        they stay, and the deleted version becomes the last of them.
        """
        ...

    def set_validity(self, project: str, document_id: str, validity: Validity) -> bool:
        """Replaces a document's validity and what it supersedes; returns whether the document exists."""
        ...

    def validities(self, project: str) -> Mapping[str, Validity]:
        """By document id, where a validity is known; empty for a project that does not exist."""
        ...

    def former_versions(self, project: str, document_id: str) -> Sequence[FormerVersion]:
        """The former versions of a document that are kept, the latest first."""
        ...

    def former_chunks(self, project: str, cited: SemanticId) -> Sequence[FormerChunk]:
        """The passages of former versions with this id, or else this alias, latest first."""
        ...

    def owners(self, project: str, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        """The document that contains each of these ids, if one does."""
        ...

    def lexical(self, project: str, terms: Sequence[str], k: int, filters: Filters) -> Sequence[ScoredId]:
        """At most `k` chunks by BM25 over `terms`, within the filters."""
        ...

    def dense(self, project: str, vector: Vector, k: int, filters: Filters) -> Sequence[ScoredId]:
        """At most `k` chunks by cosine similarity to `vector`, within the filters."""
        ...

    def lookup(self, project: str, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        """The chunks of exactly the provision named, in reading order; section 42 is not 420."""
        ...

    def chunks(self, project: str, ids: Sequence[SemanticId]) -> Sequence[Chunk]:
        """The chunks with these ids or aliases, in the order requested; missing ones are left out."""
        ...

    def document_sha256(self, project: str, document_id: str) -> tuple[str, str]:
        """The hash of the original file and its path, for citations."""
        ...

    def layout(self, project: str, document_id: str) -> Layout | None:
        """The positions of the document's words on its pages; None where the original has none.

        Raises like `document_sha256` for a document that does not exist.
        """
        ...

    def close(self) -> None: ...


@runtime_checkable
class CombinedSearch(Protocol):
    """A store that runs lexical and dense search faster together: in one round trip, or in parallel."""

    def lexical_and_dense(
        self, project: str, terms: Sequence[str], vector: Vector, k: int, filters: Filters
    ) -> tuple[Sequence[ScoredId], Sequence[ScoredId]]:
        """The results of `lexical` and `dense` of the same store."""
        ...


class EmbedderIdentity(Protocol):
    """The embedder whose vectors a store holds."""

    @property
    def embedder(self) -> str: ...

    @property
    def dimensions(self) -> int: ...


@runtime_checkable
class ReadableStore(Protocol):
    """A store that gives back what was put into it."""

    def stored(self, project: str, document_id: str) -> tuple[Document, Sequence[Chunk], Vectors, str]: ...


class ManagedStore(Store, Protocol):
    """A store as commands and the service need it: it also reports its state."""

    @property
    def manifest(self) -> EmbedderIdentity:
        """The embedder it was built for; it cannot be changed."""
        ...

    def passage_ids(self, project: str, document_id: str) -> Sequence[SemanticId]:
        """The ids of a document's chunks in reading order; empty where the document does not exist."""
        ...

    def document_text(self, project: str, document_id: str) -> str:
        """The cleaned text that the chunks' spans point into. Raises like `document_sha256`."""
        ...

    def stored(self, project: str, document_id: str) -> tuple[Document, Sequence[Chunk], Vectors, str]:
        """A document as `put` of another store takes it: the document, its chunks in reading order, unit vectors and
        its code. Raises like `document_sha256`."""
        ...

    def generation(self, project: str) -> int:
        """A number that grows with every change of the project; 0 if it never existed."""
        ...

    def index_digest(self, project: str) -> str:
        """A digest of all that can be found and cited, validity included: the same in every store."""
        ...

    def delete_project(self, project: str) -> int:
        """Deletes a project with all history; returns the number of documents deleted, former ones included."""
        ...

    def check(self, deep: bool = False) -> list[str]:
        """The problems found, as text; empty if there are none. `deep` reads every passage."""
        ...
