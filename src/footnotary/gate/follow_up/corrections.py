"""Corrections of the question before: "no, I meant the second one", "not the rent, the service charge"."""

import re
from dataclasses import dataclass

_SORRY = r"(?:(?:no|oops|sorry|wait|hmm|oh|actually|typo|that'?s not what i asked|नहीं|माफ़ कीजिए)\b[\s,.;:!-]*)"
_MEANT = r"(?:(?:i(?:'m| was)? (?:meant?|ask(?:ed|ing)|talking)(?: about)?|make that|मेरा मतलब(?: था| है)?)\b[\s,:]*)"
_LEAD = re.compile(rf"(?:{_SORRY}*{_MEANT}|{_SORRY}+)", re.IGNORECASE)
_TAIL = re.compile(r"[\s,]*(?:sorry|i meant?)\s*$", re.IGNORECASE)
_NOT_BUT_COMMA = re.compile(r"not (?P<old>[^,]{1,60})(?:, | but )(?P<new>.{1,80})", re.IGNORECASE)
_BUT_NOT = re.compile(r"(?P<new>[^,]{1,80}),? not (?P<old>.{1,60})", re.IGNORECASE)
_HINDI_NOT = re.compile(r"(?P<old>\S+(?: \S+)?) नहीं,? (?P<new>\S.{0,60})")


@dataclass(frozen=True, slots=True)
class Correction:
    """What is meant, and, if it is said, what is not."""

    new: str
    old: str = ""


def read_correction(text: str) -> Correction | None:
    """The correction that a text makes; None if it makes none."""
    text = text.strip(" ?.!।")
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    tail = _TAIL.search(rest)
    rest = rest[: tail.start()] if tail else rest
    for form in (_NOT_BUT_COMMA, _BUT_NOT, _HINDI_NOT):
        if found := form.fullmatch(rest):
            return Correction(found["new"], found["old"])
    return Correction(rest) if (lead or tail) and rest.strip() else None
