"""A store in dictionaries: as right as the real one, as slow as it is simple."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import SemanticId
from footnotary.domain.layout import Layout
from footnotary.domain.query import Filters, Reference
from footnotary.errors import UnknownProject, UsageError
from footnotary.index.admission import require_storable, unit
from footnotary.index.matching import clause_first, facets, fold, passes, provision, wanted
from footnotary.index.searched import searched_terms
from footnotary.ports import PutResult, Scored, StoredDocument, Vector, Vectors
from footnotary.text.tokens import content_terms

_K1, _B, _WORK_BOOST = 1.2, 0.75, 0.5


@dataclass(frozen=True, slots=True)
class _Held:
    document: Document
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    code: str


class DictStore:
    """Keeps nothing when the process ends. Not for threads."""

    def __init__(self, dimensions: int = 64) -> None:
        self._dimensions = dimensions
        self._projects: dict[str, dict[str, _Held]] = {}

    def projects(self) -> Sequence[str]:
        return sorted(name for name, held in self._projects.items() if held)

    def documents(self, project: str) -> Sequence[StoredDocument]:
        return [
            StoredDocument(
                id=id_,
                sha256=held.document.source.sha256,
                path=held.document.source.path,
                title=held.document.source.title,
                code=held.code,
                chunks=len(held.chunks),
                media_type=held.document.source.media_type,
            )
            for id_, held in sorted(self._projects.get(project, {}).items())
        ]

    def put(self, project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, code: str) -> PutResult:
        require_storable(project, document, chunks, vectors, self._dimensions)
        for id_, owner in sorted(self.owners(project, [chunk.id for chunk in chunks]).items()):
            if owner != document.id:
                raise UsageError(
                    f"{id_!r} of document {document.id!r} is already an id of document {owner!r}",
                    hint="give one of the two another code",
                )
        documents = self._projects.setdefault(project, {})
        result: PutResult = "replaced" if document.id in documents else "added"
        documents[document.id] = _Held(document, tuple(chunks), vectors.copy(), code)
        return result

    def delete(self, project: str, document_id: str) -> bool:
        return self._projects.get(project, {}).pop(document_id, None) is not None

    def owners(self, project: str, ids: Sequence[SemanticId]) -> dict[SemanticId, str]:
        held = {chunk.id: chunk.document_id for chunk in self._chunks(project)}
        return {id_: held[id_] for id_ in ids if id_ in held}

    def lexical(self, project: str, terms: Sequence[str], k: int, filters: Filters) -> Sequence[Scored]:
        chunks = self._chunks(project)
        totals = dict.fromkeys((chunk.id for chunk in chunks), 0.0)
        for boost, texts in (
            (1.0, [searched_terms(chunk.text, _title(chunk), facets(chunk)["section"]) for chunk in chunks]),
            (_WORK_BOOST, [content_terms(f"{c.labels.act or ''} {c.labels.code or ''}") for c in chunks]),
        ):
            for chunk, score in zip(chunks, _bm25(texts, terms), strict=True):
                totals[chunk.id] += boost * score
        allowed = {chunk.id for chunk in self._filtered(project, filters)}
        return _ranked({id_: score for id_, score in totals.items() if score > 0 and id_ in allowed}, k)

    def dense(self, project: str, vector: Vector, k: int, filters: Filters) -> Sequence[Scored]:
        question = unit(vector, self._dimensions)
        allowed = {chunk.id for chunk in self._filtered(project, filters)}
        scores: dict[SemanticId, float] = {}
        for held in self._projects.get(project, {}).values():
            for chunk, row in zip(held.chunks, held.vectors, strict=True):
                if chunk.id in allowed:
                    scores[chunk.id] = round(float(row @ question / np.linalg.norm(row)), 6)
        return _ranked(scores, k)

    def lookup(self, project: str, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        chunks = self._chunks(project)
        asked = provision(reference, filters, {facets(chunk)["work"] for chunk in chunks})
        found = [] if asked is None else [chunk for chunk in chunks if passes(facets(chunk), asked)]
        found.sort(
            key=lambda chunk: (
                clause_first(reference.clause, chunk.text),
                fold(chunk.document_id),
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

    def _chunks(self, project: str) -> list[Chunk]:
        return [chunk for held in self._projects.get(project, {}).values() for chunk in held.chunks]

    def _filtered(self, project: str, filters: Filters) -> list[Chunk]:
        chunks = self._chunks(project)
        asked = wanted(filters, {facets(chunk)["work"] for chunk in chunks})
        return [chunk for chunk in chunks if passes(facets(chunk), asked)]


def _title(chunk: Chunk) -> str:
    return chunk.labels.title or (chunk.section[-1] if chunk.section else "")


def _bm25(texts: Sequence[Sequence[str]], terms: Sequence[str]) -> list[float]:
    """The BM25 score of each text, given as its terms."""
    counts = [Counter(text) for text in texts]
    mean = sum(c.total() for c in counts) / max(len(counts), 1) or 1.0
    scores = [0.0] * len(texts)
    for term in terms:
        frequency = sum(term in c for c in counts)
        idf = math.log(1 + (len(texts) - frequency + 0.5) / (frequency + 0.5))
        for i, c in enumerate(counts):
            if c[term]:
                scores[i] += idf * c[term] * (_K1 + 1) / (c[term] + _K1 * (1 - _B + _B * c.total() / mean))
    return scores


def _ranked(scores: dict[SemanticId, float], k: int) -> list[Scored]:
    hits = [Scored(id_, round(score, 6)) for id_, score in scores.items()]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))[: max(k, 0)]
