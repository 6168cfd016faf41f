"""Passages that answer the same question otherwise, in whatever words, as a reader finds them."""

from collections.abc import Iterator, Sequence
from typing import Final

from footnotary.domain.chunk import Chunk
from footnotary.domain.conflict import Conflict
from footnotary.domain.draft import Claim
from footnotary.domain.evidence import Hit
from footnotary.ports import ContradictionReader, Reader, Submission
from footnotary.reader.by_language import reader_knowing
from footnotary.reader.cascade import LIKELY, first_stage_scores
from footnotary.reader.passage_text import passage_text
from footnotary.text.language import language_of
from footnotary.text.sentences.splitter import sentences
from footnotary.verify.conflicts.aligned_passages import have_one_standing
from footnotary.verify.meaning.supporting_sentence import best_quote

# The mean of two probabilities: the other passage contradicts the claim, and the claim's passage the other answer.
CONTRADICTS: Final = 0.75
# Below it the first of the two is not worth the second.
_SUSPECTED = 0.5
# A passage that hardly answers the question says nothing against an answer, and no sentence of it does either: each row
# of "Day: Monday | Main pool: closed" hardly answers when the open day is, though the table as a whole seems to.
_ANSWERS = 0.5
# What is longer than any answer must not hold up a server.
_MOST_CLAIMS = 6
_MOST_PASSAGES = 10
_MOST_OTHERS = 4


def read_conflicts(s: Submission, by: Reader | None) -> Iterator[tuple[int, Conflict]]:
    """The conflicts of the first claims, by number, with other passages that answer the same question.

    Nothing is read in a language that the reader has not learned, nor by weights that know no contradictions. Passages
    of another standing, such as a former version, are not compared, nor those of one document or different sections of
    one law: they state several cases, which a reader takes for contradictions.
    """
    reader = reader_knowing(by, s.query.language)
    question = s.query.asks
    if not question.strip() or not isinstance(reader, ContradictionReader):
        return
    claims = s.draft.claims[:_MOST_CLAIMS]
    answers = _answering_sentences(question, s.evidence.hits, claims, reader)
    hits = {hit.chunk.id: hit for hit in s.evidence.hits}
    for number, claim in enumerate(claims):
        own = next((hits[cited] for cited in claim.cites if cited in hits), None)
        if own is None or language_of(claim.text) not in reader.languages:
            continue
        others = [
            (hits[place].chunk, answer)
            for place, answer in answers.items()
            if place not in claim.cites
            and have_one_standing(own, hits[place])
            and not _are_of_one_text(own.chunk, hits[place].chunk)
        ]
        against = reader.contradicts([(statement(question, claim.text), other.text) for other, _ in others])
        suspected = [n for n, probability in enumerate(against) if probability >= _SUSPECTED]
        back = reader.contradicts([(statement(question, others[n][1]), own.chunk.text) for n in suspected])
        for n, probability in zip(suspected, back, strict=True):
            if round((against[n] + probability) / 2, 4) >= CONTRADICTS:
                quote, (other, answer) = _quote(claim, own), others[n]
                yield number, Conflict(quote, own.chunk.id, quote, answer, other.id, answer)


def _are_of_one_text(one: Chunk, other: Chunk) -> bool:
    """Whether two passages are of one document, or different sections of one law: two texts of one section are not."""
    ours, theirs = one.labels, other.labels
    name = ours.act or ours.code
    is_one_law = name is not None and (name, ours.year) == (theirs.act or theirs.code, theirs.year)
    return one.document_id == other.document_id or (is_one_law and ours.section != theirs.section)


def _answering_sentences(question: str, hits: Sequence[Hit], claims: Sequence[Claim], reader: Reader) -> dict[str, str]:
    """The best passages that answer the question, by id, each with its sentence that does; for cited ones the quote."""
    quoted = {cited: claim for claim in reversed(claims) for cited in claim.cites}
    known = [hit for hit in hits if language_of(hit.chunk.text) in reader.languages]
    found = {hit.chunk.id: _quote(quoted[hit.chunk.id], hit) for hit in known if hit.chunk.id in quoted}
    others = [hit for hit in known[:_MOST_PASSAGES] if hit.chunk.id not in found]
    shown = [passage_text(hit.chunk) for hit in others]
    first_scores = first_stage_scores(reader, [(question, (passage,)) for passage in shown])
    likely = [n for n, score in enumerate(first_scores) if score >= LIKELY]
    likely = sorted(likely, key=lambda n: (-first_scores[n], n))[:_MOST_OTHERS]
    for n, reading in zip(likely, reader.read(question, [shown[n] for n in likely]), strict=True):
        if reading.answers >= _ANSWERS:
            parts = sentences(others[n].chunk.text)
            best = max(range(len(parts)), key=reading.sentences.__getitem__)
            if reading.sentences[best] >= _ANSWERS:
                found[others[n].chunk.id] = parts[best]
    return found


def _quote(claim: Claim, hit: Hit) -> str:
    return best_quote(claim.text, hit.chunk.text)[0].of(hit.chunk.text)


def statement(question: str, answer: str) -> str:
    """What a passage is compared with: the question says what the answer is about."""
    return f"{question} {answer}"
