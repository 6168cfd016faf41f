"""Single-fact corruptions and light rewordings of statute sentences, made by rule.

Each rule takes a sentence and gives the changed one, or None where it has nothing to change. A rule never looks at what
the checks do; it only changes what a reader would call the fact.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Rule = Callable[[str], str | None]

_NUMBERS = "two three four five six seven eight nine ten twelve fourteen fifteen twenty thirty sixty ninety".split()
_COUNTED = re.compile(
    rf"\b({'|'.join(_NUMBERS)}|\d{{1,3}})(?=[ -](?:(?:working|calendar|consecutive) )?"
    r"(?:years?|months?|weeks?|days?|hours?|rupees|per ?cent|lakh|crore|thousand|hundred|members|employees|persons)\b)",
    re.IGNORECASE,
)
_UNITS = {"years": "months", "year": "month", "months": "years", "month": "year", "days": "months", "hours": "days"}
_PARTIES = [
    ("Central Government", "State Government"), ("State Government", "Central Government"), ("employer", "employee"),
    ("employee", "employer"), ("covered entity", "business associate"), ("business associate", "covered entity"),
    ("complainant", "accused"), ("Data Fiduciary", "Data Principal"), ("Data Principal", "Data Fiduciary"),
    ("District Commission", "State Commission"), ("State Commission", "National Commission"),
    ("Central Public Information Officer", "State Public Information Officer"), ("manufacturer", "consumer"),
    ("Magistrate", "police officer"), ("individual", "covered entity"), ("Secretary", "covered entity"),
]  # fmt: skip
_ACTING = (
    r"(?:employers?|employees?|covered entity|business associate|individual|Central Government|State Government|"
    r"District Commission|State Commission|National Commission|complainant|consumer|manufacturer|product seller|"
    r"Data Fiduciary|Data Principal|Board|applicant|public authority|Information Commission|Secretary)"
)
_TWO_PARTIES = re.compile(
    rf"\b((?:[Tt]he|[Aa]n?|[Aa]ny|[Ee]very) )({_ACTING})( (?:shall|may|must) (?:\w+ ){{1,4}}?(?:to )?(?:the|an?|any|every|such) )"
    rf"({_ACTING})\b"
)


def number(sentence: str) -> str | None:
    def other(match: re.Match[str]) -> str:
        word = match[1]
        if word.isdigit():
            return str(int(word) + (10 if int(word) < 50 else 25))
        changed = _NUMBERS[(_NUMBERS.index(word.lower()) + 5) % len(_NUMBERS)]
        return changed.capitalize() if word[0].isupper() else changed

    return _changed(sentence, _COUNTED.sub(other, sentence, count=1))


def unit(sentence: str) -> str | None:
    pattern = re.compile(rf"(?<=[a-z0-9] )({'|'.join(_UNITS)})\b(?! of age)")
    match = next((m for m in pattern.finditer(sentence) if _is_counted(sentence, m.start())), None)
    return match and sentence[: match.start()] + _UNITS[match[1]] + sentence[match.end() :]


def _is_counted(sentence: str, at: int) -> bool:
    before = sentence[:at].split()[-1].lower()
    return before.isdigit() or before in _NUMBERS or before == "one"


def negation_added(sentence: str) -> str | None:
    if re.search(r"\b(?:not|no|nothing|without|neither|nor)\b", sentence, re.IGNORECASE):
        return None
    return _changed(sentence, re.sub(r"\b(shall|must|is|are)\b(?! (?:also|deemed))", r"\1 not", sentence, count=1))


def negation_dropped(sentence: str) -> str | None:
    return _changed(sentence, re.sub(r"\b(shall|may|must|is|are|does|do) not (?!less|more|exceed|only|later)", r"\1 ", sentence, count=1))  # fmt: skip


def duty_to_permission(sentence: str) -> str | None:
    if "punish" in sentence or "called" in sentence or "may" in sentence.split():
        return None
    return _changed(sentence, re.sub(r"\b(?:shall|must)\b(?! not| have| come| mean)", "may", sentence, count=1))


def permission_to_duty(sentence: str) -> str | None:
    pattern = r"\bmay\b(?! not| be called| extend| be prescribed| be specified| require| think| deem| have| determine| allow| be,| be hidden)"
    return _changed(sentence, re.sub(rf"(?<!as )(?<!the case ){pattern}", "shall", sentence, count=1))


def or_to_and(sentence: str) -> str | None:
    if re.search(r"\b(?:not|no|any|nothing|without|whether|either)\b", sentence, re.IGNORECASE):
        return None
    return _changed(sentence, re.sub(r"(?<=\w) or (?=(?:with )?[a-z]{4,}\b)", " and ", sentence, count=1))


def and_to_or(sentence: str) -> str | None:
    if re.search(r"\b(?:not|no|nothing|without|between|both)\b", sentence, re.IGNORECASE):
        return None
    return _changed(sentence, re.sub(r"(?<=[a-z]), and shall also\b|(?<=[a-z]{4}) and (?=[a-z]{4,}\b)", lambda m: " or " if m[0] == " and " else ", or shall", sentence, count=1))  # fmt: skip


def quantifier(sentence: str) -> str | None:
    swaps = {"every": "some", "Every": "Some", "all": "some", "All": "Some", "No": "Any", "Any": "No"}
    pattern = re.compile(r"\b(every|Every|all|All|No|Any)\b(?= [a-z])")
    return _changed(sentence, pattern.sub(lambda m: swaps[m[1]], sentence, count=1))


def party(sentence: str) -> str | None:
    for one, other in _PARTIES:
        match = re.search(rf"\b{one}\b", sentence)
        if match and not re.search(rf"\b{other}\b", sentence):
            return re.sub(rf"\b{one}\b", other, sentence)
    return None


def exception(sentence: str) -> str | None:
    match = re.search(r",? (?:except|unless|save as|other than)\b", sentence)
    if match is None or match.start() < 40:
        return None
    rest = sentence[match.end() :]
    return None if re.search(r"[,;:]", rest[:-1]) else sentence[: match.start()].rstrip(",") + "."


def comparator(sentence: str) -> str | None:
    swaps = {
        "not less than": "not more than", "not exceeding": "exceeding", "at least": "at most", "within": "after",
        "not more than": "not less than", "may extend to": "shall not be less than", "no later than": "no earlier than",
        "does not exceed": "exceeds", "not later than": "not earlier than",
    }  # fmt: skip
    pattern = re.compile(
        rf"\b({'|'.join(swaps)})(?= (?:a |an |period |of |sum |one |the minimum |{'|'.join(_NUMBERS)}|\d))"
    )
    return _changed(sentence, pattern.sub(lambda m: swaps[m[1]], sentence, count=1))


def roles(sentence: str) -> str | None:
    match = _TWO_PARTIES.search(sentence)
    if match is None or match[2].lower() == match[4].lower():
        return None
    start, end = match.span()
    return f"{sentence[:start]}{match[1]}{match[4]}{match[3]}{match[2]}{sentence[end:]}"


CORRUPTIONS: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        number, unit, negation_added, negation_dropped, duty_to_permission, permission_to_duty, or_to_and, and_to_or,
        quantifier, party, exception, comparator, roles,
    )
}  # fmt: skip


def plain_words(sentence: str) -> str | None:
    """Statute diction in plain words; nothing is left out."""
    swaps = (
        (r"^Whoever\b", "Anyone who"), (r"\bshall be punished with\b", "is punishable with"),
        (r"\bof either description for a term which may extend to\b", "of up to"),
        (r"\bfor a term which may extend to\b", "for up to"), (r"\bfine which may extend to\b", "fine of up to"),
        (r"\bshall also be liable to\b", "is also liable to"), (r"\bshall not be\b", "must not be"),
        (r"\bshall be\b", "must be"), (r"\bshall not\b", "must not"), (r"\bshall\b", "must"),
        (r"\bin respect of\b", "regarding"), (r"\bprior to\b", "before"), (r"\bin accordance with\b", "according to"),
        (r"\bmay be (?=\w+ed\b)", "can be "), (r"\bthereof\b", "of it"),
    )  # fmt: skip
    changed = sentence
    for old, new in swaps:
        changed = re.sub(old, new, changed)
    return _changed(sentence, changed)


def in_digits(sentence: str) -> str | None:
    """Numbers in words as digits."""
    values = dict(zip(_NUMBERS, (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 20, 30, 60, 90), strict=True))
    pattern = re.compile(rf"(?<!-)\b({'|'.join(_NUMBERS)})(?= (?:years|months|days|weeks|hours|members)\b)")
    return _changed(sentence, pattern.sub(lambda m: str(values[m[1]]), sentence))


def tail_left_out(sentence: str) -> str | None:
    """The sentence up to a later comma, where what is cut is a further penalty or purpose and no condition."""
    match = re.search(
        r", (?:and shall also be liable to fine|so as to|in order to|for the purpose of)[^,;:]*\.$", sentence
    )
    return sentence[: match.start()] + "." if match and match.start() > 40 else None


def one_sentence(sentence: str) -> str | None:
    """The sentence without the number or letter it begins with."""
    return re.sub(r"^(?:\([0-9a-zA-Z]{1,4}\)\s*)+", "", sentence)


REWORDINGS: dict[str, Rule] = {r.__name__: r for r in (one_sentence, plain_words, in_digits, tail_left_out)}


def _changed(before: str, after: str) -> str | None:
    return after if after != before else None
