"""Where documents are kept and found again: the edge to a database."""

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
from footnotary.domain.validity import NOTHING_SAID, Validity
from footnotary.ports.models import Vector, Vectors


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk's id and the raw score its index gave it; scores compare only within one list."""

    id: SemanticId
    score: float


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as the store knows it. `code` is what its ids start with, kept when it is replaced.

    `stored_at` is when this version of it came in, in UTC; None where a store has not kept that.
    """

    id: str
    sha256: str
    path: str
    title: str
    code: str
    chunks: int
    media_type: str
    validity: Validity = NOTHING_SAID
    stored_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FormerVersion:
    """A version of a document that is there no more: replaced by the one with hash `successor`, or, if None, deleted.

    `document.chunks` counts those of its passages that are kept.
    """

    document: StoredDocument
    retired_at: datetime
    successor: str | None


@dataclass(frozen=True, slots=True)
class FormerChunk:
    """A passage as it stood in a former version: it can be read, and nothing finds it."""

    chunk: Chunk
    version: FormerVersion


PutResult: TypeAlias = Literal["added", "replaced"]


class Store(Protocol):
    """Keeps documents and chunks of one tenant's projects, and finds them again.

    Writes are atomic per document: after `put` or `delete` returns, the change survives a crash and every
    search sees it; if it raises, nothing changed. A reader sees another process's committed writes at its
    next call. Lists are best first, equal scores in order of semantic id, so that runs repeat.
    """

    def projects(self) -> Sequence[str]: ...

    def documents(self, project: str) -> Sequence[StoredDocument]:
        """In order of id; empty for a project that is not there."""
        ...

    def put(self, project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, code: str) -> PutResult:
        """Stores a document with its chunks and vectors in place of any earlier version of it.

        What it replaces is kept as a former version, so that old citations can be read. A version of the same hash
        leaves only those passages behind that the new one does not have. Creates the project if need be.

        Raises `UsageError` if an id belongs to another document of the project, `BackendError` if the vectors do not
        fit.
        """
        ...

    def delete(self, project: str, document_id: str, *, keep_history: bool = False) -> bool:
        """Whether there was anything to delete. After it returns, nothing finds the document again.

        Its former versions go as well, also where the document itself is gone already; with `keep_history` they stay,
        and the deleted version becomes the last of them.
        """
        ...

    def set_validity(self, project: str, document_id: str, validity: Validity) -> bool:
        """Says anew when a document holds and what it supersedes; whether there was such a document."""
        ...

    def validities(self, project: str) -> Mapping[str, Validity]:
        """By id, the documents of which something is said; empty for a project that is not there."""
        ...

    def former_versions(self, project: str, document_id: str) -> Sequence[FormerVersion]:
        """What is kept of a document's past, the latest first."""
        ...

    def former_chunks(self, project: str, cited: SemanticId) -> Sequence[FormerChunk]:
        """The passages of former versions that had this id, or else this alias, the latest first."""
        ...

    def owners(self, project: str, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        """The document that holds each of these ids, where one does."""
        ...

    def lexical(self, project: str, terms: Sequence[str], k: int, filters: Filters) -> Sequence[Scored]:
        """At most `k` chunks by BM25 over `terms`, within the filters."""
        ...

    def dense(self, project: str, vector: Vector, k: int, filters: Filters) -> Sequence[Scored]:
        """At most `k` chunks by cosine similarity to `vector`, within the filters."""
        ...

    def lookup(self, project: str, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        """The chunks of exactly the provision named, in reading order; section 42 is not 420."""
        ...

    def chunks(self, project: str, ids: Sequence[SemanticId]) -> Sequence[Chunk]:
        """The chunks with these ids or aliases, in the order asked; those that are not there are left out."""
        ...

    def document_sha256(self, project: str, document_id: str) -> tuple[str, str]:
        """The hash of the original file and its path, for citations."""
        ...

    def layout(self, project: str, document_id: str) -> Layout | None:
        """Where the document's words stand on its pages; None where the original has none.

        Raises like `document_sha256` for a document that is not there.
        """
        ...

    def close(self) -> None: ...


@runtime_checkable
class AskedBothWays(Protocol):
    """A store that gives both lists of a question sooner than one after the other: in one trip, or at the same time."""

    def lexical_and_dense(
        self, project: str, terms: Sequence[str], vector: Vector, k: int, filters: Filters
    ) -> tuple[Sequence[Scored], Sequence[Scored]]:
        """What `lexical` and `dense` of the same store give."""
        ...


class BuiltFor(Protocol):
    """The embedder whose vectors a store holds."""

    @property
    def embedder(self) -> str: ...

    @property
    def dimensions(self) -> int: ...


class ServedStore(Store, Protocol):
    """A store as commands and the service run on it: it can also say what state it is in."""

    @property
    def manifest(self) -> BuiltFor:
        """What it was built for, and cannot be changed."""
        ...

    def passage_ids(self, project: str, document_id: str) -> Sequence[SemanticId]:
        """The ids of a document's chunks in reading order; empty where there is no such document."""
        ...

    def document_text(self, project: str, document_id: str) -> str:
        """The cleaned text that the chunks' spans point into. Raises like `document_sha256`."""
        ...

    def stored(self, project: str, document_id: str) -> tuple[Document, Sequence[Chunk], Vectors, str]:
        """A document as it can be put into another store: itself, its chunks in reading order, vectors of length one
        and its code. Raises like `document_sha256`."""
        ...

    def generation(self, project: str) -> int:
        """A number that grows with every change of the project; 0 if it never was there."""
        ...

    def index_digest(self, project: str) -> str:
        """A digest of all that can be found and cited, and of when it holds: the same in every store."""
        ...

    def delete_project(self, project: str) -> int:
        """Deletes everything in a project, with all history; how many documents that were, former ones too."""
        ...

    def check(self, deep: bool = False) -> list[str]:
        """What is wrong, in words; empty if nothing is. `deep` reads every passage."""
        ...
