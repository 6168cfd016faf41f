"""Whether passages answer a question, as a reader finds: each alone, the first ones first, then several together."""

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.query import Facet, Query
from footnotary.ports import Reader
from footnotary.profiles.schema import Profile
from footnotary.reader.passage_text import passage_text
from footnotary.text.language import is_romanised_hindi, language_of
from footnotary.text.question_forms import asks_for_several

# How many of the best passages are read before it is seen whether one answers. Most answers stand in the first.
_STEPS = (1, 3, 10)
# Where several things are asked for, reading goes on while most of the passages answer.
_STEPS_FOR_SEVERAL = (3, 6, 10)
MOST_READ = _STEPS[-1]
_TOGETHER = 5


@dataclass(frozen=True, slots=True)
class ReaderDecision:
    """The hits that answer, best first, and the probability that they do; none where it is below the threshold."""

    hits: tuple[Hit, ...]
    probability: float


def is_read(query: Query, profile: Profile, reader: Reader | None) -> bool:
    """Whether a reader decides about this question: there is one, it knows the language, and the profile asks it."""
    if reader is None or profile.sufficiency.min_answerable <= 0:
        return False
    return query.language in reader.languages and not is_romanised_hindi(query.text)


def readable_hits(hits: Sequence[Hit], reader: Reader) -> tuple[Hit, ...]:
    """The hits in a language that the reader has learned."""
    return tuple(hit for hit in hits if language_of(hit.chunk.text) in reader.languages)


def decide_by_reading(question: str, hits: Sequence[Hit], reader: Reader, least: float) -> ReaderDecision:
    """The hits that answer a question with at least this probability (inclusive).

    Passages are read alone, one, three and ten of them, until one answers; the first alone has to be clear of the
    threshold. Of a question for several things more are read, as long as most of them answer. Where none does, the best
    are read together, and count together.
    """
    alone: list[float] = []
    several = asks_for_several(question)
    for step in _STEPS_FOR_SEVERAL if several else _STEPS:
        further = hits[len(alone) : step]
        if alone and not further:
            break
        alone += reader.answers([(question, (passage_text(hit.chunk),)) for hit in further])
        best = round(reader.best_of(alone), 4)
        if best >= (_clearly(least) if step < _STEPS[1] and len(hits) > step else least):
            answering = [place for place, probability in enumerate(alone) if round(probability, 4) >= least]
            if several and len(hits) > step < MOST_READ and 2 * len(answering) > len(alone):
                continue
            return ReaderDecision(_best_first(hits, answering, alone), best)
    best = round(reader.best_of(alone), 4)
    chosen = sorted(range(len(alone)), key=lambda place: -alone[place])[:_TOGETHER]
    if len(chosen) < 2:
        return ReaderDecision((), best)
    # In the order of retrieval: which of them comes first should not depend on the last digits of a probability.
    texts = [passage_text(hits[place].chunk) for place in sorted(chosen)]
    together = round(reader.answers([(question, texts)])[0], 4)
    if together >= least:
        return ReaderDecision(_best_first(hits, chosen, alone), together)
    return ReaderDecision((), max(best, together))


def read_question(query: Query, facet: Facet) -> str:
    """A part of a question as it is read: the whole question where it is the only part."""
    return query.asks if len(query.facets) == 1 else facet.text


def _clearly(least: float) -> float:
    """Half-way between the threshold and certainty."""
    return (least + 1) / 2


def _best_first(hits: Sequence[Hit], places: Sequence[int], probabilities: Sequence[float]) -> tuple[Hit, ...]:
    return tuple(hits[place] for place in sorted(places, key=lambda place: (-round(probabilities[place], 4), place)))
