"""A store in dictionaries: correct like the real ones, simple and slow."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import SemanticId
from footnotary.domain.layout import Layout
from footnotary.domain.query import Filters, Reference
from footnotary.domain.validity import Validity
from footnotary.errors import UnknownProject, UsageError
from footnotary.index.indexed_terms import indexed_terms
from footnotary.index.label_matching import (
    allowed_facet_keys,
    clause_sort_key,
    excluded_document_keys,
    facet_keys,
    fold_label,
    matches_facets,
    provision_facet_keys,
)
from footnotary.index.validation import unit_vector, validate_document
from footnotary.ports import FormerChunk, FormerVersion, PutResult, ScoredId, StoredDocument, Vector, Vectors
from footnotary.text.bm25 import bm25_scores
from footnotary.text.tokens import content_terms

_WORK_BOOST = 0.5


@dataclass(frozen=True, slots=True)
class _StoredEntry:
    document: Document
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    code: str
    stored_at: datetime

    @property
    def listed(self) -> StoredDocument:
        source = self.document.source
        return StoredDocument(
            id=self.document.id,
            sha256=source.sha256,
            path=source.path,
            title=source.title,
            code=self.code,
            chunks=len(self.chunks),
            media_type=source.media_type,
            validity=self.document.validity,
            stored_at=self.stored_at,
        )


@dataclass(frozen=True, slots=True)
class _FormerEntry:
    version: FormerVersion
    chunks: tuple[Chunk, ...]


def _now() -> datetime:
    return datetime.now(UTC)


class DictStore:
    """In memory only. Not thread-safe."""

    def __init__(self, dimensions: int = 64, now: Callable[[], datetime] = _now) -> None:
        self._dimensions = dimensions
        self._now = now
        self._projects: dict[str, dict[str, _StoredEntry]] = {}
        self._former: dict[str, list[_FormerEntry]] = {}

    def projects(self) -> Sequence[str]:
        return sorted(name for name, held in self._projects.items() if held)

    def documents(self, project: str) -> Sequence[StoredDocument]:
        return [held.listed for _, held in sorted(self._projects.get(project, {}).items())]

    def put(self, project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, code: str) -> PutResult:
        validate_document(project, document, chunks, vectors, self._dimensions)
        for id_, owner in sorted(self.owners(project, [chunk.id for chunk in chunks]).items()):
            if owner != document.id:
                raise UsageError(
                    f"{id_!r} of document {document.id!r} is already an id of document {owner!r}",
                    hint="give one of the two documents another code",
                )
        documents = self._projects.setdefault(project, {})
        earlier = documents.get(document.id)
        if earlier is not None:
            same_file = earlier.document.source.sha256 == document.source.sha256
            still = {(chunk.id, chunk.digest) for chunk in chunks} if same_file else set[tuple[str, str]]()
            gone = tuple(chunk for chunk in earlier.chunks if (chunk.id, chunk.digest) not in still)
            if gone or not same_file:
                self._retire(project, earlier, gone, document.source.sha256)
        documents[document.id] = _StoredEntry(document, tuple(chunks), vectors.copy(), code, self._now())
        return "added" if earlier is None else "replaced"

    def delete(self, project: str, document_id: str, *, keep_history: bool = False) -> bool:
        held = self._projects.get(project, {}).pop(document_id, None)
        if keep_history:
            if held is not None:
                self._retire(project, held, held.chunks, None)
            return held is not None
        former = self._former.get(project, [])
        self._former[project] = [one for one in former if one.version.document.id != document_id]
        return held is not None or len(self._former[project]) < len(former)

    def set_validity(self, project: str, document_id: str, validity: Validity) -> bool:
        held = self._projects.get(project, {}).get(document_id)
        if held is None:
            return False
        self._projects[project][document_id] = replace(held, document=replace(held.document, validity=validity))
        return True

    def validities(self, project: str) -> Mapping[str, Validity]:
        said = {id_: held.document.validity for id_, held in self._projects.get(project, {}).items()}
        return {id_: validity for id_, validity in said.items() if validity.is_specified}

    def former_versions(self, project: str, document_id: str) -> Sequence[FormerVersion]:
        versions = [former.version for former in reversed(self._former.get(project, []))]
        return [version for version in versions if version.document.id == document_id]

    def former_chunks(self, project: str, cited: SemanticId) -> Sequence[FormerChunk]:
        former = reversed(self._former.get(project, []))
        every = [FormerChunk(chunk, one.version) for one in former for chunk in one.chunks]
        return [one for one in every if one.chunk.id == cited] or [one for one in every if cited in one.chunk.aliases]

    def owners(self, project: str, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        held = {chunk.id: chunk.document_id for chunk in self._chunks(project)}
        return {id_: held[id_] for id_ in ids if id_ in held}

    def lexical(self, project: str, terms: Sequence[str], k: int, filters: Filters) -> Sequence[ScoredId]:
        chunks = self._chunks(project)
        totals = dict.fromkeys((chunk.id for chunk in chunks), 0.0)
        for boost, texts in (
            (1.0, [indexed_terms(chunk.text, _title(chunk), facet_keys(chunk)["section"]) for chunk in chunks]),
            (_WORK_BOOST, [content_terms(f"{c.labels.act or ''} {c.labels.code or ''}") for c in chunks]),
        ):
            for chunk, score in zip(chunks, bm25_scores(texts, terms), strict=True):
                totals[chunk.id] += boost * score
        allowed = {chunk.id for chunk in self._filtered(project, filters)}
        return _ranked({id_: score for id_, score in totals.items() if score > 0 and id_ in allowed}, k)

    def dense(self, project: str, vector: Vector, k: int, filters: Filters) -> Sequence[ScoredId]:
        question = unit_vector(vector, self._dimensions)
        allowed = {chunk.id for chunk in self._filtered(project, filters)}
        scores: dict[SemanticId, float] = {}
        for held in self._projects.get(project, {}).values():
            for chunk, row in zip(held.chunks, held.vectors, strict=True):
                if chunk.id in allowed:
                    scores[chunk.id] = round(float(row @ question / np.linalg.norm(row)), 6)
        return _ranked(scores, k)

    def lookup(self, project: str, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        chunks = self._chunks(project)
        asked = provision_facet_keys(reference, filters, {facet_keys(chunk)["work"] for chunk in chunks})
        without = excluded_document_keys(filters)
        found = (
            [] if asked is None else [chunk for chunk in chunks if matches_facets(facet_keys(chunk), asked, without)]
        )
        found.sort(
            key=lambda chunk: (
                clause_sort_key(reference.clause, chunk.text),
                fold_label(chunk.document_id),
                chunk.span.start,
                chunk.id,
            )
        )
        return [chunk.id for chunk in found]

    def chunks(self, project: str, ids: Sequence[SemanticId]) -> Sequence[Chunk]:
        ordered = sorted(self._chunks(project), key=lambda chunk: chunk.id, reverse=True)
        named = {alias: chunk for chunk in ordered for alias in chunk.aliases}
        named |= {chunk.id: chunk for chunk in ordered}
        return [named[id_] for id_ in ids if id_ in named]

    def document_sha256(self, project: str, document_id: str) -> tuple[str, str]:
        if project not in self._projects:
            raise UnknownProject(f"there is no project {project!r}", hint="ingest documents into it first")
        if document_id not in self._projects[project]:
            raise UsageError(f"there is no document {document_id!r}", hint="it may have been deleted")
        source = self._projects[project][document_id].document.source
        return source.sha256, source.path

    def layout(self, project: str, document_id: str) -> Layout | None:
        self.document_sha256(project, document_id)
        return self._projects[project][document_id].document.layout

    def close(self) -> None:
        self._projects.clear()
        self._former.clear()

    def _chunks(self, project: str) -> list[Chunk]:
        return [chunk for held in self._projects.get(project, {}).values() for chunk in held.chunks]

    def _filtered(self, project: str, filters: Filters) -> list[Chunk]:
        chunks = self._chunks(project)
        asked = allowed_facet_keys(filters, {facet_keys(chunk)["work"] for chunk in chunks})
        without = excluded_document_keys(filters)
        return [chunk for chunk in chunks if matches_facets(facet_keys(chunk), asked, without)]

    def _retire(self, project: str, held: _StoredEntry, chunks: tuple[Chunk, ...], successor: str | None) -> None:
        listed = replace(held.listed, chunks=len(chunks))
        kept = tuple(replace(chunk, aliases=tuple(sorted(chunk.aliases))) for chunk in chunks)
        former = _FormerEntry(FormerVersion(listed, self._now(), successor), kept)
        self._former.setdefault(project, []).append(former)


def _title(chunk: Chunk) -> str:
    return chunk.labels.title or (chunk.section[-1] if chunk.section else "")


def _ranked(scores: dict[SemanticId, float], k: int) -> list[ScoredId]:
    hits = [ScoredId(id_, round(score, 6)) for id_, score in scores.items()]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[: max(k, 0)]
