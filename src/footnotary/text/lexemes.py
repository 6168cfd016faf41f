"""Splits text into numbers, words and marks with offsets: the tokens for parsing figures and dates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

# Vowel signs and the nukta of Devanagari are not letters to `re`; super- and subscripts are, and must not be.
_SIGNS = "\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963\u200c\u200d"
_LETTER = r"[^\W\d_¼-¾⅐-⅟²³¹⁰-₟]"
_LEXEME = re.compile(
    # Thousands separated by spaces are one number from a million on, or before a currency: "20 000 000", "15 000 EUR".
    rf"(?P<number>\d{{1,3}}(?:[ \u00a0\u202f]\d{{3}}){{2,4}}(?!\d)"
    rf"|\d{{1,3}}[ \u00a0\u202f]\d{{3}}(?=\s?(?:EUR|USD|INR|GBP|euros?|dollars?|rupees)\b)"
    rf"|\d+(?:,\d+)*(?:\.\d+)*)|(?P<vulgar>[¼-¾⅐-⅞])"
    rf"|(?P<word>(?:{_LETTER}|[{_SIGNS}])+(?:['’]{_LETTER}+)*)|(?P<mark>\S)"
)
# Letters with a nukta as those without, chandrabindu as anusvara; the nukta itself and joiners go.
_NUKTA = str.maketrans(
    "\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f\u0901’", "कखगजडढफय\u0902'", "\u093c\u200c\u200d"
)


LexemeKind = Literal["number", "vulgar", "word", "mark"]


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A number, a word or a single mark; `key` is the form used in lookup tables.

    `key` is lower case, without nukta and with chandrabindu as anusvara, so that spellings of one Hindi word are equal.
    `glued` says that it directly follows the lexeme before.
    """

    kind: LexemeKind
    text: str
    key: str
    start: int
    end: int
    glued: bool

    @property
    def is_word(self) -> bool:
        return self.kind == "word"


NOTHING = Lexeme("mark", "", "", 0, 0, False)


@lru_cache(maxsize=16)
def lexemes(text: str) -> tuple[Lexeme, ...]:
    """The lexemes of `text` in order; `text[lexeme.start:lexeme.end] == lexeme.text`.

    A number keeps its commas where they group thousands, in the western or the Indian way: `1,00,000` is one
    number and `15,16` two with a comma between.
    """
    found: list[Lexeme] = []
    end = -1
    for match in _LEXEME.finditer(text):
        kind = match.lastgroup
        written, start = match[0], match.start()
        if kind == "number" and "," in written and not _grouped(written):
            for part in re.finditer(r"\d[\d.]*|,", written):
                at = start + part.start()
                part_kind = "mark" if part[0] == "," else "number"
                found.append(Lexeme(part_kind, part[0], part[0], at, at + len(part[0]), end == at))
                end = at + len(part[0])
            continue
        glued, end = end == start, match.end()
        key = written if kind != "word" else written.lower() if written.isascii() else fold(written)
        found.append(Lexeme(cast("LexemeKind", kind), written, key, start, end, glued))
    return tuple(found)


def fold(word: str) -> str:
    """The form of a word used in lookup tables."""
    return word.lower().translate(_NUKTA)


def _grouped(number: str) -> bool:
    groups = number.split(".", 1)[0].split(",")
    return len(groups[0]) <= 3 and len(groups[-1]) == 3 and all(2 <= len(g) <= 3 for g in groups[1:-1])


def lexeme_at(lexemes: Sequence[Lexeme], i: int) -> Lexeme:
    """The `i`-th lexeme, or an empty one outside the text."""
    return lexemes[i] if 0 <= i < len(lexemes) else NOTHING
