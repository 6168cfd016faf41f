""" "Why?", asked of what was answered: "Why is it that a contract made by a minor is void?"."""

import re

from footnotary.domain.conversation import EarlierTurn
from footnotary.gate.follow_up.noun_phrases import AUXILIARIES, is_hindi, question_words, stems
from footnotary.text.sentences.splitter import sentences
from footnotary.text.stopwords import STOP_WORDS

_WHY = re.compile(
    r"(?:why|how come|how so|why so|why not|why is (?:that|this|it)(?: so)?|why (?:does|did) (?:that|this|it) happen"
    r"|what(?:'?s| is| was) the reason(?: for (?:that|this|it))?|for what reason|ऐसा क्यों|क्यों|क्यों नहीं)",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(r"(?:yes|no|हाँ|हां|जी हाँ|नहीं|जी नहीं)\s*[,.;:।-]?\s*", re.IGNORECASE)
_MARKER = re.compile(r"\s*\[[^\[\]]{1,80}\]")
_LONGEST = 30


def asks_why(text: str) -> bool:
    """Whether a question asks for the reason of what was answered, and nothing else."""
    return _WHY.fullmatch(text.strip(" ?.!।")) is not None


def ask_why(last: EarlierTurn) -> str | None:
    """The reason asked of the answer, which must be one short sentence, or of a question that was answered "yes"."""
    said = _MARKER.sub("", last.answer).strip()
    yes_or_no = _YES_OR_NO.match(said)
    fact = said[yes_or_no.end() :] if yes_or_no else said
    found = sentences(fact)
    # "At least 100 grams." is no whole sentence; one that is names what was asked about.
    is_whole = len(fact.split()) > 2 and bool(stems(fact) & stems(last.question) or is_hindi(fact))
    if len(found) == 1 and is_whole and len(fact.split()) <= _LONGEST and "\n" not in fact:
        return _why(fact)
    words = question_words(last.question)
    if yes_or_no and yes_or_no.group()[:1] in "Yy" and words and words[0].key in AUXILIARIES:
        return f"Why {last.question[:1].lower()}{last.question[1:]}"
    return None


def _why(fact: str) -> str:
    bare = fact.rstrip(" .!।")
    if is_hindi(bare):
        return f"{bare}, क्यों?"
    first = bare.split()[0]
    bare = f"{bare[:1].lower()}{bare[1:]}" if first.casefold() in STOP_WORDS and first != "I" else bare
    return f"Why is it that {bare}?"
