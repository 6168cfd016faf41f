"""Provisions named in a text, "Section 420 IPC" or "§ 164.514(b)", and the numbers that merely label things."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.domain.query import Reference
from footnotary.text.lexemes import Lexeme, lexemes
from footnotary.text.numbers.number_words import lexeme_at, number_in_words
from footnotary.text.references.act_names import CODE_KEYS, act_after, act_before, known_code

LONGEST_RANGE = 20

_KEYWORDS = frozenset(
    "section sections sec secs article articles art arts rule rules regulation regulations धारा धाराओं धाराएं धाराएँ"
    " अनुच्छेद अनुच्छेदों नियम".split()
)
_PLURAL = frozenset("sections secs ss articles arts rules regulations धाराओं धाराएं अनुच्छेदों".split())
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
# What may follow "section 12 A"; before another word, "section 12 A person", it is no letter of the number.
_AFTER_LETTER = _AFTER_LISTED | frozenset(
    "say says state states mean means apply applies cover covers require requires prescribe prescribes contain contains"
    " with on by be can will would lay lays define defines allow allows forbid forbids punish punishes".split()
)
_COUNTED = frozenset("year years month months week weeks day days hour hours rupee rupees lakh lakhs crore".split())
_LABELS = frozenset(
    "chapter chapters page pages part parts title schedule form class standard exercise example theorem figure fig"
    " table no nos number item paragraph paragraphs para step explanation illustration clause subpart unit question"
    " order appendix annexure lesson slot source passage id अध्याय पृष्ठ कक्षा भाग अनुसूची उदाहरण प्रश्न".split()
)
_SINGULAR = {word + "s": word for word in ("chapter", "page", "part", "paragraph", "no")} | {
    "fig": "figure",
    "para": "paragraph",
}
_HINDI_LETTERS = dict(zip("कखगघङचछजझञट", "ABCDEFGHIJK", strict=True))
_CLAUSE = r"\((?:\d{1,3}[A-Za-z]?|[A-Za-z]{1,2}|[ivxlIVXL]{1,5})\)"
_CLAUSES = re.compile(rf"(?:\s?{_CLAUSE}){{1,6}}")
# "clause (b) of sub-section (1) of " before the word "section"; searched in a short window only.
_LEADING = re.compile(
    rf"(?:clauses?|sub-?\s?sections?|subsections?|sub-?\s?clauses?|paragraphs?|para|items?)"
    rf"\s?((?:{_CLAUSE}|\s|,|and|or|to){{1,20}}?)\s?of\s{{1,2}}",
    re.IGNORECASE,
)
_ONE_CLAUSE = re.compile(_CLAUSE)
_WINDOW = 90
# Where none of these stands, and no number, no provision is named.
_ANNOUNCING = _KEYWORDS | _SHORT | CODE_KEYS | {"§", "cfr", "c"}
# What may stand before a number in words.
_BEFORE_WORDED = (_KEYWORDS | _SHORT | {"§"}) - _PLURAL - {"s", "r"}


@dataclass(frozen=True, slots=True)
class NumberedItem:
    """A thing named by its number, "Chapter 5" or "Class 10": a label, not an amount."""

    noun: str
    number: str
    span: Span


@lru_cache(maxsize=64)
def references(text: str) -> tuple[tuple[Reference, Span], ...]:
    """Every provision named in `text`, in order, with its place.

    Numbers are normalised: `120-B` and `120 B` are "120B", `४२०` is "420". A list shares its act, a range of at most
    `LONGEST_RANGE` plain numbers is given in full and a longer one by its ends. `clause` is as written without
    spaces, outermost first: "(1)(b)". Chapters, pages and paragraphs are no provisions.
    """
    found: list[tuple[Reference, Span]] = []
    lex = lexemes(text)
    i = 0
    while i < len(lex):
        may_name = lex[i].kind == "number" or lex[i].key in _ANNOUNCING
        first = _number_follows(lex, i) if may_name else None
        if first is None:
            i += 1
            continue
        several = lex[i].key in _PLURAL or lexeme_at(lex, i + 1).text == "§"
        numbers, i_after = _listed(text, lex, first, several)
        act, end = act_after(text, lex, i_after)
        start = lex[i].start
        if act is None:
            act, start = act_before(text, lex, i)
        leading = _leading_clauses(text, lex[i].start) if _is_keyword(lex, i) else []
        found.extend(_spread(numbers, act, leading, start, end))
        i = max(i_after, i + 1)
    return tuple(found)


@lru_cache(maxsize=64)
def worded_references(text: str) -> tuple[tuple[str, Span], ...]:
    """Provisions whose number is written in words, "section twelve": the number, and its place.

    "One" is left out, which follows rules and articles as a pronoun.
    """
    lex = lexemes(text)
    found: list[tuple[str, Span]] = []
    for i, lexeme in enumerate(lex):
        if lexeme.key not in _BEFORE_WORDED or not _is_keyword(lex, i):
            continue
        j = i + 2 if lexeme_at(lex, i + 1).text == "." else i + 1
        number = number_in_words(lex, j)
        if number is None or number.ordinal or number.value < 2 or number.value.denominator != 1:
            continue
        if lexeme_at(lex, number.end).key not in _COUNTED:
            found.append((str(int(number.value)), Span(lexeme.start, lex[number.end - 1].end)))
    return tuple(found)


def provision_key(number: str) -> str:
    """What the ways of writing a provision's number have in common: 120-B and 120b, ४२० and 420, 376क and 376A."""
    plain = _ascii("".join(number.split())).replace("-", "")
    if plain[:-1].isdecimal() and plain[-1:] in _HINDI_LETTERS:
        plain = plain[:-1] + _HINDI_LETTERS[plain[-1]]
    return plain.casefold()


