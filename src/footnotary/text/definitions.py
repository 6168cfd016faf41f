"""Which terms a passage defines, found by the form in which law and textbooks define them."""

import re

from footnotary.text.tokens import content_terms

_DEFINING = r"(?:shall )?(?:means?|includes?|denotes?|signif(?:y|ies)|refers? to)|(?:is|are) defined|has the meaning"
_AFTER = rf"[^.;\n]{{0,60}}?\b(?:{_DEFINING})\b"
_START = r"(?:^|(?<=[.;:।]\s)|(?<=\n))"
_ITEM = r"\s{0,4}(?:\(?\w{1,4}[).]\s{0,4}){0,2}"
# (e) "employer" means …   The words “public servant” denote …
_QUOTED = re.compile(
    rf"{_START}{_ITEM}(?:the (?:words?|expressions?|terms?) )?"
    rf"[\"“‘']([^\"”’'\n]{{2,60}})[\"”’']{_AFTER}",
    re.IGNORECASE,
)
# Cheating means …   An arithmetic progression is a …
_PLAIN = re.compile(
    rf"{_START}{_ITEM}(?:an? |the )?((?:[\w-]{{1,30}} ){{0,3}}[\w-]{{1,30}}) "
    r"(?:means|denotes|is defined as|refers to)\b",
    re.IGNORECASE,
)
# A person is said to abet …   is said to commit theft
_SAID = re.compile(
    r"\b(?:is|are) said to (?:commit |be )?(?:an? |the )?(([\w-]{2,30})(?: [\w-]{2,30})?)", re.IGNORECASE
)


def defined_terms(text: str) -> frozenset[str]:
    """The keys of the terms that `text` defines: `definition_key` of a question about one of them is among them."""
    found = [match.group(1) for pattern in (_QUOTED, _PLAIN, _SAID) for match in pattern.finditer(text)]
    found += [match.group(2) for match in _SAID.finditer(text)]
    return frozenset(key for key in (definition_key(content_terms(term)) for term in found) if key)


def definition_key(terms: list[str]) -> str:
    """One word for a term of several: what a definition is filed and asked for under."""
    return "defines:" + "_".join(terms) if terms else ""
