"""Chooses the sentences of an answer by a reader's probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.domain.query import Facet
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.named_clauses import passages_of_clauses
from footnotary.ports import PassageText, Reader, Reading
from footnotary.reader.cascade import WORTH_READING, first_stage_scores
from footnotary.reader.passage_text import passage_text
from footnotary.text.question_forms import asks_for_several
from footnotary.text.references.provision_numbers import provision_key
from footnotary.text.sentences.splitter import sentence_spans
from footnotary.text.tokens import terms_of

# Passages are read a few at a time, and further ones only while most of the last ones answer.
_BATCH = 3
_MOST_READ = 12
# A passage whose odds of answering are below this share of the best one's adds nothing; if several things are asked for
# and no list has them all, each may be in a different passage.
_PASSAGE_ODDS = 0.5
_PASSAGE_ODDS_FOR_SEVERAL = 0.1
# A further sentence is part of the answer from this probability, and a second one from this share of the best one's.
_PART_OF_ANSWER = 0.5
_NEAR_BEST = 0.5
_CERTAIN = 1 - 1e-6


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A candidate with the probability that it is part of the answer, and that its passage answers at all."""

    candidate: CandidateSentence
    probability: float
    passage: float

    @property
    def score(self) -> float:
        """The odds that it is the answer, as if sentence and passage were read independently."""
        return _odds(self.probability) * _odds(self.passage)


def read_sentences(
    question: str, facet: Facet, candidates: Sequence[CandidateSentence], reader: Reader
) -> list[ReadSentence]:
    """The candidates that may be claims, with the reader's probabilities, in order.

    If a question names a provision or a clause that is among the candidates, no others are read.
    """
    named = _of_named_provisions(facet, candidates)
    hits = list({c.hit.chunk.id: c.hit for c in named}.values())
    readings = _readings(question, hits, reader)
    return [
        ReadSentence(candidate, _probability(candidate, *reading), reading[1].answers)
        for candidate in named
        if can_be_claim(candidate) and (reading := readings.get(candidate.hit.chunk.id)) is not None
    ]


def can_be_claim(candidate: CandidateSentence) -> bool:
    """Whether a candidate states something: no question, task, announcement, editor's note, or bare address."""
    return not (
        candidate.is_question
        or candidate.is_incomplete
        or candidate.is_fragment
        or candidate.is_link
        or candidate.role == "note"
        or candidate.hit.chunk.kind == "exercise"
    )


def answering(read: Sequence[ReadSentence], question: str) -> list[ReadSentence]:
    """Those of passages that answer, best first: a passage far less likely to answer than the best one adds nothing."""
    ranked = sorted(read, key=lambda r: -r.score)  # equal ones stay in the order of the evidence
    several = asks_for_several(question) and not (ranked and ranked[0].candidate.is_list)
    least = max((_odds(r.passage) for r in read), default=0.0) * (
        _PASSAGE_ODDS_FOR_SEVERAL if several else _PASSAGE_ODDS
    )
    return [*ranked[:1], *(r for r in ranked[1:] if _odds(r.passage) >= least)]


def are_distinguished(ranked: Sequence[ReadSentence], most: int) -> bool:
    """Whether the reader's scores distinguish the sentences of a passage; some readers give all of them the same."""
    likely = sum(each.probability >= _PART_OF_ANSWER for each in ranked)
    alike = len(ranked) > 1 and all(each.probability == each.passage for each in ranked)
    return not alike and (likely <= most or 2 * likely <= len(ranked))


def choose_sentences(ranked: Sequence[ReadSentence], most: int) -> list[CandidateSentence]:
    """The best sentence and those that are likely part of the answer, best first, without repetitions.

    If no other is likely, one that is nearly as likely as the best is added.
    """
    chosen: list[CandidateSentence] = []
    for each in ranked:
        likely = each.probability >= _PART_OF_ANSWER
        near = len(chosen) == 1 and each.probability >= _NEAR_BEST * ranked[0].probability
        if chosen and not (likely or near):
            continue
        terms = terms_of(each.candidate.text)
        if not any(terms <= said or said <= terms for said in (terms_of(other.text) for other in chosen)):
            chosen.append(each.candidate)
        if len(chosen) == most:
            break
    return chosen