@lru_cache(maxsize=64)
def numbered_items(text: str) -> tuple[NumberedItem, ...]:
    """The numbers in `text` that label chapters, pages, classes, examples and the like."""
    lex = lexemes(text)
    found: list[NumberedItem] = []
    for i, lexeme in enumerate(lex):
        if lexeme.key not in _LABELS:
            continue
        j = i + 2 if lexeme_at(lex, i + 1).text == "." else i + 1
        while lexeme_at(lex, j).kind == "number":
            number = lex[j]
            if lexeme.key in ("no", "part", "number") and lexeme_at(lex, j + 1).key in _COUNTED:
                break
            found.append(
                NumberedItem(_SINGULAR.get(lexeme.key, lexeme.key), _ascii(number.text), Span(number.start, number.end))
            )
            listed = lexeme_at(lex, j + 1).key in ("and", "or", "to", "-", "–") and lexeme.key.endswith("s")
            j = j + 2 if listed else len(lex)
    return tuple(found)


def _number_follows(lex: Sequence[Lexeme], i: int) -> int | None:
    """The place of the first provision number if one is announced, or simply stands, at `i`."""
    here = lex[i]
    if here.text == "§":
        j = i + 2 if lexeme_at(lex, i + 1).text == "§" else i + 1
        return j if _is_number(lex, j) else None
    if _is_keyword(lex, i):
        j = i + 1
        while j < i + 4 and (lexeme_at(lex, j).text in (".", ":") or lexeme_at(lex, j).key in _NUMBER):
            j += 1
        if (
            lexeme_at(lex, j).text in _HYPHENS and lexeme_at(lex, j).glued and lexeme_at(lex, j + 1).glued
        ):  # "section-302"
            j += 1
        if here.key in ("s", "ss", "r") and lexeme_at(lex, i + 1).text != "." and lexeme_at(lex, i - 1).text != "/":
            return None
        return j if _is_number(lex, j) and not _counted(lex, j) else None
    if (
        here.key in ("cfr", "c")
        and (j := _after_cfr(lex, i))
        and re.fullmatch(r"\d{2,4}\.\d{1,4}", lexeme_at(lex, j).text)
    ):
        return j
    if known_code(here) and _is_number(lex, i + 1) and not _counted(lex, i + 1):
        return i + 1
    lettered = lexeme_at(lex, i + 1).glued and len(lexeme_at(lex, i + 1).text) <= 2
    if _is_number(lex, i) and known_code(lexeme_at(lex, i + 2 if lettered else i + 1)):
        return i
    if here.kind == "number" and re.fullmatch(r"[1-9]\d\d\.\d{3}", here.text) and not _counted(lex, i):
        before = lexeme_at(lex, i - 2) if lexeme_at(lex, i - 1).text == "." else lexeme_at(lex, i - 1)
        money = before.text in ("$", "€", "£", "₹") or before.key in ("rs", "inr", "usd")
        return None if money or lexeme_at(lex, i - 1).text == "=" else i
    return None


def _is_keyword(lex: Sequence[Lexeme], i: int) -> bool:
    here, before = lex[i], lexeme_at(lex, i - 1)
    if here.key == "s" and before.text == "/" and lexeme_at(lex, i - 2).key == "u":
        return True
    if here.key not in _KEYWORDS and here.key not in _SHORT:
        return here.text == "§"
    hyphen_before = before.text in ("-", "‐", "‑") and here.glued and lexeme_at(lex, i - 2).key == "sub"
    return not hyphen_before and not (here.key in ("s", "r") and here.glued)


def _after_cfr(lex: Sequence[Lexeme], i: int) -> int | None:
    if lex[i].key == "cfr":
        return i + 1
    dotted = [lexeme_at(lex, i + k).key for k in range(6)]
    return i + 6 if dotted == ["c", ".", "f", ".", "r", "."] else None


