"""Search in a tenant's passages on a Qdrant server: lexical, dense, both in one request, and by provision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Filters, Reference
from footnotary.errors import BackendError
from footnotary.index.label_matching import (
    allowed_facet_keys,
    clause_sort_key,
    excluded_document_keys,
    provision_facet_keys,
)
from footnotary.index.qdrant.catalog import VERSION_FIELDS, QdrantCatalog
from footnotary.index.qdrant.point_types import CollectionNotFound, FoundPoint, PointFilter, SparseVector
from footnotary.index.qdrant.sparse_terms import question_dimensions, question_term_weights
from footnotary.ports import ScoredId, Vector

_MAX_HITS = 65_536  # beyond this many tied scores, the server decides which are returned
_MAX_ATTEMPTS = 6
_TIE = 1e-6
_DIGITS = 5
_TIE_FACTOR = 1 - 10.0 ** (1 - _DIGITS)


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """A question's weighted terms. The first digits of a sum of products do not depend on the order of addition."""

    asked: SparseVector

    @staticmethod
    def of(catalog: QdrantCatalog, project: str, terms: Sequence[str]) -> LexicalQuery:
        """Counts the passages that contain each of the terms; all counts are requested in parallel."""
        asked = question_dimensions(terms)
        passages, holding = catalog.holding(project, sorted(asked))
        return LexicalQuery(question_term_weights(asked, passages, holding))

    def tie(self, score: float) -> float:
        return score * _TIE_FACTOR

    def said(self, score: float) -> float:
        return float(f"{score:.{_DIGITS}g}")


@dataclass(frozen=True, slots=True)
class DenseQuery:
    """A question's unit vector."""

    asked: Vector

    def tie(self, score: float) -> float:
        return score - _TIE

    def said(self, score: float) -> float:
        return round(score, 6)


PassageQuery = LexicalQuery | DenseQuery


def search_passages(
    catalog: QdrantCatalog, project: str, ways: Sequence[PassageQuery], k: int, filters: Filters
) -> list[Sequence[ScoredId]]:
    """The best `k` for each query, ties in order of id; one request for all queries, and one for the records.

    Hits that tie with the last are fetched until the tie ends, so that the selection does not depend on the server. If
    a hit's version is named by no record, the search is repeated without that version.
    """
    lists: list[Sequence[ScoredId]] = [() for _ in ways]
    keys = _without_excluded(
        allowed_facet_keys(filters, catalog.works(project) if filters.act is not None else ()), filters
    )
    if k < 1 or not all(keys.values()):
        return lists
    where, limit, dead = _point_filter(keys, filters), 2 * k, set[str]()
    open_ = [i for i, way in enumerate(ways) if not isinstance(way, LexicalQuery) or way.asked.dimensions]
    for _ in range(_MAX_ATTEMPTS):
        if not open_:
            return lists
        but = {**where.without, **({"version": sorted(dead)} if dead else {})}
        asked = [ways[i].asked for i in open_]
        try:
            found = catalog.server.nearest(
                catalog.collection(project), asked, PointFilter(where.among, but), limit, VERSION_FIELDS
            )
        except CollectionNotFound:
            return lists
        every = [one for hits in found for one in hits]
        live = catalog.live(project, every)
        if len(live) < len(every):  # a change is in progress, or was interrupted
            alive = {one.payload["version"] for one in live}
            dead |= {one.payload["version"] for one in every} - alive
            continue
        for i, hits in zip(tuple(open_), found, strict=True):
            if len(hits) < limit or limit >= _MAX_HITS or hits[-1].score < ways[i].tie(hits[k - 1].score):
                lists[i] = _rank_hits(ways[i], hits, k)
                open_.remove(i)
        limit = min(4 * limit, _MAX_HITS)
    if not open_:
        return lists
    raise BackendError(
        f"project {project!r} changed faster than it could be searched", hint="try again", retryable=True
    )


def lookup_provision(catalog: QdrantCatalog, project: str, reference: Reference, filters: Filters) -> list[SemanticId]:
    """The passages of exactly the provision named, in reading order."""
    named = provision_facet_keys(reference, filters, catalog.works(project))
    asked = None if named is None else _without_excluded(named, filters)
    if asked is None or not all(asked.values()):
        return []
    fields = (*VERSION_FIELDS, "f_document", "start", "opening")
    rows = [one.payload for one in catalog.matching(project, _point_filter(asked, filters), fields)]
    rows.sort(
        key=lambda one: (clause_sort_key(reference.clause, one["opening"]), one["f_document"], one["start"], one["id"])
    )
    return [one["id"] for one in rows]


def _without_excluded(asked: Mapping[str, Sequence[str]], filters: Filters) -> dict[str, Sequence[str]]:
    """The requested keys without the excluded documents.

    A server given both conditions on one field may apply only the first (seen with 1.16.3), so they are combined here.
    """
    without = excluded_document_keys(filters)
    return {
        facet: [key for key in keys if key not in without] if facet == "document" else keys
        for facet, keys in asked.items()
    }


def _point_filter(asked: Mapping[str, Sequence[str]], filters: Filters) -> PointFilter:
    without = excluded_document_keys(filters)
    return PointFilter(
        {f"f_{facet}": keys for facet, keys in asked.items()}, {"f_document": without} if without else {}
    )


def _rank_hits(way: PassageQuery, hits: Sequence[FoundPoint], k: int) -> list[ScoredId]:
    scored = [ScoredId(one.payload["id"], way.said(one.score)) for one in hits]
    return sorted(scored, key=lambda hit: (-hit.score, hit.id))[:k]
