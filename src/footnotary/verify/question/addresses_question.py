"""The drafted answer against the question: does it answer it, in every part, and does every claim belong to it?"""

from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.domain.outcome import join_claims
from footnotary.domain.query import Query
from footnotary.domain.verdict import Reason, Verdict
from footnotary.errors import BackendError
from footnotary.ports import Check, PassageText, Reader, Submission
from footnotary.reader.passage_text import passage_text
from footnotary.text.language import is_romanised_hindi, language_of
from footnotary.verify.question.empty_answers import empty_answer
from footnotary.verify.question.unrelated_instructions import off_topic_statement

NAME = "answer_addresses_question"
# A claim with less than this share of the threshold, read alone, is suspected not to belong to the answer.
_SUSPECTED = 0.2
# What is longer than any answer must not hold up a server: of further claims only the whole is read.
_MAX_CLAIMS_ALONE = 60


def answer_addresses_question(by: Reader | None, threshold: float, refusals: Sequence[str] = ()) -> Check:
    """The answer, as it would be delivered, answers the question in all its parts, and every claim belongs to it.

    A refusal text, the question said back, a bare link or page number and a list that is announced and missing are
    refused by exact rules. The reader reads the question with the whole answer, and with each claim, under the headings
    of the cited passages; the probability must reach `threshold`. Without a reader, or in a language it has not
    learned, instructions and questions unrelated to what was asked are refused in its place. Without a question, or
    without a claim, the check does not apply, and passes.
    """

    def check(s: Submission) -> Verdict:
        claims = s.draft.claims
        if not s.query.text.strip() or not claims:
            return Verdict.passed(NAME, "no question was given" if claims else "")
        if (empty := empty_answer(s.query.text, [claim.text for claim in claims], refusals)) is not None:
            return _off_question(empty[0], (empty[1],))
        if by is None or threshold <= 0 or not _is_readable(s, by):
            return _lexical_verdict(s)
        if not _read_parts(s.query):
            return Verdict.passed(NAME, "the question only names a provision")
        try:
            return _DraftReading(s, by, threshold).verdict()
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
        unrelated = off_topic_statement(claim.text, s.query.text, _cited(claim, s))
        if unrelated is not None:
            return _off_question(f"{unrelated!r} states nothing, and has no word of the question", (number,))
    return Verdict.passed(NAME, "checked by exact rules")


class _DraftReading:
    """What a reader says of one submission."""

    def __init__(self, s: Submission, by: Reader, threshold: float) -> None:
        self._by, self._threshold = by, threshold
        self._claims = [(claim.text, _headings(_cited(claim, s), by)) for claim in s.draft.claims]
        self._questions = _read_parts(s.query)

    def verdict(self) -> Verdict:
        everything = range(len(self._claims))
        alone = [[number] for number in everything[:_MAX_CLAIMS_ALONE]] if len(self._claims) > 1 else []
        whole, *each = self._probabilities([list(everything), *alone])
        for question, probability in zip(self._questions, whole, strict=True):
            if probability < self._threshold:
                part = f" {question!r}" if len(self._questions) > 1 else ""
                detail = f"the draft answers{part} with probability {probability:.2f}, {self._threshold:.2f} asked"
                return _off_question(detail)
        suspected = [n for n, found in enumerate(each) if max(found) < _SUSPECTED * self._threshold]
        rests = self._probabilities([[other for other in everything if other != number] for number in suspected])
        for number, rest in zip(suspected, rests, strict=True):
            if all(without >= with_it for without, with_it in zip(rest, whole, strict=True)):
                detail = (
                    f"{self._claims[number][0]!r} does not belong to the answer: probability {max(each[number]):.2f}"
                )
                return _off_question(detail, (number,))
        return Verdict.passed(NAME, f"lowest probability {min(whole):.2f}, read by {self._by.name}")

    def _probabilities(self, choices: Sequence[Sequence[int]]) -> list[list[float]]:
        """For each choice of claims, the probability that together they answer each part of the question."""
        if not choices:
            return []
        pairs = [(question, self._passages(chosen)) for chosen in choices for question in self._questions]
        # Machines may differ in the last digits.
        found = [round(probability, 4) for probability in self._by.answers(pairs)]
        step = len(self._questions)
        return [found[at : at + step] for at in range(0, len(found), step)]

    def _passages(self, chosen: Sequence[int]) -> tuple[PassageText, ...]:
        """The claims as they would be delivered, those in a row under the same headings as one passage."""
        runs: list[tuple[str, list[str]]] = []
        for text, headings in (self._claims[number] for number in chosen):
            if not runs or runs[-1][0] != headings:
                runs.append((headings, []))
            runs[-1][1].append(text)
        return tuple(PassageText(headings, join_claims(texts)[0]) for headings, texts in runs)


def _read_parts(query: Query) -> list[str]:
    """The parts of a question as they are read; one that only names a provision is matched by the gate instead."""
    parts = [facet.text for facet in query.facets if facet.subject or not facet.references]
    return parts if len(query.facets) > 1 else [query.asks for _ in parts]


def _cited(claim: Claim, s: Submission) -> list[Chunk]:
    return [chunk for cited in claim.cites if (chunk := s.evidence.chunk(cited)) is not None]


def _headings(chunks: Sequence[Chunk], by: Reader) -> str:
    """The headings of the first cited passage; none where they are in a language the reader has not learned."""
    if not chunks:
        return ""
    headings = passage_text(chunks[0]).headings
    return headings if language_of(headings) in by.languages else ""
