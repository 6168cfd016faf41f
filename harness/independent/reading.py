"""How the second checker reads text: letter by letter, with the standard library and nothing of the product."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

STOPS = ".!?।॥。"
BRACKETS = "[［【〔⟦]］】〕⟧"
# What precedes a full stop that does not end a sentence.
SHORTENED = frozenset("sec secs s ss no nos art arts cl para rs dr mr mrs vs v viz e.g i.e etc fig ch vol p pp".split())
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
VALUES = {word: value for value, word in enumerate(ONES)} | TENS


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """One sentence of a delivered text: its words, and what its markers name, as written."""

    text: str
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """A delivered text, sentence by sentence, and every bracket in it that names nothing."""

    sentences: tuple[CitedSentence, ...]
    stray: tuple[str, ...]


@lru_cache(maxsize=64)
def read(body: str) -> ReadAnswer:
    """Reads a rendered answer. `\\[` and `\\]` are brackets of the text; any other bracket must be a marker `[...]`."""
    stray: list[str] = []
    said: list[CitedSentence] = []
    text: list[str] = []
    named: list[str] = []
    at = 0
    while at < len(body):
        char = body[at]
        if char == "\\" and body[at + 1 : at + 2] in ("[", "]", "\\"):
            text.append(body[at + 1])
            at += 2
            continue
        if char == "[":
            end = at + 1
            while end < len(body) and body[end] not in "[]\n":
                end += 1
            inner = body[at + 1 : end]
            if body[end : end + 1] != "]" or not inner.strip():
                stray.append(body[at : end + 1])
            else:
                named.append(inner)
            at = end + (body[end : end + 1] == "]")
            continue
        if char in BRACKETS:
            stray.append(char)
        text.append(char)
        at += 1
        if (char == "\n" or char in STOPS) and _ends("".join(text[-24:]), body, at):
            at = _late_markers(body, at, named)
            said.append(CitedSentence("".join(text), tuple(named)))
            text, named = [], []
    if "".join(text).strip() or named:
        said.append(CitedSentence("".join(text), tuple(named)))
    return ReadAnswer(tuple(one for one in said if one.text.strip(STOPS + " \n;,") or one.named), tuple(stray))


def _ends(before: str, body: str, at: int) -> bool:
    """Whether a sentence ends just before `at`, behind the stop or line end that `before` ends with."""
    if before.endswith("\n"):
        return bool(before.strip()) and body[at : at + 1] != "["
    after = body[at:].lstrip(" \"'”’)")
    if body[at : at + 1] not in ("", " ", "\n", '"', "'", "”", "’", ")"):
        return False
    if before[-1] == ".":
        word = before[:-1].rsplit(" ", 1)[-1].strip("(\"'").casefold()
        if word in SHORTENED and after:
            return False
    return not (after[:1].islower() and before[-1] == ".")


def _late_markers(body: str, at: int, named: list[str]) -> int:
    """Where the markers behind a full stop end; they belong to the sentence before them."""
    while True:
        start = at
        while body[start : start + 1] in tuple(" —–-;,"):
            start += 1
        end = body.find("]", start)
        if body[start : start + 1] != "[" or end < 0 or not (inner := body[start + 1 : end]).strip() or "[" in inner:
            return at
        named.append(inner)
        at = end + 1


def words(text: str) -> tuple[str, ...]:
    """The words of a text, folded; numbers in digits and in words up to 99 give the same digits."""
    found: list[str] = []
    word: list[str] = []
    for char in f"{unicodedata.normalize('NFC', text)} ":  # an accent written by itself parts no word
        if char.isalnum() or _is_mark(char):
            word.append(char)
        elif word:
            found.append("".join(word).casefold())
            word = []
    return tuple(_in_digits(found))


def _is_mark(char: str) -> bool:
    return "\u0900" <= char <= "\u0903" or "\u093a" <= char <= "\u094f" or char == "\u0962"


def _in_digits(found: list[str]) -> list[str]:
    digits: list[str] = []
    at = 0
    while at < len(found):
        word = found[at]
        if word in TENS and at + 1 < len(found) and 0 < VALUES.get(found[at + 1], 0) < 10:
            digits.append(str(TENS[word] + VALUES[found[at + 1]]))
            at += 2
            continue
        digits.append(str(VALUES[word]) if word in VALUES else word)
        at += 1
    return digits


@lru_cache(maxsize=256)
def sentences_of(text: str) -> tuple[tuple[str, ...], ...]:
    """The sentences of a passage, as words."""
    escaped = text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return tuple(found for one in read(escaped).sentences if (found := words(one.text)))
