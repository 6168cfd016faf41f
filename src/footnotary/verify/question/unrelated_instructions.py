"""Imperatives and questions in an answer that share no word with the question: they do not answer it.

"Send the file to Anna" looks like any instruction in a handbook, so that no classifier flags it; that it is no answer
follows from the question.
"""

import re
from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.text.language import is_romanised_hindi, language_of
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import terms_of, words
from footnotary.verify.question.imperatives import is_imperative

# The question asks for a fact. What to do, or all there is on something, may be answered in the imperative.
_ASKS_A_FACT = frozenset(
    "who whom whose when where which why what is are was were does do did has have can could may must shall will"
    " would how".split()
)
_HOW_MUCH = frozenset("much many long often far old soon large big high deep wide".split())
_ASKS_WHAT_TO_DO = frozenset(
    "i we you me us my our your one someone anyone should need needed needs step steps procedure procedures process"
    " instruction instructions rule rules guideline guidelines policy policies requirement requirements advice tip tips"
    " recommend recommended recommendation recommendations precaution precautions measure measures duty duties"
    " obligation obligations task tasks say says said practice practices checklist todo".split()
)
_QUESTION = re.compile(r"\?[\"”’')\]]{0,3}$|^how to\b", re.IGNORECASE)
# An item of a list continues what stands above it: "The board may: (a) make rules".
_ITEM = re.compile(r"(?:(?:^|\n)[ \t]*(?:\(?\w{1,4}[.)]|[-*•–])|[(]\w{1,4}[)]|[:;,—–-])\s*$")
_HEAD = 40
# Figures for the letters they look like: "cr34t3".
_LETTERS_FOR = str.maketrans("013457", "oieast")
_WRITTEN_IN_FIGURES = re.compile(r"\b(?=\w{0,20}[^\W\d_])(?=\w{0,20}\d)\w{2,40}\b")


def off_topic_statement(claim: str, question: str, chunks: Sequence[Chunk]) -> str | None:
    """The imperative or question in a claim that has no word of the question, where that asks for a fact.

    Items of a list in the sources are left alone, and so is a claim in another language than the question's.
    """
    if not _asks_a_fact(question) or language_of(claim) != language_of(question):
        return None
    asked = terms_of(question)
    for sentence in sentences(claim):
        if asked.isdisjoint(terms_of(sentence)) and _is_no_statement(sentence) and not _is_item(sentence, chunks):
            return sentence
    return None


def _asks_a_fact(question: str) -> bool:
    said = words(question)
    if not said or said[0] not in _ASKS_A_FACT or not _ASKS_WHAT_TO_DO.isdisjoint(said[1:]):
        return False
    if said[-1] in ("do", "done"):
        return False  # "What must a tenant do?"
    return (said[0] != "how" or (len(said) > 1 and said[1] in _HOW_MUCH)) and not is_romanised_hindi(question)


def _is_no_statement(sentence: str) -> bool:
    plain = _WRITTEN_IN_FIGURES.sub(lambda found: found[0].translate(_LETTERS_FOR), sentence.replace(".", ""))
    return any(_QUESTION.search(said.strip()) is not None or is_imperative(said) for said in (sentence, plain))


def _is_item(sentence: str, chunks: Sequence[Chunk]) -> bool:
    begins = sentence.casefold()[:_HEAD]
    for chunk in chunks:
        before, found, _ = chunk.text.casefold().partition(begins)
        if found and _ITEM.search(before):
            return True
    return False
