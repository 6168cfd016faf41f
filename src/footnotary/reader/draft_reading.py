"""What a reader says of a drafted answer: does it answer the question, and does every claim belong to it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

from footnotary.domain.chunk import Chunk
from footnotary.domain.outcome import join_claims
from footnotary.ports import PassageText, Reader
from footnotary.reader.cascade import LIKELY, first_stage_scores
from footnotary.reader.passage_text import passage_text
from footnotary.text.language import language_of
from footnotary.text.sentences.split_lists import begins_with_rest

# If another claim answers alone, a claim below this share of the threshold is suspected not to belong to the answer,
_SUSPECTED = 1 / 3
# and is refused if the others answer as well without it, within this slack: a longer answer scores a little higher.
_SLACK = 0.02
# A reworded answer below this share of the threshold is not rescued by the wording of its source.
_DOUBTED = 0.1
# An overlong draft must not block a server: claims beyond this number are read only as part of the whole.
_MAX_CLAIMS_ALONE = 60


@dataclass(frozen=True, slots=True)
class DraftedClaim:
    """A claim under its headings, as drafted and in the words of its source; for a copied claim these are the same.

    `is_rest` says that it is the rest of the list or definition that the claim before begins.
    """

    headings: str
    drafted: str
    in_source: str
    is_rest: bool = False

    @classmethod
    def copied(cls, text: str, chunk: Chunk, by: Reader, before: Chunk | None = None) -> Self:
        """A part of a passage under its headings, unless they are in a language the reader does not know.

        `before` is the passage of the claim before it.
        """
        headings = passage_text(chunk, text).headings
        is_rest = before is not None and begins_with_rest(text, chunk, before)
        return cls(headings if language_of(headings) in by.languages else "", text, text, is_rest)


@dataclass(frozen=True, slots=True)
class DraftFinding:
    """How likely a draft answers each part of the question, and the claim that does not belong to it, if any."""

    probabilities: tuple[float, ...]
    stray: int | None = None
    stray_probability: float = 0.0

    def unanswered(self, threshold: float) -> int | None:
        """The first part with a probability below the threshold (inclusive)."""
        return next((n for n, found in enumerate(self.probabilities) if found < threshold), None)


def read_draft(questions: Sequence[str], claims: Sequence[DraftedClaim], by: Reader, threshold: float) -> DraftFinding:
    """Reads the parts of a question with the whole draft and, where it answers them all, with each claim alone.

    A reworded answer may reach the threshold in the wording of its source, unless it is far below by itself.
    """
    reading = _DraftReading(questions, by)
    as_drafted = _as_passages([(claim.headings, claim.drafted) for claim in claims])
    drafted, whole = reading.probabilities([as_drafted, _in_source(claims)])
    best = tuple(
        max(own, restated) if own >= _DOUBTED * threshold else own for own, restated in zip(drafted, whole, strict=True)
    )
    finding = DraftFinding(best)
    if len(claims) < 2 or finding.unanswered(threshold) is not None:
        return finding
    each = reading.each_alone(claims[:_MAX_CLAIMS_ALONE])
    if all(max(found) < threshold for found in each):
        return finding  # items of a list answer together
    parts = {n for at, claim in enumerate(claims) if claim.is_rest for n in (at - 1, at)}  # none is read without others
    suspected = [n for n, found in enumerate(each) if max(found) < _SUSPECTED * threshold and n not in parts]
    rests = reading.probabilities([_in_source([*claims[:n], *claims[n + 1 :]]) for n in suspected])
    for number, rest in zip(suspected, rests, strict=True):
        if all(without >= with_it - _SLACK for without, with_it in zip(rest, whole, strict=True)):
            return DraftFinding(best, number, max(each[number]))
    return finding


@dataclass(frozen=True, slots=True)
class _DraftReading:
    """One reader with the parts of one question."""

    questions: Sequence[str]
    by: Reader

    def each_alone(self, claims: Sequence[DraftedClaim]) -> list[list[float]]:
        """For each claim the probability that it answers each part; a likely first-stage score is enough."""
        alone = [_in_source([claim]) for claim in claims]
        found = self._by_choice(first_stage_scores(self.by, self._pairs(alone)))
        doubtful = [number for number, first_scores in enumerate(found) if max(first_scores) < LIKELY]
        for number, read in zip(doubtful, self.probabilities([alone[number] for number in doubtful]), strict=True):
            found[number] = read
        return found

    def probabilities(self, choices: Sequence[tuple[PassageText, ...]]) -> list[list[float]]:
        """For each choice of claims, the probability that together they answer each part of the question."""
        # Machines may differ in the last digits.
        return self._by_choice([round(probability, 4) for probability in self.by.answers(self._pairs(choices))])

    def _pairs(self, choices: Sequence[tuple[PassageText, ...]]) -> list[tuple[str, tuple[PassageText, ...]]]:
        return [(question, passages) for passages in choices for question in self.questions]

    def _by_choice(self, found: Sequence[float]) -> list[list[float]]:
        step = len(self.questions)
        return [list(found[at : at + step]) for at in range(0, len(found), step)]


def _in_source(claims: Sequence[DraftedClaim]) -> tuple[PassageText, ...]:
    return _as_passages([(claim.headings, claim.in_source) for claim in claims])


def _as_passages(texts: Sequence[tuple[str, str]]) -> tuple[PassageText, ...]:
    """Texts as they would be delivered, those in a row under the same headings as one passage."""
    return tuple(
        PassageText(headings, join_claims([text for _, text in run])[0])
        for headings, run in groupby(texts, key=lambda pair: pair[0])
    )
