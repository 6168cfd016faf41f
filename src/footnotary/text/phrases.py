"""Whole-word phrase search, case-blind, in any script."""

import re
from collections.abc import Sequence
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.normalise import fold_quotes, nfc


def first_phrase(text: str, phrases: Sequence[str]) -> str | None:
    """The phrase that stands earliest in `text` as whole words, or None; `fine` is not in `define`."""
    found = next(iter(phrase_spans(text, phrases)), None)
    return None if found is None else found[1]


def has_phrase(text: str, phrases: Sequence[str]) -> bool:
    return first_phrase(text, phrases) is not None


def phrase_spans(text: str, phrases: Sequence[str]) -> tuple[tuple[Span, str], ...]:
    """Where the phrases stand in `text`, in order, without overlap; of two at one place the longer one."""
    if not phrases:
        return ()
    pattern = _pattern(tuple(phrases))
    # Folding keeps one character for one, so places in the folded text are places in the text.
    return tuple((Span(*match.span()), match.group()) for match in pattern.finditer(_folded(text)))


def _folded(text: str) -> str:
    folded = fold_quotes(text)
    return (folded if len(folded) == len(text) else text).lower()


@lru_cache(maxsize=256)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted({nfc(phrase).lower() for phrase in phrases}, key=len, reverse=True)
    words = (r"\s+".join(re.escape(word) for word in phrase.split()) for phrase in longest_first)
    # \w does not hold Devanagari vowel signs, so a boundary is spelled out: no letter, digit or mark beside it.
    edge = r"[\w\u0900-\u0963\u0966-\u097F]"
    return re.compile(rf"(?<!{edge})(?:{'|'.join(words)})(?!{edge})")
