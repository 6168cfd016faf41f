"""One tokeniser for the index, the overlap thresholds and the checks."""

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from threading import Lock
from typing import Protocol, cast

from footnotary.text.stopwords import STOP_WORDS

# Where Unicode keeps its combining marks; looking through these blocks instead of all of Unicode saves 200 ms
# of import time.
_MARK_BLOCKS = (
    (0x300, 0x3100), (0xA600, 0xAC00), (0xFB00, 0xFE30), (0x10000, 0x12000), (0x16800, 0x17000),
    (0x1BC00, 0x1BD00), (0x1CF00, 0x1D300), (0x1DA00, 0x1DB00), (0x1E000, 0x1EA00),
)  # fmt: skip
_VARIATION_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# Joiners, soft hyphens and selectors change how a word looks, not which word it is.
_IGNORED = f"\u00ad\u034f\u200b-\u200d\u2060\ufeff{_VARIATION_SELECTORS}"
_APOSTROPHES = "'\u2018\u2019\u02bc\uff07"


def _mark_class() -> str:
    """The combining marks as the inside of a character class; `\\w` leaves them out and so splits Devanagari words."""
    ranges: list[str] = []
    for first, last in _MARK_BLOCKS:
        start = None
        for code in range(first, last + 1):
            if code < last and unicodedata.category(chr(code))[0] == "M":
                start = code if start is None else start
            elif start is not None:
                ranges.append(f"{chr(start)}-{chr(code - 1)}")
                start = None
    return "".join(ranges)


_INSIDE = f"{_mark_class()}{_IGNORED}"
_RUN = rf"(?:[^\W_]|[{_INSIDE}])"
# The number of groups is bounded so that a hostile run of commas is not retried from every digit.
_GROUPED = r"\d{1,3}(?:,\d{2,3}){0,8},\d{3}(?!\d)(?:\.\d+)?"
_INITIALS = r"[A-Za-z](?:\.[A-Za-z])+(?![^\W_])"
_WORD = re.compile(
    rf"(?<![^\W_])(?:{_GROUPED}|{_INITIALS})"
    rf"|[^\W_]{_RUN}*(?:(?<=\d)\.(?=\d){_RUN}+|[{_APOSTROPHES}](?=[^\W\d_]){_RUN}+)*"
)
# The same for plain ASCII, where it takes half the time.
_ASCII_RUN = "[A-Za-z0-9]"
_ASCII_WORD = re.compile(
    rf"(?<!{_ASCII_RUN})(?:{_GROUPED}|[A-Za-z](?:\.[A-Za-z])+(?!{_ASCII_RUN}))"
    rf"|{_ASCII_RUN}+(?:(?<=\d)\.(?=\d){_ASCII_RUN}+|'(?=[A-Za-z]){_ASCII_RUN}+)*",
    re.ASCII,
)
_INNER_MARKS = ",.'"
# Separators become spaces, in bytes: `bytes.translate` with a table of 256 is ten times faster than on a string.
_SPACED = bytes(code if chr(code).isalnum() or chr(code) in _INNER_MARKS else 32 for code in range(128)) + bytes(128)
# The marks of printed English: a text with no others is handled like ASCII.
_PRINTED = (
    *((mark, " ") for mark in "\u2014\u2013\u2015\u201c\u201d\u2026\u2022\u00a7\u00a0"),
    ("\u2019", "'"),
    ("\u2018", "'"),
)
_UNSEEN = re.compile(f"[{_IGNORED}]")
_ANY_APOSTROPHE = re.compile(f"[{_APOSTROPHES}]")
_INITIALS_ONLY = re.compile(_INITIALS)
_DEVANAGARI = re.compile("[\u0900-\u097f]")

# Hindi spells a nasal before a consonant of its own row either way: दण्ड is दंड, अन्त is अंत.
_NASAL = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")
# सज़ा and सजा are one word; the dots of ड़ and ढ़ are never left out and make other letters.
_LOOSE_NUKTA = re.compile("(?<=[कखगजफ])\u093c")


class _Stemmer(Protocol):
    maxCacheSize: int  # noqa: N815 (the library's names)

    def stemWord(self, word: str) -> str: ...  # noqa: N802


def word_places(text: str) -> list[tuple[int, int, str]]:
    """The words of `text` in order: start, end and folded form of each."""
    written = _ASCII_WORD if text.isascii() else _WORD
    return [(*match.span(), _folded(match.group())) for match in written.finditer(text)]


