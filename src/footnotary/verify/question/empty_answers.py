"""Exact rules for empty answers: refusals, words about sources, the repeated question, links, cut-off lists."""

import re
from collections.abc import Sequence

from footnotary.domain.outcome import join_claims
from footnotary.text.normalise import same_message
from footnotary.text.sentences.factual_content import has_factual_content
from footnotary.text.stopwords import MODALS, QUESTION_WORDS
from footnotary.text.tokens import content_terms, stem, words
from footnotary.verify.form.markup import is_link

# Words that a statement needs and a question may lack: a claim that adds only these says nothing new.
_FRAME = frozenset(
    "a an the there am is are was were be been being do does did has have had of for in on to by with at from under"
    " का की के को से में पर ने है हैं था थी थे हो गया गई गए हुआ हुई हुए".split()
)
# A question that begins with one of these asks for yes or no.
_ASKING = MODALS | frozenset("am is are was were do does did has have had".split())
# These may offer the answer themselves: "Which is larger, Jupiter or Saturn?"; "क्या" also asks for yes or no.
_CHOOSING = frozenset({"which", "or", "between", "whether", "या", "क्या", "कौन", "कौनसा", "कौनसी", "कौनसे"})
_PAGE = re.compile(r"\W*(?:(?:p|pp|page|pages|पृष्ठ)\b\W*)\d+(?:\W+(?:of\W+)?\d+)?\W*", re.IGNORECASE)
_LEAD_IN = re.compile(r"[:\u2013\u2014]\s*$")


def empty_answer(question: str, claims: Sequence[str], refusals: Sequence[str] = ()) -> tuple[str, int] | None:
    """Why a draft says nothing, and the claim concerned; None if no rule applies.

    `refusals` are the exact refusal texts. The repeated question counts only if the question has a question word and
    offers no alternatives: "Is the appeal dismissed?" is answered by "The appeal is dismissed."
    """
    for number, claim in enumerate(claims):
        if any(same_message(claim, text) for text in refusals):
            return "a claim is the refusal text", number
        if _is_only_link(claim):
            return f"{claim!r} is only a link", number
        if _PAGE.fullmatch(claim):
            return f"{claim!r} is only a page number", number
    # "I cannot answer that." is about answers only; "No." and "He does." answer a question.
    if claims and not any(has_factual_content(claim) or not content_terms(claim) for claim in claims):
        return f"{claims[0]!r} says nothing but that there are sources or none", 0
    if claims and _LEAD_IN.search(claims[-1]):
        return f"{claims[-1]!r} announces what does not follow", len(claims) - 1
    if claims and _repeats_question(question, join_claims(claims)[0]):
        return "the draft only repeats the question", 0
    return None


def _is_only_link(claim: str) -> bool:
    pieces = claim.split()
    return any(is_link(piece) for piece in pieces) and all(is_link(piece) or not words(piece) for piece in pieces)


def _repeats_question(question: str, answer: str) -> bool:
    asked = frozenset(words(question))
    if not _ASKING.isdisjoint(words(question)[:1]):
        return False
    if asked.isdisjoint(QUESTION_WORDS) or not asked.isdisjoint(_CHOOSING):
        return False
    said = frozenset(words(answer)) - _FRAME
    return bool(said) and frozenset(map(stem, said)) <= frozenset(map(stem, asked))
