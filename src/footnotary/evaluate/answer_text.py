"""An answer's words beside the expected ones: exact match and token F1 as SQuAD counts them, in any script."""

from __future__ import annotations

import unicodedata
from collections import Counter

_ARTICLES = frozenset({"a", "an", "the"})


def tokens(text: str) -> tuple[str, ...]:
    """The words that count: without case, punctuation and articles."""
    kept = "".join(" " if unicodedata.category(c)[0] in "PSZ" else c for c in text.casefold())
    return tuple(word for word in kept.split() if word not in _ARTICLES)


def exact_match(said: str, expected: str) -> bool:
    return tokens(said) == tokens(expected)


def token_f1(said: str, expected: str) -> float:
    """Twice the words in common over the words of both; 1 where both say nothing."""
    one, other = Counter(tokens(said)), Counter(tokens(expected))
    if not one or not other:
        return float(one == other)
    return 2 * (one & other).total() / (one.total() + other.total())


def contains(said: str, expected: str) -> bool:
    """Whether the expected words stand in the answer, in a row."""
    return f" {' '.join(tokens(expected))} " in f" {' '.join(tokens(said))} "
