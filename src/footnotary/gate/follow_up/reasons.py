""" "Why?", asked of what was answered: "Why is it that a contract made by a minor is void?"."""

import re

from footnotary.domain.conversation import EarlierTurn
from footnotary.gate.follow_up.noun_phrases import AUXILIARIES, is_hindi, question_words, stems
from footnotary.gate.follow_up.pronouns import points_back, without_yes_or_no
from footnotary.text.sentences.splitter import sentences
from footnotary.text.stopwords import STOP_WORDS

_WHY = re.compile(r"(?:for what reason|what(?:'?s)? the reason|why(?:'?s)?|how come|how so)\b", re.IGNORECASE)
_HINDI_WHY = re.compile(r"(?<![\u0900-\u097f])क्यों(?![\u0900-\u097f])")
_HAPPENS = stems("happen")
_MARKER = re.compile(r"\s*\[[^\[\]]{1,80}\]")
_LONGEST = 30


def asks_why(text: str) -> bool:
    """Whether a question asks for the reason of what was answered: "why?", "why only 14?", "why was it repealed?"."""
    reason = _reason(text)
    if reason is None or is_hindi(text):
        return reason is not None and len(question_words(reason)) <= 3
    first = next((word.key for word in question_words(reason)), "")
    return not stems(reason) - _HAPPENS or first.split("n't")[0] not in AUXILIARIES or points_back(reason)


def ask_why(text: str, last: EarlierTurn) -> str | None:
    """The reason asked of the one sentence of the answer that has what `text` names; None if there are several."""
    named = stems(re.sub(r"\bso \w+$", "", _reason(text) or "")) - _HAPPENS
    said = sentences(without_yes_or_no(_MARKER.sub("", last.answer).strip()))
    # "At least 100 grams." is no whole sentence; one that is names what was asked about.
    whole = [one for one in said if len(one.split()) > 2 and stems(one) & stems(last.question)]
    whole = [one for one in whole if named <= stems(one) and len(one.split()) <= _LONGEST and "\n" not in one]
    return _why(whole[0]) if whole and (named or len(said) == 1) else None


def _reason(text: str) -> str | None:
    """What follows "why" and the like; None if a text does not ask for a reason."""
    bare = text.strip(" ?.!।")
    if is_hindi(bare):
        return _HINDI_WHY.sub("", bare) if _HINDI_WHY.search(bare) else None
    found = _WHY.match(bare)
    return bare[found.end() :] if found else None


def _why(fact: str) -> str:
    bare = fact.rstrip(" .!।")
    if is_hindi(bare):
        return f"{bare}, क्यों?"
    return f"Why is it that {_lowered(bare)}?"


def _lowered(text: str) -> str:
    """The text without the capital letter of a sentence, where that is none of a name."""
    first = text.split()[0]
    return f"{text[:1].lower()}{text[1:]}" if first.casefold() in STOP_WORDS and first != "I" else text
