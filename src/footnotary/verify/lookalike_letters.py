"""Words of a claim in letters that are not theirs: "nót", "not" with a Cyrillic o, English in a Hindi claim.

A person reads them as the word; a check that looks for the letters of "not" misses them. Accents that belong to a
spelling of their own ("café" for "cafe") are allowed.
"""

import re
import unicodedata
from collections.abc import Sequence

from footnotary.text.language import language_of
from footnotary.text.number_words import NUMBER_WORDS
from footnotary.text.numbers.units import UNITS
from footnotary.text.stopwords import MODALS, STOP_WORDS
from footnotary.text.tokens import words

_ACCENT = re.compile("[\u0300-\u036f]")
# Letters with their signs and accents; ª and º only number things: "Nº 5".
_WORD = re.compile("[^\\W\\d_ªº](?:[^\\W\\d_ªº]|[\u0300-\u036f\u0900-\u0903\u093a-\u094f])*")
# Letters of Cyrillic and Greek that are drawn like Latin ones.
_LIKE_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u04bb\u0501"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0405\u0408"
    "\u03bf\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
    "aeopcyxisjhdABEKMHOPCTYXISJoABEZHIKMNOPTYX",
)
_ENGLISH_RUN = re.compile(r"(?<!\w)[a-z]{2,}(?: [a-z]{2,})+(?!\w)")
# Words that the checks match by spelling: function words, number words and units.
_KNOWN = STOP_WORDS | MODALS | NUMBER_WORDS | frozenset(UNITS)


def homoglyph_words(claim: str, sources: Sequence[str]) -> list[str]:
    """The words of `claim` in letters that are not theirs and that no source has in that form, in order."""
    if claim.isascii():
        return []
    found = [word for word in dict.fromkeys(_words(claim)) if _is_homoglyph_word(word)]
    held = {word.casefold() for source in sources for word in _words(source)} if found else set[str]()
    return [word for word in found if word.casefold() not in held]


def foreign_words(claim: str, sources: Sequence[str]) -> list[str]:
    """The runs of English in a Hindi claim of which no source has a word."""
    if claim.isascii() or language_of(claim) != "hi":
        return []
    held = {word for source in sources for word in words(source)}
    return [run for run in _ENGLISH_RUN.findall(claim) if held.isdisjoint(words(run))]


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))


def _is_homoglyph_word(word: str) -> bool:
    if word.isascii():
        return False
    if _ACCENT.search(word):
        return True  # an accent that makes no letter with the one before it
    latin = word.translate(_LIKE_LATIN)
    if latin != word and any(char.isascii() for char in word):
        return True
    plain = _ACCENT.sub("", unicodedata.normalize("NFKD", latin)).casefold()
    return plain != word.casefold() and len(plain) > 1 and plain in _KNOWN
