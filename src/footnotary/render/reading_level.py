"""Readability of a text as a school grade."""

import re

from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import words

_VOWELS = re.compile(r"[aeiouy]+")


def reading_grade(text: str) -> float | None:
    """The Flesch–Kincaid grade of English text, rounded to one digit; None for other scripts, where it is undefined."""
    said = [word for word in words(text) if word.isalpha()]
    latin = [word for word in said if word.isascii()]
    if not latin or len(latin) < 0.8 * len(said):
        return None
    per_sentence = len(latin) / max(len(sentences(text)), 1)
    per_word = sum(_syllables(word) for word in latin) / len(latin)
    return round(max(0.39 * per_sentence + 11.8 * per_word - 15.59, 0.0), 1)


def _syllables(word: str) -> int:
    count = len(_VOWELS.findall(word))
    silent = word.endswith("e") and not word.endswith(("le", "ee")) and count > 1
    return max(count - silent, 1)
