""" "Why?", asked of what was answered: "Why is it that a contract made by a minor is void?"."""

import re

from footnotary.domain.conversation import EarlierTurn
from footnotary.gate.follow_up.noun_phrases import ASKED, AUXILIARIES, is_hindi, question_words, stems
from footnotary.gate.follow_up.pronouns import points_back, without_yes_or_no
from footnotary.text.sentences.splitter import sentences
from footnotary.text.stopwords import STOP_WORDS

_WHY = re.compile(
    r"(?:for what reason|what(?:'?s| is| was) the reason(?: for)?|what for|why(?:'?s)?|how come|how so)\b",
    re.IGNORECASE,
)
_HINDI_WHY = re.compile(r"(?<![\u0900-\u097f])(?:ऐसा )?क्यों(?![\u0900-\u097f])")
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
    """The reason asked of a sentence of the answer that has what `text` names, or of what question and answer state."""
    named = stems(re.sub(r"\bso \w+$", "", _reason(text) or "")) - _HAPPENS
    said = _MARKER.sub("", last.answer).strip()
    fact = without_yes_or_no(said)
    asked = stems(last.question)
    # "At least 100 grams." is no whole sentence; one that is names what was asked about.
    whole = [one for one in sentences(fact) if len(one.split()) > 2 and (stems(one) & asked or _is_clause(one, said))]
    whole = [one for one in whole if named <= stems(one) and len(one.split()) <= _LONGEST and "\n" not in one]
    if whole and (named or len(sentences(fact)) == 1):
        return _why(whole[0])
    aux = next((word.key for word in question_words(last.question)), "")
    if aux in AUXILIARIES and said[:3].casefold() == "yes" and not named - asked:
        return f"Why {aux}{last.question[len(aux) :]}"
    if aux in AUXILIARIES and said[:2].casefold() == "no" and re.search(r"\bnot\b", text, re.IGNORECASE):
        return f"Why {aux} not{last.question[len(aux) :]}" if not whole else None
    is_short = len(fact.split()) <= 6 and len(sentences(fact)) == 1 and not named - stems(fact)
    return _stated(last.question, fact.rstrip(" .!")) if is_short and fact and not whole else None


def _is_clause(sentence: str, answer: str) -> bool:
    """Whether a sentence is whole by its form, behind a "no" or "yes" of the answer."""
    has_verb = any(word.key in AUXILIARIES for word in question_words(sentence)[1:])
    return is_hindi(sentence) or (has_verb and without_yes_or_no(answer) != answer)


def _reason(text: str) -> str | None:
    """What follows "why" and the like; None if a text does not ask for a reason."""
    bare = text.strip(" ?.!।")
    if is_hindi(bare):
        return _HINDI_WHY.sub("", bare) if _HINDI_WHY.search(bare) else None
    found = _WHY.match(bare)
    return bare[found.end() :] if found else None


def _stated(question: str, answer: str) -> str | None:
    """ "Why is the period 14 days?", of "How long is the period?" answered with "14 days"."""
    found = ASKED.fullmatch(question.rstrip(" ?.!"))
    if found is None or not found["wh"]:
        return None
    of = "" if stems(found["of"]) <= stems(answer) else found["of"]
    return f"Why {found['aux']} {found['rest']} {_lowered(answer)}{of}?"


def _why(fact: str) -> str:
    bare = fact.rstrip(" .!।")
    if is_hindi(bare):
        return f"{bare}, क्यों?"
    return f"Why is it that {_lowered(bare)}?"


def _lowered(text: str) -> str:
    """The text without the capital letter of a sentence, where that is none of a name."""
    first = text.split()[0]
    return f"{text[:1].lower()}{text[1:]}" if first.casefold() in STOP_WORDS and first != "I" else text
