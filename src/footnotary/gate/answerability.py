"""What the sufficiency model thinks of evidence that has passed the gate's rules."""

from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Hit
from footnotary.domain.query import Facet, Query
from footnotary.ports import Reader
from footnotary.reader.passage_text import passage_text
from footnotary.text.language import language_of
from footnotary.text.tokens import content_terms, terms_of

# The right passage is nearly always among the first three, and each costs as much as judging a claim.
_SHOWN = 3
# "What is the punishment for theft?" has one word beside the heading "Theft".
_BESIDE_HEADING = 1


def answering_hits(query: Query, hits: tuple[Hit, ...], by: Reader, least: float) -> tuple[tuple[Hit, ...], float]:
    """The hits without those before the first one that answers, and the best probability; none where none does.

    The first hits are shown one by one until one is good enough. Not asked is the model about questions in a language
    it has not learnt, nor about those that plainly ask for the best hit. Of a question in several parts no hit is left
    out: each part may need another.
    """
    if least <= 0 or query.language != "en" or _ask_for(query.facets, hits[0].chunk):
        return hits, 1.0
    best = 0.0
    for place, hit in enumerate(hits[:_SHOWN]):
        if language_of(hit.chunk.text) != "en":
            return hits, 1.0
        best = max(best, _probability(query, hit, by))
        if best >= least:
            return hits[place:] if len(query.facets) == 1 else hits, best
    return (), best


def confidently_answering_hits(query: Query, hits: Sequence[Hit], by: Reader, least: float) -> tuple[Hit, ...]:
    """The first of the best hits that answers with at least this probability, in whatever words.

    Only of a question in one part that names no provision and no law: what is named has to be there.
    """
    facet = query.facets[0]
    if least <= 0 or query.language != "en" or len(query.facets) > 1 or facet.references or facet.act is not None:
        return ()
    shown = (hit for hit in hits[:_SHOWN] if language_of(hit.chunk.text) == "en")
    return next(((hit,) for hit in shown if _probability(query, hit, by) >= least), ())


def _probability(query: Query, hit: Hit, by: Reader) -> float:
    return round(by.answers([(query.text, (passage_text(hit.chunk),))])[0], 4)


def _ask_for(facets: Sequence[Facet], chunk: Chunk) -> bool:
    """Whether every part names a provision, which the rules have found, or is the chunk's title put as a question."""
    title = terms_of(chunk.labels.title or "")

    def headed(facet: Facet) -> bool:
        asked = frozenset(content_terms(facet.text))
        return bool(title) and title <= asked and len(asked - title) <= _BESIDE_HEADING

    return all(facet.references or headed(facet) for facet in facets)
