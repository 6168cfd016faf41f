"""Reranks the first hits by how likely a model finds that they answer the question."""

import math
from collections.abc import Sequence
from dataclasses import replace

from footnotary.domain.evidence import Hit, Reranking
from footnotary.domain.query import Query
from footnotary.errors import BackendError
from footnotary.ports import Reader
from footnotary.profiles.schema import Retrieval
from footnotary.reader.passage_text import passage_text
from footnotary.text.language import language_of

# Probabilities are clipped to this distance from 0 and 1, so that log-odds stay finite.
_PROBABILITY_CLIP = 1e-4


def rerank(
    query: Query, hits: Sequence[Hit], policy: Retrieval, by: Reader | None
) -> tuple[tuple[Hit, ...], Reranking]:
    """The hits with the first `policy.rerank` of them reranked, and whether that was done.

    A hit's score is the model's log-odds that it answers, times `policy.rerank_weight`, minus the logarithm of its
    rank; ties keep their order. No hit is lost or added, and passages in a language the model does not read keep their
    ranks. The order is unchanged if a provision is named by its number, if the question has several parts, each of
    which needs its own evidence, and if the model is unavailable.
    """
    as_found = _skip_reason(query, hits, policy, by)
    if as_found is not None or by is None:
        return tuple(hits), as_found or "no_verifier"
    read = [place for place, hit in enumerate(hits[: policy.rerank]) if language_of(hit.chunk.text) in by.languages]
    try:
        probabilities = by.answers([(query.asks, (passage_text(hits[place].chunk),)) for place in read])
    except BackendError:
        return tuple(hits), "verifier_failed"
    worth = {
        place: policy.rerank_weight * _log_odds(probability) - math.log(place + 1)
        for place, probability in zip(read, probabilities, strict=True)
    }
    ordered = list(hits)
    for place, taken in zip(read, sorted(read, key=lambda place: (-worth[place], place)), strict=True):
        ordered[place] = replace(hits[taken], ranks=replace(hits[taken].ranks, reranked=place + 1))
    return tuple(ordered), "done"


def _skip_reason(query: Query, hits: Sequence[Hit], policy: Retrieval, by: Reader | None) -> Reranking | None:
    """The reason not to rerank, if there is one."""
    if policy.rerank == 0:
        return "off"
    if not hits:
        return "nothing_found"
    if by is not None and query.language not in by.languages:
        return "other_language"
    if len(query.facets) > 1:
        return "several_parts"
    if hits[0].via == "reference":
        return "provision_named"
    return None


def _log_odds(probability: float) -> float:
    kept = min(max(probability, _PROBABILITY_CLIP), 1 - _PROBABILITY_CLIP)
    return math.log(kept / (1 - kept))
