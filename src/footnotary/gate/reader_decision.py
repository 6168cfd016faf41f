"""Whether passages answer a question: a reader reads the likely ones alone, then several together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.query import Facet, Query
from footnotary.ports import Reader, TwoStageReader
from footnotary.profiles.schema import Profile
from footnotary.reader.cascade import LIKELY, WORTH_READING, first_stage_scores
from footnotary.reader.passage_text import passage_text
from footnotary.text.language import is_romanised_hindi, language_of
from footnotary.text.question_forms import asks_for_several

# How many of the best passages the first stage scores before the likeliest is read; most answers are in three.
_STEPS = (3, 10, 10)
# If a question asks for several things, the next step follows while most of the passages answer.
_STEPS_FOR_SEVERAL = (3, 6, 10)
MOST_READ = _STEPS[-1]
_TOGETHER = 5
# How many of the passages that are worth reading are read alone when no likely one has answered.
_LAST = 3


@dataclass(frozen=True, slots=True)
class ReaderDecision:
    """The hits that answer, best first, and the probability that they do; no hits if it is below the threshold."""

    hits: tuple[Hit, ...]
    probability: float


def is_read(query: Query, profile: Profile, reader: Reader | None) -> bool:
    """Whether a reader decides about this question: there is one, it knows the language, and the profile asks it."""
    if reader is None or profile.sufficiency.answerable_from(query.language) <= 0:
        return False
    return query.language in reader.languages and not is_romanised_hindi(query.text)


def readable_hits(hits: Sequence[Hit], reader: Reader) -> tuple[Hit, ...]:
    """The hits in a language that the reader has learned."""
    return tuple(hit for hit in hits if language_of(hit.chunk.text) in reader.languages)


def decide_by_reading(question: str, hits: Sequence[Hit], reader: Reader, least: float) -> ReaderDecision:
    """The hits that answer a question with at least this probability (inclusive).

    The first stage scores the first three passages, then ten. At each step the reader reads the likeliest passage and
    the first of the likely ones, until one answers; at the last step it reads up to three doubtful ones. If the
    question asks for several things, it reads all likely ones, as long as most of the passages answer. If none answers
    alone and at least two are worth reading, the best are read together and count together.
    """
    several = asks_for_several(question)
    every = several or not isinstance(reader, TwoStageReader)  # without a first stage, each was read in full
    pairs = [(question, (passage_text(hit.chunk),)) for hit in hits[:MOST_READ]]
    first_scores: list[float] = []
    read: dict[int, float] = {}
    steps = _STEPS_FOR_SEVERAL if several else _STEPS
    for number, step in enumerate(steps, 1):
        first_scores += first_stage_scores(reader, pairs[len(first_scores) : step])
        chosen = _to_read(first_scores, read, every=every, last=number == len(steps))
        found = reader.answers([pairs[place] for place in chosen])
        # Machines may differ in the last digits.
        read |= {place: round(probability, 4) for place, probability in zip(chosen, found, strict=True)}
        answering = [place for place, probability in read.items() if probability >= least]
        if several and 2 * len(answering) > len(first_scores) < len(pairs):
            continue
        if answering and (best := _best(read, first_scores, reader)) >= least:
            return ReaderDecision(_best_first(hits, answering, read), best)
    best = _best(read, first_scores, reader)
    if sum(score >= WORTH_READING for score in first_scores) < 2:
        return ReaderDecision((), best)
    likeliest = dict(enumerate(first_scores)) | read
    chosen = sorted(likeliest, key=lambda place: (-likeliest[place], place))[:_TOGETHER]
    # In the order of retrieval: which of them comes first should not depend on a probability.
    texts = [passage_text(hits[place].chunk) for place in sorted(chosen)]
    together = round(reader.answers([(question, texts)])[0], 4)
    if together >= least:
        return ReaderDecision(_best_first(hits, chosen, likeliest), together)
    return ReaderDecision((), max(best, together))


def _to_read(first_scores: Sequence[float], read: Mapping[int, float], *, every: bool, last: bool) -> list[int]:
    """The places of passages to read now; the `last` time they may be doubtful ones.

    The likeliest and the first found of the likely ones, or `every` likely one: where first-stage scores cannot
    separate two, the reader decides.
    """
    likely = [place for place in range(len(first_scores)) if place not in read and first_scores[place] >= WORTH_READING]
    likely.sort(key=lambda place: (-first_scores[place], place))
    sure = [place for place in likely if first_scores[place] >= LIKELY]
    if every and sure:
        return sure
    if last:
        return likely[:_LAST]
    return list(dict.fromkeys((sure[0], min(sure)))) if sure else []


def _best(read: Mapping[int, float], first_scores: Sequence[float], reader: Reader) -> float:
    """The probability of the best passage that the first stage has scored; one not worth reading counts as 0."""
    return round(reader.best_of([read.get(place, 0.0) for place in range(len(first_scores))]), 4)


def read_question(query: Query, facet: Facet) -> str:
    """The text that is read for a part of a question: the whole question if it is the only part."""
    return query.asks if len(query.facets) == 1 else facet.text


def _best_first(hits: Sequence[Hit], places: Iterable[int], probabilities: Mapping[int, float]) -> tuple[Hit, ...]:
    return tuple(hits[place] for place in sorted(places, key=lambda place: (-probabilities[place], place)))
