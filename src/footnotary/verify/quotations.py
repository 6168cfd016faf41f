"""Whether what a claim puts in quotation marks stands in its source, word for word."""

import re

from footnotary.text.normalise import plain_key
from footnotary.text.tokens import words

_QUOTED = re.compile(r'"([^"]+)"')
# Single quotes are apostrophes too: an opening one follows a space or bracket, a closing one ends a word.
_SINGLE = re.compile(r"(?<![\w'])'([^']+(?:(?<=\w)'(?=\w)[^']+)*)'(?!\w)")
_ELLIPSIS = re.compile(r"\.{3,}|…|\[\s*\.{3,}\s*\]|\[…\]")
_MARKER = re.compile(r"\[\d{1,3}\]")
_MIN_WORDS_IN_SINGLE_QUOTES = 3


def quotations_altered(claim: str, premise: str) -> str | None:
    """The first quotation of the claim that the source does not have; an ellipsis may skip words, in order."""
    text, source = _MARKER.sub("", plain_key(claim)), words(premise)
    quoted = [match.group(1) for match in _QUOTED.finditer(text)]
    quoted += [q for m in _SINGLE.finditer(text) if len(words(q := m.group(1))) >= _MIN_WORDS_IN_SINGLE_QUOTES]
    for quotation in quoted:
        parts = [part for piece in _ELLIPSIS.split(quotation) if (part := words(piece))]
        if parts and not _in_order(parts, source):
            return f'the source does not say "{quotation}"'
    return None


def _in_order(parts: list[list[str]], source: list[str]) -> bool:
    at = 0
    for part in parts:
        found = _find(part, source, at)
        if found is None:
            return False
        at = found + len(part)
    return True


def _find(part: list[str], source: list[str], start: int) -> int | None:
    # Joined once with a mark that no word holds, so that the search is the string's own and stays linear.
    haystack = "\x00" + "\x00".join(source[start:]) + "\x00"
    at = haystack.find("\x00" + "\x00".join(part) + "\x00")
    return None if at < 0 else start + haystack.count("\x00", 0, at)
