"""The drafted answer against the question: does it answer it, in every part, and does every claim belong to it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.domain.outcome import join_claims
from footnotary.domain.query import Query
from footnotary.domain.verdict import Reason, Verdict
from footnotary.errors import BackendError
from footnotary.ports import Check, PassageText, Reader, Submission
from footnotary.reader.by_language import draft_reader
from footnotary.reader.cascade import LIKELY, glance_at
from footnotary.reader.passage_text import passage_text
from footnotary.text.language import is_romanised_hindi, language_of
from footnotary.verify.meaning.supporting_sentence import best_quote
from footnotary.verify.meaning.word_overlap import find_whole_words
from footnotary.verify.question.empty_answers import empty_answer
from footnotary.verify.question.unrelated_instructions import off_topic_statement

NAME = "answer_addresses_question"
# Beside a claim that answers alone, one with less than this share of the threshold is suspected not to belong to it,
_SUSPECTED = 1 / 3
# and does not if the others answer as well without it, but for this much: a longer answer reads a little better.
_SLACK = 0.02
# An answer in words of its own with less than this share of it is not helped by what its source says beside it.
_DOUBTED = 0.1
# What is longer than any answer must not hold up a server: of further claims only the whole is read.
_MAX_CLAIMS_ALONE = 60


def answer_addresses_question(by: Reader | None, threshold: float, refusals: Sequence[str] = ()) -> Check:
    """The answer, as it would be delivered, answers the question in all its parts, and every claim belongs to it.

    A refusal, words about sources only, the question said back, a bare link or page number and a list that is missing
    are refused by exact rules. The reader reads the question with the whole answer, and with each claim, under the
    headings of the cited passages; the probability must reach `threshold`. An answer in words of its own may reach it
    in those of its source, unless it is far below by itself. Without a reader, or in a language it has not learned,
    instructions and questions unrelated to what was asked are refused in its place. Without a question, or without a
    claim, the check does not apply, and passes.
    """

    reader = draft_reader(by)

    def check(s: Submission) -> Verdict:
        claims = s.draft.claims
        if not s.query.text.strip() or not claims:
            return Verdict.passed(NAME, "no question was given" if claims else "")
        if (empty := empty_answer(s.query.text, [claim.text for claim in claims], refusals)) is not None:
            return _off_question(empty[0], (empty[1],))
        if reader is None or threshold <= 0 or not _is_readable(s, reader):
            return _lexical_verdict(s)
        if not _read_parts(s.query):
            return Verdict.passed(NAME, "the question only names a provision")
        try:
            return _DraftReading(s, reader, threshold).verdict()
        except BackendError as error:
            return Verdict.skipped(NAME, Reason.OFF_QUESTION, f"the check could not run: {error.message}")

    return check


def _off_question(detail: str, claims: tuple[int, ...] = ()) -> Verdict:
    return Verdict.failed(NAME, Reason.OFF_QUESTION, detail, claims)


def _is_readable(s: Submission, by: Reader) -> bool:
    """Whether question and answer are in a language the reader has learned."""
    texts = (s.query.text, *(claim.text for claim in s.draft.claims))
    return all(language_of(text) in by.languages and not is_romanised_hindi(text) for text in texts)


def _lexical_verdict(s: Submission) -> Verdict:
    for number, claim in enumerate(s.draft.claims):
        unrelated = off_topic_statement(claim.text, s.query.text, s.evidence.cited(claim.cites))
        if unrelated is not None:
            return _off_question(f"{unrelated!r} states nothing, and has no word of the question", (number,))
    return Verdict.passed(NAME, "checked by exact rules")


@dataclass(frozen=True, slots=True)
class _ReadClaim:
    """A claim as it is read: as drafted and in the words of its source, which are the same for a copied claim."""

    headings: str
    drafted: str
    in_source: str


class _DraftReading:
    """What a reader says of one submission."""

    def __init__(self, s: Submission, by: Reader, threshold: float) -> None:
        self._by, self._threshold = by, threshold
        self._claims = [_read_claim(claim, s.evidence.cited(claim.cites), by) for claim in s.draft.claims]
        self._questions = _read_parts(s.query)

    def verdict(self) -> Verdict:
        everything = self._claims
        drafted, whole = self._probabilities([_drafted(everything), _in_source(everything)])
        for question, own, restated in zip(self._questions, drafted, whole, strict=True):
            probability = max(own, restated) if own >= _DOUBTED * self._threshold else own
            if probability < self._threshold:
                part = f" {question!r}" if len(self._questions) > 1 else ""
                detail = f"the draft answers{part} with probability {probability:.2f}, {self._threshold:.2f} asked"
                return _off_question(detail)
        each = self._each_alone(everything[:_MAX_CLAIMS_ALONE]) if len(everything) > 1 else []
        suspected = [n for n, found in enumerate(each) if max(found) < _SUSPECTED * self._threshold]
        if all(max(found) < self._threshold for found in each):
            suspected = []  # items of a list answer together
        rests = self._probabilities([_in_source([*everything[:n], *everything[n + 1 :]]) for n in suspected])
        for number, rest in zip(suspected, rests, strict=True):
            if all(without >= with_it - _SLACK for without, with_it in zip(rest, whole, strict=True)):
                said, probability = everything[number].drafted, max(each[number])
                detail = f"{said!r} does not belong to the answer: it answers with probability {probability:.2f}"
                return _off_question(detail, (number,))
        return Verdict.passed(NAME, f"lowest probability {min(map(max, drafted, whole)):.2f}, read by {self._by.name}")

    def _each_alone(self, claims: Sequence[_ReadClaim]) -> list[list[float]]:
        """For each claim the probability that it answers each part; a glance will do where it is likely."""
        alone = [_in_source([claim]) for claim in claims]
        found = self._by_choice(glance_at(self._by, self._pairs(alone)))
        doubtful = [number for number, glances in enumerate(found) if max(glances) < LIKELY]
        for number, read in zip(doubtful, self._probabilities([alone[number] for number in doubtful]), strict=True):
            found[number] = read
        return found

    def _probabilities(self, choices: Sequence[tuple[PassageText, ...]]) -> list[list[float]]:
        """For each choice of claims, the probability that together they answer each part of the question."""
        # Machines may differ in the last digits.
        return self._by_choice([round(probability, 4) for probability in self._by.answers(self._pairs(choices))])

    def _pairs(self, choices: Sequence[tuple[PassageText, ...]]) -> list[tuple[str, tuple[PassageText, ...]]]:
        return [(question, passages) for passages in choices for question in self._questions]

    def _by_choice(self, found: Sequence[float]) -> list[list[float]]:
        step = len(self._questions)
        return [list(found[at : at + step]) for at in range(0, len(found), step)]


def _drafted(claims: Sequence[_ReadClaim]) -> tuple[PassageText, ...]:
    return _as_passages([(claim.headings, claim.drafted) for claim in claims])


def _in_source(claims: Sequence[_ReadClaim]) -> tuple[PassageText, ...]:
    return _as_passages([(claim.headings, claim.in_source) for claim in claims])


def _as_passages(texts: Sequence[tuple[str, str]]) -> tuple[PassageText, ...]:
    """Texts as they would be delivered, those in a row under the same headings as one passage."""
    return tuple(
        PassageText(headings, join_claims([text for _, text in run])[0])
        for headings, run in groupby(texts, key=lambda pair: pair[0])
    )


def _read_claim(claim: Claim, chunks: Sequence[Chunk], by: Reader) -> _ReadClaim:
    """A claim with the headings of the first passage it cites, unless they are in a language the reader does not know.

    A claim in words of its own, such as "He teaches sport.", may say too little alone; its source says who.
    """
    headings = passage_text(chunks[0], claim.text).headings if chunks else ""
    if language_of(headings) not in by.languages:
        headings = ""
    if not chunks or any(find_whole_words(claim.text.rstrip(" ."), chunk.text) >= 0 for chunk in chunks):
        return _ReadClaim(headings, claim.text, claim.text)
    quotes = (best_quote(claim.text, chunk.text)[0].of(chunk.text) for chunk in chunks)
    return _ReadClaim(headings, claim.text, " ".join(dict.fromkeys(quotes)))


def _read_parts(query: Query) -> list[str]:
    """The parts of a question as they are read; one that only names a provision is matched by the gate instead."""
    parts = [facet.text for facet in query.facets if facet.subject or not facet.references]
    return parts if len(query.facets) > 1 else [query.asks for _ in parts]
