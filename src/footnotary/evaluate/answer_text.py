"""An answer's words beside the expected ones: exact match and token F1 as SQuAD counts them, in any script."""

from __future__ import annotations

import string
import unicodedata
from collections import Counter

_ARTICLES = frozenset({"a", "an", "the"})
# SQuAD takes these out and leaves nothing in their place: 10,000 is 10000, and U.S. is us.
_TAKEN_OUT = str.maketrans("", "", string.punctuation + "’")


def squad_tokens(text: str) -> tuple[str, ...]:
    """The words that exact match and token F1 count. Punctuation that SQuAD does not know of parts words."""
    return tokens(text.translate(_TAKEN_OUT))


def tokens(text: str) -> tuple[str, ...]:
    """The words that count: without case, punctuation and articles; punctuation parts them."""
    kept = "".join(" " if unicodedata.category(c)[0] in "PSZ" else c for c in text.casefold())
    return tuple(word for word in kept.split() if word not in _ARTICLES)


def exact_match(said: str, expected: str) -> bool:
    return squad_tokens(said) == squad_tokens(expected)


def token_f1(said: str, expected: str) -> float:
    """Twice the words in common over the words of both; 1 where both say nothing."""
    one, other = Counter(squad_tokens(said)), Counter(squad_tokens(expected))
    if not one or not other:
        return float(one == other)
    return 2 * (one & other).total() / (one.total() + other.total())


def contains(said: str, expected: str) -> bool:
    """Whether the expected words stand in the answer, in a row."""
    return f" {' '.join(tokens(expected))} " in f" {' '.join(tokens(said))} "
