"""Check: what a claim puts in quotation marks is in its source, word for word."""

import re

from footnotary.text.normalise import plain_key
from footnotary.text.tokens import words
from footnotary.verify.exact.mismatch import Mismatch

_QUOTED = re.compile(r'"([^"]+)"')
# Single quotes are apostrophes too: an opening one follows a space or bracket, a closing one ends a word.
_SINGLE = re.compile(r"(?<![\w'])'([^']+(?:(?<=\w)'(?=\w)[^']+)*)'(?!\w)")
_ELLIPSIS = re.compile(r"\.{3,}|…|\[\s*\.{3,}\s*\]|\[…\]")
_MARKER = re.compile(r"\[\d{1,3}\]")
_CONTRACTED = re.compile(r"n['’]t\b")
_TITLE_CASE, _SHORT = 0.8, 3
_MIN_WORDS_IN_SINGLE_QUOTES = 3


def quotations_altered(claim: str, premise: str) -> Mismatch | None:
    """The first quotation of the claim that the source does not have; an ellipsis may skip words, in order."""
    text = _CONTRACTED.sub(" not", _MARKER.sub("", plain_key(claim)))
    quoted = [match.group(1) for match in _QUOTED.finditer(text)]
    quoted += [q for m in _SINGLE.finditer(text) if len(words(q := m.group(1))) >= _MIN_WORDS_IN_SINGLE_QUOTES]
    source = _joined(words(_CONTRACTED.sub(" not", plain_key(premise)))) if quoted else ""
    for quotation in dict.fromkeys(quoted):
        if _is_title(quotation):
            continue
        if not _in_order(_ELLIPSIS.split(quotation), source):
            return Mismatch(quotation, sentence=f'the source does not say "{quotation}"')
    return None


def _is_title(quotation: str) -> bool:
    """Whether the marks set off a name, "Brown v. Board of Education", or a question, instead of quoting a source."""
    spoken = [word for word in quotation.split() if word[0].isalpha() and len(word) > _SHORT]
    capitals = sum(word[0].isupper() for word in spoken)
    return quotation.endswith("?") or (len(spoken) > 1 and capitals >= _TITLE_CASE * len(spoken))


def _joined(listed: list[str]) -> str:
    # With a separator that no word contains, so that word search is substring search.
    return "\x00" + "\x00".join(listed) + "\x00"


def _in_order(pieces: list[str], source: str) -> bool:
    at = 0
    for piece in pieces:
        if part := words(piece):
            wanted = _joined(part)
            at = source.find(wanted, at)
            if at < 0:
                return False
            at += len(wanted) - 1
    return True
