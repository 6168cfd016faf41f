"""Compares the drafted answer with the question: is every part answered, and does every claim belong to the answer?"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from footnotary.domain.chunk import Chunk
from footnotary.domain.draft import Claim
from footnotary.domain.query import Query
from footnotary.domain.verdict import Reason, Value, Verdict
from footnotary.errors import BackendError
from footnotary.ports import Check, Reader, Submission
from footnotary.reader.by_language import reader_knowing
from footnotary.reader.draft_reading import DraftedClaim, read_draft
from footnotary.text.language import is_romanised_hindi, language_of
from footnotary.verify.meaning.supporting_sentence import best_quote
from footnotary.verify.meaning.word_overlap import find_whole_words
from footnotary.verify.question.empty_answers import empty_answer
from footnotary.verify.question.part_for_total import part_given_for_total
from footnotary.verify.question.unrelated_instructions import off_topic_statement

NAME = "answer_addresses_question"


def answer_addresses_question(
    by: Reader | None, threshold_for: Callable[[str], float], refusals: Sequence[str] = ()
) -> Check:
    """The answer, as it would be delivered, answers the question in all its parts, and every claim belongs to it.

    Exact rules refuse a refusal, words about sources only, the repeated question, a bare link or page number, a missing
    list, and a part of a table where a total is asked for. The reader reads the question with the whole answer, and
    with each claim, under the headings of the cited passages; the probability must reach the threshold for the
    question's language. A reworded answer may reach it in the wording of its source, unless it is far below by itself.
    Without a reader, or in a language it has not learned, instructions and questions unrelated to the question are
    refused instead. Without a question or a claim the check passes.
    """

    def check(s: Submission) -> Verdict:
        claims, threshold = s.draft.claims, threshold_for(s.query.language)
        reader = reader_knowing(by, s.query.language)
        if not s.query.text.strip() or not claims:
            return Verdict.passed(NAME, "no question was given" if claims else "")
        if (empty := empty_answer(s.query.text, [claim.text for claim in claims], refusals)) is not None:
            return _off_question(empty[0], (empty[1],))
        given = [(claim.text, s.evidence.cited(claim.cites)) for claim in claims]
        if (part := part_given_for_total(s.query.asks, given)) is not None:
            return _off_question(part[0], (part[1],))
        if reader is None or threshold <= 0 or not _is_readable(s, reader):
            return _lexical_verdict(s)
        if not _read_parts(s.query):
            return Verdict.passed(NAME, "the question only names a provision")
        try:
            return _read_verdict(s, reader, threshold)
        except BackendError as error:
            return Verdict.skipped(NAME, Reason.OFF_QUESTION, f"the check could not run: {error.message}")

    return check


def _off_question(detail: str, claims: tuple[int, ...] = (), **values: Value) -> Verdict:
    return Verdict.failed(NAME, Reason.OFF_QUESTION, detail, claims, **values)


def _is_readable(s: Submission, by: Reader) -> bool:
    """Whether question and answer are in a language the reader has learned."""
    texts = (s.query.text, *(claim.text for claim in s.draft.claims))
    return all(language_of(text) in by.languages and not is_romanised_hindi(text) for text in texts)


def _lexical_verdict(s: Submission) -> Verdict:
    for number, claim in enumerate(s.draft.claims):
        if unrelated := off_topic_statement(claim.text, s.query.text, s.evidence.cited(claim.cites)):
            return _off_question(f"{unrelated!r} states nothing and has no word of the question", (number,))
    return Verdict.passed(NAME, "checked by exact rules")


def _read_verdict(s: Submission, by: Reader, threshold: float) -> Verdict:
    questions = _read_parts(s.query)
    cited = [s.evidence.cited(claim.cites) for claim in s.draft.claims]
    claims = [
        _read_claim(claim, chunks, before, by)
        for claim, chunks, before in zip(s.draft.claims, cited, [(), *cited], strict=False)
    ]
    found = read_draft(questions, claims, by, threshold)
    if (missing := found.unanswered(threshold)) is not None:
        asked = repr(questions[missing]) if len(questions) > 1 else "the question"
        detail, probability = f"the drafted answer does not answer {asked}", found.probabilities[missing]
        return _off_question(detail, part=questions[missing], probability=probability, threshold=threshold)
    if found.stray is not None:
        detail = f"{claims[found.stray].drafted!r} does not belong to the answer"
        return _off_question(detail, (found.stray,), probability=found.stray_probability)
    return Verdict.passed(NAME, lowest_probability=min(found.probabilities), threshold=threshold, reader=by.name)


def _read_claim(claim: Claim, chunks: Sequence[Chunk], before: Sequence[Chunk], by: Reader) -> DraftedClaim:
    """A claim with the headings of the first passage it cites, and with the sentences of its sources if reworded.

    `before` are the passages of the claim before it.
    """
    if not chunks:
        return DraftedClaim("", claim.text, claim.text)
    copied = DraftedClaim.copied(claim.text, chunks[0], by, before[-1] if before else None)
    if any(find_whole_words(claim.text.rstrip(" ."), chunk.text) >= 0 for chunk in chunks):
        return copied
    quotes = (best_quote(claim.text, chunk.text)[0].of(chunk.text) for chunk in chunks)
    return replace(copied, in_source=" ".join(dict.fromkeys(quotes)))


def _read_parts(query: Query) -> list[str]:
    """The parts of a question to read; one that only names a provision is matched by the gate instead."""
    parts = [facet.text for facet in query.facets if facet.subject or not facet.references]
    return parts if len(query.facets) > 1 else [query.asks for _ in parts]
