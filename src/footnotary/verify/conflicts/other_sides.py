"""Shows a model both sides of a conflict: what was read as the answer, and the passages that say otherwise."""

from collections.abc import Sequence
from dataclasses import replace

from footnotary.domain.evidence import Evidence, Hit
from footnotary.verify.conflicts.aligned_passages import AlignedSources, ComparisonLimitError

_MOST_ADDED = 3


def with_other_sides(sources: Evidence, found: Sequence[Hit]) -> Evidence:
    """The sources, and behind them the hits found that contradict one of them in a value.

    The gate stops reading at the first passages that answer, so it may not have read the other side. A model that never
    saw it can only state one side, and is refused for it. Only exact rules compare; no model is called.
    """
    aligned, kept = AlignedSources(sources.query, (*sources.hits, *found)), {hit.chunk.id for hit in sources.hits}
    others = [passage for cited, passage in aligned.passages.items() if cited not in kept]
    added: list[Hit] = []
    try:
        for other in others:
            if any(
                aligned.contradiction(sentence, aligned.passages[cited], other)
                for cited in kept
                for sentence, _ in aligned.passages[cited].sentences
            ):
                added.append(replace(other.hit, via="conflict"))
    except ComparisonLimitError:  # the check `sources_agree` reports it
        return sources
    return replace(sources, hits=(*sources.hits, *added[:_MOST_ADDED])) if added else sources
