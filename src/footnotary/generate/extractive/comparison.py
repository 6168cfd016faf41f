"""The two things that a question compares: "What is the difference between use and disclosure?" has two sides."""

import re

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


def compared_sides(question: str) -> tuple[str, str] | None:
    """The names of the two things as the question writes them, without articles; None where it compares nothing."""
    for form in _FORMS:
        if found := form.search(question):
            return found[1], found[2]
    return None
