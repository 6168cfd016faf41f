"""Whole-word phrase search, case-blind, in any script."""

import re
from collections.abc import Sequence
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.normalise import fold_quotes, nfc


def first_phrase(text: str, phrases: Sequence[str]) -> str | None:
    """The phrase that occurs earliest in `text` as whole words, or None; `fine` is not in `define`."""
    found = _pattern(tuple(phrases)).search(_folded(text)) if phrases else None
    return None if found is None else found.group()


def has_phrase(text: str, phrases: Sequence[str]) -> bool:
    return first_phrase(text, phrases) is not None


def phrase_spans(text: str, phrases: Sequence[str]) -> tuple[tuple[Span, str], ...]:
    """The spans of the phrases in `text`, in order, without overlap; of two at one position the longer one."""
    if not phrases:
        return ()
    return tuple((Span(*match.span()), match.group()) for match in _pattern(tuple(phrases)).finditer(_folded(text)))


# Cached: a question is searched for the phrases of each kind.
@lru_cache(maxsize=64)
def _folded(text: str) -> str:
    """`text` in lower case with plain quotes, character for character, so that offsets stay valid."""
    # The only character whose lower case has two characters.
    return fold_quotes(text).replace("\u0130", "i").lower()


@lru_cache(maxsize=256)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted({_folded(nfc(phrase)) for phrase in phrases}, key=len, reverse=True)
    words = (r"\s+".join(re.escape(word) for word in phrase.split()) for phrase in longest_first)
    # \w does not include Devanagari vowel signs, so a boundary is spelled out: no letter, digit or mark next to it.
    edge = r"[\w\u0900-\u0963\u0966-\u097F]"
    return re.compile(rf"(?<!{edge})(?:{'|'.join(words)})(?!{edge})")
