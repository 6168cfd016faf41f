"""Puts the number of a fragment in the place of the one in the question before: "183", "flat 14", "the second one"."""

import re

from footnotary.gate.follow_up.noun_phrases import PREPOSITIONS, is_hindi, question_words, stems

_NUMBER = re.compile(r"(?<![\w.])\d[\d,.]*(?<![.,])[A-Za-z]?(?!\w)")
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_ORDINAL = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d+(?:st|nd|rd|th))\b", re.IGNORECASE
)


def has_number(text: str) -> bool:
    return _NUMBER.search(text) is not None


def number_put_in_place(frame: str, named: str) -> str | None:
    """ "183" for the only number of the question, and "flat 14" for the number behind "flat"."""
    new, old = _NUMBER.findall(named), list(_NUMBER.finditer(frame))
    if len(new) != 1 or not old:
        return None
    rest = stems(_NUMBER.sub(" ", named))
    if rest:
        old = [found for found in old if rest == _last_stems(frame[: found.start()]) or _unit(frame, found) == rest]
    if len(old) != 1 or old[0].group() == new[0]:
        return None
    if not rest and _changes_what(frame, named) and not (_YEAR.fullmatch(new[0]) and _YEAR.fullmatch(old[0].group())):
        return None
    return f"{frame[: old[0].start()]}{new[0]}{frame[old[0].end() :]}"


def _last_stems(text: str) -> set[str]:
    words = [word for word in question_words(text) if word.is_content]
    return stems(words[-1].key) if words else set()


def _unit(frame: str, number: re.Match[str]) -> set[str]:
    words = question_words(frame[number.end() :])
    return stems(words[0].key) if words else set()


def _changes_what(frame: str, named: str) -> bool:
    """Whether a fragment has a preposition that the number of the question does not go with: "above 4"."""
    words = question_words(named)
    return not is_hindi(named) and words[0].key in PREPOSITIONS and f"{words[0].key} " not in f"{frame.casefold()} "


def ordinal_put_in_place(frame: str, named: str) -> str | None:
    new, old = _ORDINAL.findall(named), list(_ORDINAL.finditer(frame))
    bare = re.sub(r"\b(?:the|one|ones)\b", " ", _ORDINAL.sub(" ", named), flags=re.IGNORECASE)
    only = not [word for word in question_words(bare) if word.key not in PREPOSITIONS]
    if len(new) == 1 and len(old) == 1 and only and new[0].casefold() != old[0].group().casefold():
        return f"{frame[: old[0].start()]}{new[0]}{frame[old[0].end() :]}"
    return None
