"""Which language a text is written in, by script and function words."""

import re

from footnotary.domain.query import Language
from footnotary.text.stopwords import ROMANISED_HINDI, STOP_WORDS
from footnotary.text.tokens import words

_DEVANAGARI = re.compile("[\u0904-\u0939\u0958-\u0961\u0971-\u097f]")
_LETTER = re.compile(r"[^\W\d_]")


def language_of(text: str) -> Language:
    """ "hi" for text in Devanagari, "en" for everything else, Hindi in Latin letters included.

    Where both scripts occur, the language of the function words wins ("IPC Section 420 क्या है?" is
    Hindi, "What is श्रेढ़ी?" English), and failing that the script with more letters.
    """
    if text.isascii():
        return "en"
    devanagari = len(_DEVANAGARI.findall(text))
    if not devanagari:
        return "en"
    letters = len(_LETTER.findall(text))
    if devanagari == letters:
        return "hi"
    carrying = [word for word in words(text) if word in STOP_WORDS]
    hindi = sum(1 for word in carrying if _DEVANAGARI.match(word))
    if 2 * hindi != len(carrying):
        return "hi" if 2 * hindi > len(carrying) else "en"
    return "hi" if 2 * devanagari >= letters else "en"


def is_romanised_hindi(text: str) -> bool:
    """Whether `text` is Hindi typed in Latin letters: two of its function words or more, and fewer English ones."""
    if _DEVANAGARI.search(text):
        return False
    found = words(text)
    romanised = sum(1 for word in found if word in ROMANISED_HINDI)
    english = sum(1 for word in found if word in STOP_WORDS)
    return romanised >= 2 and romanised > english