def _is_number(lex: Sequence[Lexeme], i: int) -> bool:
    return (
        lexeme_at(lex, i).kind == "number"
        and "," not in lexeme_at(lex, i).text
        and lexeme_at(lex, i).text.count(".") <= 2
    )


def _counted(lex: Sequence[Lexeme], i: int) -> bool:
    after = lexeme_at(lex, i + 1)
    return (
        after.key in _COUNTED
        or after.text == "%"
        or (after.key == "per" and lexeme_at(lex, i + 2).key.startswith("cent"))
    )


@dataclass(frozen=True, slots=True)
class _Listed:
    section: str
    clause: str | None
    span: Span
    to: bool = False  # the end of a range


def _listed(text: str, lex: Sequence[Lexeme], i: int, several: bool) -> tuple[list[_Listed], int]:
    numbers: list[_Listed] = []
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
        goes_on = separated and _is_number(lex, j) and not _counted(lex, j) and lexeme_at(lex, j).text != "."
        after = lexeme_at(lex, j + 1)
        if not goes_on or (after.is_word and not after.glued and not (several or _may_follow(after))):
            return numbers, i
        if (
            lexeme_at(lex, j - 1).text == ","
            and len(lexeme_at(lex, j).text) == 4
            and lexeme_at(lex, j).text[:2] in ("18", "19", "20")
        ):
            return numbers, i
        i = j


def _may_follow(after: Lexeme) -> bool:
    return (
        after.key in _AFTER_LISTED
        or after.text[:1].isupper()
        or (after.key not in _COUNTED and after.key.endswith("ed"))
    )


def _one(text: str, lex: Sequence[Lexeme], i: int, to: bool) -> tuple[_Listed, int]:
    number = lex[i]
    section, end, i = _ascii(number.text).rstrip("."), number.end, i + 1
    letters = lexeme_at(lex, i)
    if (
        letters.text in _HYPHENS
        and letters.glued
        and re.fullmatch("[A-Z]{1,2}|[a-z]|[क-ट]", lexeme_at(lex, i + 1).text)
    ):
        if lexeme_at(lex, i + 1).glued:
            section, end, i = section + _letters(lex[i + 1].text), lex[i + 1].end, i + 2
    elif letters.glued and re.fullmatch("[A-Za-z]{1,3}", letters.text):
        section, end, i = section + letters.text.upper(), letters.end, i + 1
    elif letters.text in _HINDI_LETTERS if letters.glued else _is_letter_apart(text, lex, i):
        section, end, i = section + _letters(letters.text), letters.end, i + 1
    clauses = _CLAUSES.match(text, end)
    if clauses is None:
        return _Listed(section, None, Span(number.start, end), to), i
    while lexeme_at(lex, i).text and lex[i].start < clauses.end():
        i += 1
    return _Listed(section, "".join(clauses[0].split()), Span(number.start, clauses.end()), to), i


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


def _leading_clauses(text: str, start: int) -> list[str]:
    """The clauses of "clauses (a) and (b) of sub-section (1) of " before `start`, as "(1)(a)" and "(1)(b)"."""
    window = text[max(0, start - _WINDOW) : start]
    found = list(_LEADING.finditer(window))
    inner: list[str] = [""]
    end = len(window)
    for match in reversed(found):
        between = window[match.end() : end].strip().lower()
        if between not in ("", "the"):
            break
        own = _ONE_CLAUSE.findall(match[1])
        inner = [before + clause for before in inner for clause in own]
        end = match.start()
    return [clause for clause in inner if clause]


def _spread(
    numbers: list[_Listed], act: str | None, leading: list[str], start: int, end: int
) -> Iterator[tuple[Reference, Span]]:
    for place, listed in enumerate(numbers):
        span = Span(
            min(start, listed.span.start) if place == 0 else listed.span.start,
            max(end, listed.span.end) if place == len(numbers) - 1 else listed.span.end,
        )
        before = numbers[place - 1] if place else None
        if listed.to and before and _is_short_number(before.section) and _is_short_number(listed.section):
            low, high = int(before.section), int(listed.section)
            if 0 < high - low <= LONGEST_RANGE:
                for between in range(low + 1, high):
                    yield Reference(str(between), act), span
        if place == 0 and leading:
            for clause in leading:
                yield Reference(listed.section, act, (listed.clause or "") + clause), span
        else:
            yield Reference(listed.section, act, listed.clause), span


def _is_short_number(section: str) -> bool:
    return section.isdecimal() and len(section) <= 9


def _ascii(digits: str) -> str:
    return "".join(str(int(char)) if char.isdecimal() else char for char in digits)
