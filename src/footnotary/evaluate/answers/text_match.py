"""Exact match and token F1 against expected answers, as SQuAD defines them, in any script."""

from __future__ import annotations

import string
import unicodedata
from collections import Counter

_ARTICLES = frozenset({"a", "an", "the"})
# SQuAD deletes these without leaving a space: 10,000 becomes 10000, and U.S. becomes us.
_DELETED_CHARS = str.maketrans("", "", string.punctuation + "’")


def squad_tokens(text: str) -> tuple[str, ...]:
    """The tokens that exact match and token F1 count. Punctuation that SQuAD does not delete separates words."""
    return tokens(text.translate(_DELETED_CHARS))


def tokens(text: str) -> tuple[str, ...]:
    """Words without case, punctuation and articles; punctuation separates words."""
    kept = "".join(" " if unicodedata.category(c)[0] in "PSZ" else c for c in text.casefold())
    return tuple(word for word in kept.split() if word not in _ARTICLES)


def exact_match(said: str, expected: str) -> bool:
    return squad_tokens(said) == squad_tokens(expected)


def token_f1(said: str, expected: str) -> float:
    """Twice the shared tokens over the tokens of both; 1 where both are empty."""
    one, other = Counter(squad_tokens(said)), Counter(squad_tokens(expected))
    if not one or not other:
        return float(one == other)
    return 2 * (one & other).total() / (one.total() + other.total())


def contains(said: str, expected: str) -> bool:
    """Whether the answer contains the expected words as a contiguous sequence."""
    return f" {' '.join(tokens(expected))} " in f" {' '.join(tokens(said))} "
