"""Ranks the passages of a caller as retrieval ranks indexed ones: by words, and by meaning where there is an embedder.

The gate's reader reads only the first passages, so which those are must not depend on the caller's order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from footnotary.domain.evidence import Hit
from footnotary.domain.query import Facet, Query
from footnotary.index.indexed_terms import indexed_terms
from footnotary.ingest.chunking.chunk_builder import text_to_embed
from footnotary.ports import Embedder, ScoredId, Vectors
from footnotary.retrieve.score_fusion import fuse
from footnotary.text.bm25 import bm25_scores


def rank_passages(query: Query, hits: Sequence[Hit], embedder: Embedder | None = None) -> tuple[Hit, ...]:
    """All hits, each with a different id, likeliest first; where nothing tells them apart, in the caller's order.

    The lists of a question's parts are interleaved, so that each part has its passages among the first. Ids and scores
    do not change. An embedder that has not learned the question's language is not used.
    """
    if len(hits) < 2:
        return tuple(hits)
    indexed = [indexed_terms(hit.chunk.text, hit.chunk.labels.title or "", "") for hit in hits]
    learned = embedder if embedder is not None and query.language in embedder.languages else None
    vectors = None if learned is None else learned.embed_passages([text_to_embed(hit.chunk) for hit in hits])
    parts = query.facets if query.context is None else (query.context, *query.facets)
    lists = [_rank_for(part, hits, indexed, learned, vectors) for part in parts]
    ranked = chain.from_iterable(zip_longest(*lists))
    return tuple({hit.chunk.id: hit for hit in ranked if hit is not None}.values())


def _rank_for(
    part: Facet,
    hits: Sequence[Hit],
    indexed: Sequence[Sequence[str]],
    embedder: Embedder | None,
    vectors: Vectors | None,
) -> list[Hit]:
    """All hits in the order of one part of the question; those found neither by words nor by meaning come last."""
    lexical = [found for found in _scored(hits, bm25_scores(indexed, part.terms)) if found.score > 0]
    dense: list[ScoredId] = []
    weight = 0.0
    if embedder is not None and vectors is not None:
        dense = _scored(hits, (vectors @ embedder.embed_question(part.text)).tolist())
        weight = embedder.calibration.dense_weight
    by_id = {hit.chunk.id: hit for hit in hits}
    ranked = {found.id: by_id[found.id] for found in fuse(lexical, dense, weight)}
    return list((ranked | by_id).values())


def _scored(hits: Sequence[Hit], scores: Sequence[float]) -> list[ScoredId]:
    # Machines may differ in the last digits.
    found = [ScoredId(hit.chunk.id, round(score, 6)) for hit, score in zip(hits, scores, strict=True)]
    return sorted(found, key=lambda one: -one.score)
