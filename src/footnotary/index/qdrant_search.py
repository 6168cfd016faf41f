"""Search in a tenant's passages on a Qdrant server: lexical, dense, both in one request, and by provision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Filters, Reference
from footnotary.errors import BackendError
from footnotary.index.matching import clause_first, provision, unwanted, wanted
from footnotary.index.qdrant_catalog import PLACE, QdrantCatalog
from footnotary.index.qdrant_points import Found, NoCollection, Sparse, Where
from footnotary.index.qdrant_words import asked_dimensions, asked_weights
from footnotary.ports import Scored, Vector

_MOST = 65_536  # beyond this many tied scores, the server decides which are returned
_ATTEMPTS = 6
_TIE = 1e-6
_DIGITS = 5
_SAME = 1 - 10.0 ** (1 - _DIGITS)


@dataclass(frozen=True, slots=True)
class ByWords:
    """A question's weighted terms. The first digits of a sum of products do not depend on the order of addition."""

    asked: Sparse

    @staticmethod
    def of(catalog: QdrantCatalog, project: str, terms: Sequence[str]) -> ByWords:
        """Counts the passages that contain each of the terms; all counts are requested in parallel."""
        asked = asked_dimensions(terms)
        passages, holding = catalog.holding(project, sorted(asked))
        return ByWords(asked_weights(asked, passages, holding))

    def tie(self, score: float) -> float:
        return score * _SAME

    def said(self, score: float) -> float:
        return float(f"{score:.{_DIGITS}g}")


@dataclass(frozen=True, slots=True)
class ByMeaning:
    """A question's unit vector."""

    asked: Vector

    def tie(self, score: float) -> float:
        return score - _TIE

    def said(self, score: float) -> float:
        return round(score, 6)


Way = ByWords | ByMeaning


def search(
    catalog: QdrantCatalog, project: str, ways: Sequence[Way], k: int, filters: Filters
) -> list[Sequence[Scored]]:
    """The best `k` for each query, ties in order of id; one request for all queries, and one for the records.

    Hits that tie with the last are fetched until the tie ends, so that the selection does not depend on the server. If
    a hit's version is named by no record, the search is repeated without that version.
    """
    lists: list[Sequence[Scored]] = [() for _ in ways]
    keys = _left(wanted(filters, catalog.works(project) if filters.act is not None else ()), filters)
    if k < 1 or not all(keys.values()):
        return lists
    where, limit, dead = _where(keys, filters), 2 * k, set[str]()
    open_ = [i for i, way in enumerate(ways) if not isinstance(way, ByWords) or way.asked.dimensions]
    for _ in range(_ATTEMPTS):
        if not open_:
            return lists
        but = {**where.without, **({"version": sorted(dead)} if dead else {})}
        asked = [ways[i].asked for i in open_]
        try:
            found = catalog.server.nearest(catalog.collection(project), asked, Where(where.among, but), limit, PLACE)
        except NoCollection:
            return lists
        every = [one for hits in found for one in hits]
        live = catalog.live(project, every)
        if len(live) < len(every):  # a change is in progress, or was interrupted
            alive = {one.payload["version"] for one in live}
            dead |= {one.payload["version"] for one in every} - alive
            continue
        for i, hits in zip(tuple(open_), found, strict=True):
            if len(hits) < limit or limit >= _MOST or hits[-1].score < ways[i].tie(hits[k - 1].score):
                lists[i] = _ranked(ways[i], hits, k)
                open_.remove(i)
        limit = min(4 * limit, _MOST)
    if not open_:
        return lists
    raise BackendError(
        f"project {project!r} changed faster than it could be searched", hint="try again", retryable=True
    )


def lookup(catalog: QdrantCatalog, project: str, reference: Reference, filters: Filters) -> list[SemanticId]:
    """The passages of exactly the provision named, in reading order."""
    named = provision(reference, filters, catalog.works(project))
    asked = None if named is None else _left(named, filters)
    if asked is None or not all(asked.values()):
        return []
    fields = (*PLACE, "f_document", "start", "opening")
    rows = [one.payload for one in catalog.matching(project, _where(asked, filters), fields)]
    rows.sort(
        key=lambda one: (clause_first(reference.clause, one["opening"]), one["f_document"], one["start"], one["id"])
    )
    return [one["id"] for one in rows]


def _left(asked: Mapping[str, Sequence[str]], filters: Filters) -> dict[str, Sequence[str]]:
    """The requested keys without the excluded documents.

    A server given both conditions on one field may apply only the first (seen with 1.16.3), so they are combined here.
    """
    without = unwanted(filters)
    return {
        facet: [key for key in keys if key not in without] if facet == "document" else keys
        for facet, keys in asked.items()
    }


def _where(asked: Mapping[str, Sequence[str]], filters: Filters) -> Where:
    without = unwanted(filters)
    return Where({f"f_{facet}": keys for facet, keys in asked.items()}, {"f_document": without} if without else {})


def _ranked(way: Way, hits: Sequence[Found], k: int) -> list[Scored]:
    scored = [Scored(one.payload["id"], way.said(one.score)) for one in hits]
    return sorted(scored, key=lambda hit: (-hit.score, hit.id))[:k]
