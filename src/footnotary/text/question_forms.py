"""Questions that one passage may not answer, by their form: for several things, or comparing two."""

import re
from typing import NamedTuple

from footnotary.text.stopwords import NEGATIONS
from footnotary.text.tokens import words

# Quantifiers are bounded, so that hostile input stays linear.
_SIDE = r"(?:the |an? )?(\S.{0,80}?)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b(?:differences?|distinctions?|differentiate|distinguish|comparison|compare) (?:between|of) {_SIDE}"
        rf" (?:and|from|with|versus|vs\.?) {_SIDE}[\s?.!]*$",
        rf"\b(?:compare|distinguish|differentiate) {_SIDE} (?:and|from|with|to|versus|vs\.?) {_SIDE}[\s?.!]*$",
        rf"\bhow (?:do|does|did) {_SIDE} (?:differ from|compare (?:to|with)) {_SIDE}[\s?.!]*$",
        rf"\bhow (?:do|does|did) {_SIDE} and {_SIDE} (?:differ|compare)[\s?.!]*$",
        rf"\bhow (?:is|are|was|were) {_SIDE} different from {_SIDE}[\s?.!]*$",
    )
)

# "Which offences are ...", "What are ...", "List the ...": a plural after the question word, with its verb.
_ASKS_FOR_SEVERAL = re.compile(
    r"^\W*(?:(?:which|what)(?: [\w'’-]{1,30}){0,3} [\w'’-]{1,30}s (?:are|were|have|do|can|may|must|shall|should)"
    r"|(?:which|what|who) (?:are|were|all)|(?:list|enumerate|name all|name the [\w'’-]{1,30}s))\b",
    re.IGNORECASE,
)

_NAMED_WITH_PREDICATE = re.compile(
    r"^\W*(?:which|what) ((?:[\w'’-]{1,30} ){0,3}[\w'’-]{1,30}s) (?:are|were|have|do|can|may|must|shall|should)\b(.*)",
    re.IGNORECASE | re.DOTALL,
)
_NAMED = re.compile(
    r"^\W*(?:(?:which|what|who) (?:are|were|all)|list|enumerate|name all"
    r"|what (?:do|does) (?:the |my |your )?documents? say about)\b(.*)",
    re.IGNORECASE | re.DOTALL,
)


class RequestedList(NamedTuple):
    """What a question asks to list: "clubs" in "Which clubs are free?", with the predicate "free"."""

    name: str
    predicate: str


def requested_list(question: str) -> RequestedList | None:
    """The things that a question in the plural asks for; None if it asks for one, or for those that are not something.

    What a noun phrase adds belongs to the name: "the rules for gifts" in "What are the rules for gifts?".
    """
    found = _NAMED_WITH_PREDICATE.match(question) or _NAMED.match(question)
    if found is None or not NEGATIONS.isdisjoint(words(question)) or compared_sides(question) is not None:
        return None
    name, predicate = (*found.groups(), "")[:2]
    return RequestedList(name.strip(" ?.!\n"), predicate.strip(" ?.!\n"))


def asks_for_several(question: str) -> bool:
    """Whether a question asks for things in the plural, or compares two: its answer may be in several passages."""
    return _ASKS_FOR_SEVERAL.match(question) is not None or compared_sides(question) is not None


def compared_sides(question: str) -> tuple[str, str] | None:
    """The names of the two things as the question writes them, without articles; None if it compares nothing."""
    for form in _FORMS:
        if found := form.search(question):
            return found[1], found[2]
    return None
