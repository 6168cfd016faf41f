"""The grammar of provision numbers: the words that introduce one, and lists of numbers with letters and clauses."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.identity import Span
from footnotary.text.lexemes import Lexeme, lexeme_at
from footnotary.text.references.act_names import CODE_KEYS, known_code

_KEYWORDS = frozenset(
    "section sections sec secs article articles art arts rule rules regulation regulations धारा धाराओं धाराएं धाराएँ"
    " अनुच्छेद अनुच्छेदों नियम".split()
)
PLURAL_KEYWORDS = frozenset("sections secs ss articles arts rules regulations धाराओं धाराएं अनुच्छेदों".split())
_SHORT = frozenset({"s", "ss", "sec", "secs", "art", "arts", "r"})
_AND = frozenset({"and", "or", "to", "nor", "through", "और", "या", "तथा", "एवं", "से"})
_RANGE = frozenset({"to", "through", "-", "–", "—", "से"})
# What may follow a further number of a list; "section 5, 30 days" is one section and a period.
_AFTER_LISTED = frozenset(
    "and or to of shall is are was were has have do does may must under read deals deal provides provide ipc crpc cpc"
    " in for as which that the if thereof के की का में और या तथा".split()
)
_NUMBER = frozenset({"no", "nos", "number", "numbers", "संख्या", "नंबर", "नम्बर", "क्रमांक"})
_HYPHENS = ("-", "‐", "‑")
# What may follow "section 12 A"; before another word, "section 12 A person", it is not part of the number.
_AFTER_LETTER = _AFTER_LISTED | frozenset(
    "say says state states mean means apply applies cover covers require requires prescribe prescribes contain contains"
    " with on by be can will would lay lays define defines allow allows forbid forbids punish punishes".split()
)
COUNTED_NOUNS = frozenset(
    "year years month months week weeks day days hour hours rupee rupees lakh lakhs crore".split()
)
_HINDI_LETTERS = dict(zip("कखगघङचछजझञट", "ABCDEFGHIJK", strict=True))
CLAUSE_PATTERN = r"\((?:\d{1,3}[A-Za-z]?|[A-Za-z]{1,2}|[ivxlIVXL]{1,5})\)"
_CLAUSES = re.compile(rf"(?:\s?{CLAUSE_PATTERN}){{1,6}}")
# A text with none of these and no number names no provision.
ANNOUNCING_WORDS = _KEYWORDS | _SHORT | CODE_KEYS | {"§", "cfr", "c"}
# What may precede a number in words.
BEFORE_WORDED_NUMBER = (_KEYWORDS | _SHORT | {"§"}) - PLURAL_KEYWORDS - {"s", "r"}


def provision_key(number: str) -> str:
    """One key for all spellings of a provision's number: 120-B and 120b, ४२० and 420, 376क and 376A."""
    plain = ascii_digits("".join(number.split())).replace("-", "")
    if plain[:-1].isdecimal() and plain[-1:] in _HINDI_LETTERS:
        plain = plain[:-1] + _HINDI_LETTERS[plain[-1]]
    return plain.casefold()


def first_number_at(lex: Sequence[Lexeme], i: int) -> int | None:
    """The index of the first provision number, if one is introduced or present at `i`."""
    here = lex[i]
    if here.text == "§":
        j = i + 2 if lexeme_at(lex, i + 1).text == "§" else i + 1
        return j if _is_number(lex, j) else None
    if is_keyword(lex, i):
        j = i + 1
        while j < i + 4 and (lexeme_at(lex, j).text in (".", ":") or lexeme_at(lex, j).key in _NUMBER):
            j += 1
        if lexeme_at(lex, j).text in _HYPHENS and lexeme_at(lex, j).glued and lexeme_at(lex, j + 1).glued:
            j += 1  # "section-302"
        if here.key in ("s", "ss", "r") and lexeme_at(lex, i + 1).text != "." and lexeme_at(lex, i - 1).text != "/":
            return None
        return j if _is_number(lex, j) and not _counted(lex, j) else None
    j = _after_cfr(lex, i) if here.key in ("cfr", "c") else None
    if j is not None and re.fullmatch(r"\d{2,4}\.\d{1,4}", lexeme_at(lex, j).text):
        return j
    if known_code(here) and _is_number(lex, i + 1) and not _counted(lex, i + 1):
        return i + 1
    lettered = lexeme_at(lex, i + 1).glued and len(lexeme_at(lex, i + 1).text) <= 2
    if _is_number(lex, i) and known_code(lexeme_at(lex, i + 2 if lettered else i + 1)):
        return i
    if here.kind == "number" and re.fullmatch(r"[1-9]\d\d\.\d{3}", here.text) and not _counted(lex, i):
        before = lexeme_at(lex, i - 2) if lexeme_at(lex, i - 1).text == "." else lexeme_at(lex, i - 1)
        money = before.key in ("$", "€", "£", "₹", "rs", "inr", "usd")
        return None if money or lexeme_at(lex, i - 1).text == "=" else i
    return None


