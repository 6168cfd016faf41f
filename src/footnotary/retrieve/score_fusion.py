"""Score fusion of the lexical and the dense list."""

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Ranks
from footnotary.domain.identity import SemanticId
from footnotary.ports import ScoredId


@dataclass(frozen=True, slots=True)
class FusedHit:
    id: SemanticId
    score: float
    ranks: Ranks


def fuse(lexical: Sequence[ScoredId], dense: Sequence[ScoredId], dense_weight: float) -> tuple[FusedHit, ...]:
    """Both lists as one, best first, equal scores in order of id.

    Scores are compared and not only ranks: a passage that is far ahead in one list should not tie with one that is
    barely first in the other. A lexical score is divided by the best one, a cosine is scaled between the last and the
    best of its list; a passage missing in a list gets 0 for it. If one list is empty the other keeps its order.
    """
    by_word = _scale_scores(lexical, floor=0.0)
    by_meaning = _scale_scores(dense, floor=min((scored.score for scored in dense), default=0.0))
    weight = 1.0 if not lexical else dense_weight
    scores = {
        cited: (1 - weight) * by_word.get(cited, 0.0) + weight * by_meaning.get(cited, 0.0)
        for cited in {**by_word, **by_meaning}
    }
    word_ranks = {scored.id: rank for rank, scored in enumerate(lexical, 1)}
    meaning_ranks = {scored.id: rank for rank, scored in enumerate(dense, 1)}
    # The last of a dense list has the share 0 like those not in it; its rank keeps the list's own order.
    order = sorted(scores, key=lambda c: (-scores[c], word_ranks.get(c, 1_000_000), meaning_ranks.get(c, 1_000_000), c))
    return tuple(
        FusedHit(cited, scores[cited], Ranks(word_ranks.get(cited), meaning_ranks.get(cited), rank))
        for rank, cited in enumerate(order, 1)
    )


def _scale_scores(listed: Sequence[ScoredId], floor: float) -> dict[SemanticId, float]:
    """Each score scaled between `floor` and the best."""
    best = max((scored.score for scored in listed), default=0.0)
    width = best - floor
    return {s.id: (s.score - floor) / width if width > 0 else 1.0 for s in listed}
