"""Hybrid retrieval: provisions by number, fused lexical and dense search, no near-duplicates, calibrated scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Evidence, Hit, Ranks
from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Facet, Filters, Query, Scope
from footnotary.ports import CombinedSearch, Embedder, Reader, ScoredId, Store, Vector
from footnotary.profiles.schema import InForce, Retrieval
from footnotary.retrieve.cross_references import follow_references
from footnotary.retrieve.in_force import load_calendar, prefer_in_force, restrict_to_in_force, with_validity_status
from footnotary.retrieve.list_neighbours import rest_of_lists
from footnotary.retrieve.near_duplicates import without_near_duplicates
from footnotary.retrieve.reranking import rerank
from footnotary.retrieve.score_calibration import relevance
from footnotary.retrieve.score_fusion import fuse
from footnotary.text.tokens import content_terms, terms_of

# More candidates than requested, so that removing duplicates does not leave too few.
_CANDIDATE_FACTOR = 3
_MAX_NAMED_PROVISIONS = 3


def retrieve(
    query: Query,
    store: Store,
    embedder: Embedder,
    policy: Retrieval,
    in_force: InForce = "any",
    reranker: Reader | None = None,
) -> Evidence:
    """The `policy.k` best passages for the question, best first; then what they refer to, and the rest of their lists.

    A provision named in the question comes first, found by number and not by similarity. A question of several parts
    is searched as a whole and part by part, and the lists are interleaved, so that each part has its evidence. A
    document named in the question is searched alone. An earlier question that it leans on is searched for with it.
    `in_force` says whether documents in force on the day in question are preferred, or are the only ones searched. If
    the policy says so, `reranker` reads the first hits and changes their order.
    """
    calendar = load_calendar(query.scope, store)
    scope = restrict_to_in_force(query.scope, calendar) if in_force == "require" else query.scope
    parts = query.facets if len(query.facets) == 1 else (_whole_question(query), *query.facets)
    parts = parts if query.context is None else (query.context, *parts)
    lists = [
        _search_facet(facet, replace(query, scope=searched), store, embedder, policy)
        for facet in parts
        for searched in _named_scopes(query, scope)
    ]
    found = with_validity_status(_interleave(lists), calendar)
    if in_force == "prefer":  # before removing duplicates, so that of two similar wordings the one in force stays
        found = prefer_in_force(found, calendar)
    first = tuple(islice(without_near_duplicates(found, policy.near_duplicate), max(policy.k, policy.rerank)))
    ordered, reranking = rerank(query, first, policy, reranker)
    hits = ordered[: policy.k]
    if policy.follow_references:
        followed = (hit for hit in follow_references(hits, scope, store) if _is_of_named(query, hit))
        hits = (*hits, *with_validity_status(followed, calendar))
        hits = tuple(prefer_in_force(hits, calendar)) if in_force == "prefer" else hits
    rest = with_validity_status(rest_of_lists(hits, scope, store), calendar)
    return Evidence(query, (*hits, *rest), reranking)


def _named_scopes(query: Query, scope: Scope) -> list[Scope]:
    """The scope, or one for each document that the question names."""
    if query.named is None:
        return [scope]
    return [replace(scope, filters=replace(scope.filters, document=named)) for named in query.named.ids]


def _is_of_named(query: Query, hit: Hit) -> bool:
    return query.named is None or hit.chunk.document_id in query.named.ids


def _whole_question(query: Query) -> Facet:
    """The whole question as one facet."""
    subject = tuple(dict.fromkeys(key for facet in query.facets for key in facet.subject))
    terms = tuple(term for facet in query.facets for term in facet.terms)
    return Facet(query.asks, query.type, subject, terms, query.references)


def _search_facet(facet: Facet, query: Query, store: Store, embedder: Embedder, policy: Retrieval) -> Iterator[Hit]:
    """One facet's hits, best first; if it names a law that the project contains, only from that law."""
    filters = query.scope.filters
    if facet.act is not None and filters.act is None:
        found = _search(facet, query, replace(filters, act=facet.act), store, embedder, policy)
        first = next(found, None)
        if first is not None:
            return chain((first,), found)
        # The project does not contain that law, but may contain passages that mention it.
        facet = replace(facet, terms=(*facet.terms, *content_terms(facet.act)))
    return _search(facet, query, filters, store, embedder, policy)


def _search(
    facet: Facet, query: Query, filters: Filters, store: Store, embedder: Embedder, policy: Retrieval
) -> Iterator[Hit]:
    """The hits, best first, scored lazily."""
    project = query.scope.project
    # "Sections 255 to 263" is a topic; only a few numbers mean exact provisions.
    exact = facet.references if len(facet.references) <= _MAX_NAMED_PROVISIONS else ()
    named = [found for reference in exact for found in store.lookup(project, reference, filters)]
    vector = embedder.embed_question(facet.text) if query.language in embedder.languages else None
    lexical, dense = _search_both(store, project, facet.terms, vector, policy.candidates, filters)
    fused = fuse(lexical, dense, embedder.calibration.dense_weight)
    wanted = list(dict.fromkeys((*named, *(f.id for f in fused))))[: max(policy.k, policy.rerank) * _CANDIDATE_FACTOR]
    chunks = {chunk.id: chunk for chunk in store.chunks(project, wanted)}
    ranks = {f.id: f.ranks for f in fused}
    cosines = {one.id: one.score for one in dense}
    scored = query.facets if query.context is None else (*query.facets, query.context)
    # A passage not in the dense list is at most as similar as its last.
    farthest = min(cosines.values(), default=None)
    return (
        Hit(
            chunks[found],
            relevance(
                max(key_term_coverage(part, chunks[found]) for part in scored),
                cosines.get(found, farthest),
                embedder.calibration,
                named=found in named,
            ),
            ranks.get(found, Ranks()),
            "reference" if found in named else "search",
        )
        for found in wanted
        if found in chunks
    )


def _search_both(
    store: Store, project: str, terms: Sequence[str], vector: Vector | None, k: int, filters: Filters
) -> tuple[Sequence[ScoredId], Sequence[ScoredId]]:
    """The lexical and the dense list; without a vector the dense list is empty."""
    if vector is not None and isinstance(store, CombinedSearch):
        return store.lexical_and_dense(project, terms, vector, k, filters)
    lexical = store.lexical(project, terms, k, filters)
    return lexical, () if vector is None else store.dense(project, vector, k, filters)


def key_term_coverage(facet: Facet, chunk: Chunk) -> float:
    """The share of the question's key terms that a chunk and its headings contain."""
    labels = chunk.labels
    headings = " ".join(part for part in (labels.title, labels.act, labels.code, *chunk.section) if part)
    held = terms_of(chunk.text) | terms_of(headings)
    return sum(key.stands_in(held) for key in facet.subject) / len(facet.subject) if facet.subject else 0.0


def _interleave(lists: Iterable[Iterator[Hit]]) -> Iterator[Hit]:
    seen: set[SemanticId] = set()
    for hit in chain.from_iterable(zip_longest(*lists)):
        if hit is not None and hit.chunk.id not in seen:
            seen.add(hit.chunk.id)
            yield hit