def is_keyword(lex: Sequence[Lexeme], i: int) -> bool:
    here, before = lex[i], lexeme_at(lex, i - 1)
    if here.key == "s" and before.text == "/" and lexeme_at(lex, i - 2).key == "u":
        return True
    if here.key not in _KEYWORDS and here.key not in _SHORT:
        return here.text == "§"
    hyphen_before = before.text in _HYPHENS and here.glued and lexeme_at(lex, i - 2).key == "sub"
    return not hyphen_before and not (here.key in ("s", "r") and here.glued)


def _after_cfr(lex: Sequence[Lexeme], i: int) -> int | None:
    if lex[i].key == "cfr":
        return i + 1
    dotted = [lexeme_at(lex, i + k).key for k in range(6)]
    return i + 6 if dotted == ["c", ".", "f", ".", "r", "."] else None


def _is_number(lex: Sequence[Lexeme], i: int) -> bool:
    here = lexeme_at(lex, i)
    return here.kind == "number" and "," not in here.text and here.text.count(".") <= 2


def _counted(lex: Sequence[Lexeme], i: int) -> bool:
    after = lexeme_at(lex, i + 1)
    per_cent = after.key == "per" and lexeme_at(lex, i + 2).key.startswith("cent")
    return after.key in COUNTED_NOUNS or after.text == "%" or per_cent


@dataclass(frozen=True, slots=True)
class ListedNumber:
    section: str
    clause: str | None
    span: Span
    to: bool = False  # the end of a range


def listed_numbers(text: str, lex: Sequence[Lexeme], i: int, several: bool) -> tuple[list[ListedNumber], int]:
    numbers: list[ListedNumber] = []
    to = False
    while True:
        listed, i = _one(text, lex, i, to)
        numbers.append(listed)
        j, separated = i, False
        to = False
        while lexeme_at(lex, j).text in (",", "&", "/", "-", "–", "—") or lexeme_at(lex, j).key in _AND:
            to = to or lexeme_at(lex, j).key in _RANGE
            j, separated = j + 1, True
        if separated and lexeme_at(lex, j).text == "§":
            j += 1
        continues = separated and _is_number(lex, j) and not _counted(lex, j)
        after = lexeme_at(lex, j + 1)
        is_year = lexeme_at(lex, j - 1).text == "," and re.fullmatch("(?:18|19|20)..", lexeme_at(lex, j).text)
        if not continues or is_year or (after.is_word and not after.glued and not (several or _may_follow(after))):
            return numbers, i
        i = j


def _may_follow(after: Lexeme) -> bool:
    return after.key in _AFTER_LISTED or after.text[:1].isupper() or after.key.endswith("ed")


def _one(text: str, lex: Sequence[Lexeme], i: int, to: bool) -> tuple[ListedNumber, int]:
    number = lex[i]
    section, end, i = ascii_digits(number.text).rstrip("."), number.end, i + 1
    letters, behind = lexeme_at(lex, i), lexeme_at(lex, i + 1)
    if letters.text in _HYPHENS and letters.glued and re.fullmatch("[A-Z]{1,2}|[a-z]|[क-ट]", behind.text):
        if behind.glued:
            section, end, i = section + _letters(behind.text), behind.end, i + 2
    elif letters.glued and re.fullmatch("[A-Za-z]{1,3}", letters.text):
        section, end, i = section + letters.text.upper(), letters.end, i + 1
    elif letters.text in _HINDI_LETTERS if letters.glued else _is_letter_apart(text, lex, i):
        section, end, i = section + _letters(letters.text), letters.end, i + 1
    clauses = _CLAUSES.match(text, end)
    if clauses is None:
        return ListedNumber(section, None, Span(number.start, end), to), i
    while lexeme_at(lex, i).text and lex[i].start < clauses.end():
        i += 1
    return ListedNumber(section, "".join(clauses[0].split()), Span(number.start, clauses.end()), to), i


def _is_letter_apart(text: str, lex: Sequence[Lexeme], i: int) -> bool:
    """Whether lexeme `i`, a space behind a number, belongs to it: the A of "section 12 A of the Act"."""
    letter, after = lexeme_at(lex, i), lexeme_at(lex, i + 1)
    is_initial = after.text == "." and lexeme_at(lex, i + 2).is_word and lexeme_at(lex, i + 2).glued  # "I.P.C."
    if is_initial or text[lex[i - 1].end : letter.start] not in (" ", "\u00a0"):
        return False
    if letter.text in ("A", "I") and after.is_word and after.text.isascii():
        follows = {"of"} if letter.text == "I" else _AFTER_LETTER
        return after.key in follows or known_code(after) is not None
    return letter.text in _HINDI_LETTERS or re.fullmatch("[A-Z]", letter.text) is not None


def _letters(written: str) -> str:
    return _HINDI_LETTERS.get(written, written.upper())


def ascii_digits(digits: str) -> str:
    return "".join(str(int(char)) if char.isdecimal() else char for char in digits)
