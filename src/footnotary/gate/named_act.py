"""The law a question asks under: "... under the Minimum Wages Act", "मजदूरी संहिता के अधीन ..."."""

import re

from footnotary.text.references.provisions import references

# "... under the Minimum Wages Act", "... in the Code on Wages, 2019": the law a question asks under.
_UNDER = re.compile(
    r"\b(?:(?:under|of|in|by|per|to)\s+(?:the\s+)?|the\s+(?=[A-Z][\w'’-]*\s+(?:(?:and|on|of)\s+)?[A-Z]))"
    r"((?:[A-Z][\w'’-]*\s+(?:(?:and|on|of|for|to|in)\s+)?){0,7}(?:Act|Code|Rules?|Regulations?|Constitution|Sanhita|Adhiniyam|Ordinance)"
    r"(?:\s+on\s+[A-Z]\w*)?(?:,?\s+(?:of\s+)?\d{4})?)(?![\w])"
)
# "मजदूरी संहिता, 2019 के अधीन ...": in Hindi the name ends with what kind of law it is. The words after it show that
# the question asks under this law, or where the law applies; "अधिनियम कब पारित हुआ?" asks about it.
_HINDI_ACT = re.compile(
    r"(?:अधिनियम|संहिता|नियमावली)(?:,? [12०-९\d][\d०-९]{3})?"
    r"(?= (?:में|के (?:अधीन|अंतर्गत|अन्तर्गत|तहत|अनुसार)|कहाँ|कहां|किन पर|किस पर|का विस्तार)(?![\u0900-\u0963]))"
)
_BEFORE_HINDI_ACT = frozenset(
    "क्या में पर लिए अनुसार तहत अधीन अंतर्गत अन्तर्गत परिभाषा अर्थ कि यह इस उस किस कौन कौनसा कहाँ कहां कब कैसे को ने".split()
)
_CASE_MARKS = frozenset({"का", "की", "के", "से", "और", "तथा"})


def named_law(part: str) -> str | None:
    """The law that a part names without a provision, as written."""
    if under := _UNDER.search(part):
        return under.group(1)
    if (end := _HINDI_ACT.search(part)) is None:
        return None
    before = part[: end.start()].split()
    start = len(before)
    while start and before[start - 1].strip(",") not in _BEFORE_HINDI_ACT and before[start - 1][-1] not in "।?;":
        start -= 1
    while start < len(before) and before[start] in _CASE_MARKS:  # "मजदूरी की परिभाषा का ... अधिनियम"
        start += 1
    return " ".join((*before[start:], end.group())) if start < len(before) else None


def without_law(part: str) -> str:
    """`part` without the law it names in English, with the word before it."""
    return _UNDER.sub("", part)


def law_of(text: str) -> str | None:
    """The law that a text names, alone or with a provision."""
    return next((found.act for found, _ in references(text) if found.act), None) or named_law(text)


def under_same_law(question: str, before: str) -> str:
    """A question that names no law, under the one of the question before it."""
    law = law_of(before)
    if law is None or law in question or law_of(question) is not None or references(question):
        return with_its_act(question, before)
    return f"{question.rstrip(' ?.!')} under the {law}?"


def with_its_act(question: str, before: str) -> str:
    """A section named without its act belongs to the act mentioned before."""
    named, law = references(question), law_of(before)
    if not named or law is None or law_of(question) is not None:
        return question
    end = named[-1][1].end
    return f"{question[:end]} of the {law}{question[end:]}"