def words(text: str) -> list[str]:
    """The folded words of `text` in order.

    A word is a run of letters, combining marks and digits of any script; parts of a hyphenated word are words.
    Decimal and dotted section numbers stay whole ("164.514"), grouped figures lose their commas ("1,00,000" is
    "100000"), digits of any script become ASCII, and dotted initials close up ("I.P.C." is "ipc"). Folding is NFC
    and casefold, with straight apostrophes, no possessive 's and no invisible characters.
    """
    pieces = _pieces(text)
    if pieces is None:
        return [_folded(word) for word in _WORD.findall(text)]
    return list(chain.from_iterable(map(_words_of_piece, pieces)))


def content_terms(text: str) -> list[str]:
    """The stems of the words that are no stop words, in order, repeats kept; [] where there are only stop words."""
    pieces = _pieces(text)
    if pieces is None:
        return [term for word in _WORD.findall(text) if (term := _term(word)) is not None]
    return list(chain.from_iterable(map(_terms_of_piece, pieces)))


def _pieces(text: str) -> list[bytes] | None:
    """A plain text split between words; None if the text is not plain."""
    if not text.isascii():
        for mark, plain in _PRINTED:
            text = text.replace(mark, plain)
        if not text.isascii():
            return None
    return text.encode().translate(_SPACED).split()


# Most pieces are a word with or without a comma, and repeat. Fewer are cached than words: a long run of figures without
# spaces is one piece too.
@lru_cache(maxsize=1 << 15)
def _words_of_piece(piece: bytes) -> tuple[str, ...]:
    return tuple(_folded(word) for word in _written(piece))


@lru_cache(maxsize=1 << 15)
def _terms_of_piece(piece: bytes) -> tuple[str, ...]:
    return tuple(term for word in _written(piece) if (term := _term(word)) is not None)


def _written(piece: bytes) -> list[str]:
    """The words of a piece as written."""
    bare = piece.decode().strip(_INNER_MARKS)
    return [bare] if bare.isalnum() else _ASCII_WORD.findall(piece.decode())


@lru_cache(maxsize=1024)
def terms_of(text: str) -> frozenset[str]:
    """The set of `content_terms`. Cached: every stage of an answer asks for the same few passages."""
    return frozenset(content_terms(text))


@lru_cache(maxsize=1024)
def word_runs(text: str, length: int) -> frozenset[tuple[str, ...]]:
    """Every run of `length` consecutive `words`. Cached: claims are compared with the same few texts."""
    found = words(text)
    return frozenset(tuple(found[i : i + length]) for i in range(len(found) - length + 1))


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The stem of a folded word: English for Latin script, light Hindi for Devanagari; figures stay as they are."""
    if any(char.isdigit() for char in word):
        return word
    if _DEVANAGARI.search(word):
        plain = _LOOSE_NUKTA.sub("", _NASAL.sub("ं", word.replace("ँ", "ं")))
        return _stemmed("hindi", plain)
    return _stemmed("english", word) if word[:1] < "\u0250" else word


def _stemmed(language: str, word: str) -> str:
    # Snowball stemmers hold the current word as state, so two threads must not share one without a lock.
    with _stemming:
        return _stemmer(language).stemWord(word)


@lru_cache(maxsize=2)
def _stemmer(language: str) -> _Stemmer:
    # Imported when first needed: the package loads all of its languages, and most commands never stem.
    import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

    stemmer = cast("_Stemmer", snowballstemmer.stemmer(language))  # pyright: ignore[reportUnknownMemberType]
    # The cache of PyStemmer takes four times as long as stemming a word, and stems are cached here.
    stemmer.maxCacheSize = 0
    return stemmer


_stemming = Lock()


@lru_cache(maxsize=1 << 17)
def _term(word: str) -> str | None:
    """The stem of a word as it is written; None for a stop word. One cache lookup instead of three for most words."""
    folded = _folded(word)
    return None if folded in STOP_WORDS else stem(folded)


@lru_cache(maxsize=1 << 17)
def _folded(word: str) -> str:
    if word.isascii():
        plain = word.lower()
    else:
        plain = unicodedata.normalize("NFC", _UNSEEN.sub("", word)).casefold()
        plain = _ANY_APOSTROPHE.sub("'", unicodedata.normalize("NFC", plain))
    if plain[0].isdigit():
        return _figure(plain)
    if _INITIALS_ONLY.fullmatch(plain):
        return plain.replace(".", "")
    return plain.removesuffix("'s")


def _figure(word: str) -> str:
    if not word.isascii():
        word = "".join(str(unicodedata.decimal(char, char)) for char in word)
    return word.replace(",", "").removesuffix("'s")