def is_certain(ranked: Sequence[ReadSentence]) -> bool:
    """Whether one sentence alone is likely to be the answer, or part of it."""
    return any(each.probability >= _PART_OF_ANSWER for each in ranked)


def _odds(probability: float) -> float:
    return probability / (1 - min(probability, _CERTAIN))


def choose_sides(
    chosen: Sequence[CandidateSentence], sides: Sequence[tuple[str, Sequence[ReadSentence]]]
) -> Sequence[CandidateSentence]:
    """Sentences on both sides of a comparison: the best of those `chosen` if it names both, else the best on each.

    A sentence names a side in its text, or else in its title. A passage with a sentence on each side is preferred to
    two. If one side is never named, `chosen` is returned.
    """
    wanted = [terms_of(side) for side, _ in sides]
    if chosen and all(terms <= terms_of(chosen[0].text) for terms in wanted):
        return chosen
    naming = [_naming(terms, read) for terms, (_, read) in zip(wanted, sides, strict=True)]
    if not all(naming):
        return chosen
    pairs: list[list[ReadSentence]] = []
    for place in dict.fromkeys(r.candidate.hit.chunk.id for r in naming[0]):
        own = [[r for r in side if r.candidate.hit.chunk.id == place] for side in naming]
        if all(own):
            pairs.append([max(side, key=lambda r: r.score) for side in own])
    distinct = [pair for pair in pairs if len({r.candidate for r in pair}) == len(pair)]
    best = max(distinct, key=lambda pair: min(r.score for r in pair), default=None)
    if best is None:
        best = [max(side, key=lambda r: r.score) for side in naming]
    return list(dict.fromkeys(r.candidate for r in best))


def _naming(terms: frozenset[str], read: Sequence[ReadSentence]) -> list[ReadSentence]:
    said = [r for r in read if terms <= terms_of(r.candidate.text)]
    return said or [r for r in read if terms <= terms_of(r.candidate.text) | terms_of(r.candidate.title)]


def _readings(question: str, hits: Sequence[Hit], reader: Reader) -> dict[str, tuple[PassageText, Reading]]:
    """The readings, by chunk id, of the first hit, which the gate has read, and of others likely to answer."""
    found: dict[str, tuple[PassageText, Reading]] = {}
    best = 0.0
    for start in range(0, min(len(hits), _MOST_READ), _BATCH):
        batch = hits[start : start + _BATCH]
        passages = [passage_text(hit.chunk) for hit in batch]
        first_scores = first_stage_scores(reader, [(question, (passage,)) for passage in passages])
        worth = [n for n, score in enumerate(first_scores) if score >= WORTH_READING or start + n == 0]
        readings = reader.read(question, [passages[n] for n in worth])
        for n, reading in zip(worth, readings, strict=True):
            found[batch[n].chunk.id] = passages[n], reading
        best = max([best, *(reading.answers for reading in readings)])
        likely = sum(reading.answers >= best / 2 for reading in readings)
        if best >= _PART_OF_ANSWER and likely < _BATCH - 1:
            break
    return found


def _probability(candidate: CandidateSentence, passage: PassageText, reading: Reading) -> float:
    """That of the candidate's most likely sentence: a list is as likely as its introduction or its best item."""
    text = candidate.hit.chunk.text
    begin = text.find(passage.text)
    spans = (Span(span.start + begin, span.end + begin) for span in sentence_spans(passage.text))
    own = candidate.span
    return max(
        (p for span, p in zip(spans, reading.sentences, strict=True) if span.overlaps(own)),
        default=0.0,
    )


def _of_named_provisions(facet: Facet, candidates: Sequence[CandidateSentence]) -> Sequence[CandidateSentence]:
    if clauses := passages_of_clauses(candidates, facet.references):
        return clauses
    wanted = {provision_key(reference.section) for reference in facet.references}
    named = [c for c in candidates if provision_key(c.hit.chunk.labels.section or "") in wanted]
    return named or candidates
