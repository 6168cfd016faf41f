"""Corrections of the question before: "no, I meant the second one", "not the rent, the service charge"."""

import re
from dataclasses import dataclass

_SORRY = (
    r"(?:(?:no|nope|oops|sorry|wait|hmm|hm|ah|oh|actually|my mistake|my bad|typo|i misspoke"
    r"|that'?s not what i asked|that is not what i asked|not that|i mistyped|"
    r"नहीं|माफ़ कीजिए|माफ कीजिए|माफ़ करें|माफ करें|क्षमा करें|सॉरी|अरे)\b[\s,.;:!-]*)"
)
_MEANT = (
    r"(?:(?:i(?:'m| am| was)? (?:actually )?(?:meant?|ask(?:ed|ing)|talking|wanted)"
    r"(?: (?:about|for|to (?:say|ask|write|know)(?: about)?))?|make (?:that|it)|(?:it )?should (?:be|have been|say)"
    r"|मेरा मतलब(?: था| है)?|मैं पूछ रहा था)\b[\s,:]*)"
)
_LEAD = re.compile(rf"(?:{_SORRY}*{_MEANT}|{_SORRY}+)", re.IGNORECASE)
_TAIL = re.compile(
    r"[\s,]*(?:,? ?sorry|,? ?my mistake|,? ?my bad|,? ?i meant?|,? ?rather|,? ?typo|सॉरी|से मतलब था)\s*$", re.IGNORECASE
)
_NOT_BUT_COMMA = re.compile(r"not (?P<old>[^,]{1,60})(?:, | but )(?:but )?(?P<new>.{1,80})", re.IGNORECASE)
_BUT_NOT = re.compile(r"(?P<new>[^,]{1,80}),? (?:and )?not (?P<old>.{1,60})", re.IGNORECASE)
_HINDI_NOT = re.compile(r"(?P<old>\S+(?: \S+)?) नहीं,? (?P<new>\S.{0,60})")
_INSTEAD = re.compile(r"(?P<new>[^,]{1,80}) instead of (?P<old>.{1,60})", re.IGNORECASE)


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
    for form in (_NOT_BUT_COMMA, _BUT_NOT, _INSTEAD, _HINDI_NOT):
        if found := form.fullmatch(rest):
            new = found["new"]
            meant = _LEAD.match(new)
            return Correction(new[meant.end() :] if meant else new, found["old"])
    return Correction(rest) if (lead or tail) and rest.strip() else None
