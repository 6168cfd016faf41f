"""Dates in a text, as exact as they are given: a day, a month of a year, or a year alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from footnotary.domain.identity import Span
from footnotary.text.lexemes import Lexeme, fold, lexeme_at, lexemes
from footnotary.text.number_words import FIRST_WORDS, ORDINALS, number_in_words

_ENGLISH = "january february march april may june july august september october november december".split()
_HINDI = "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर".split()
MONTHS: dict[str, int] = {
    **{word: place for place, word in enumerate(_ENGLISH, 1)},
    **{word[:3]: place for place, word in enumerate(_ENGLISH, 1)},
    **{fold(word): place for place, word in enumerate(_HINDI, 1)},
    "sept": 9, "सितम्बर": 9, "अक्तूबर": 10, "नवम्बर": 11, "दिसम्बर": 12,
}  # fmt: skip
_FIRST_WORDS = FIRST_WORDS.union(MONTHS)
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_BEFORE_YEAR = frozenset(
    "in of since from until till by year during before after between to and or early late mid circa calendar"
    " financial fiscal act code rules regulations ordinance amendment bill adhiniyam sanhita वर्ष सन सन् ईस्वी"
    " अधिनियम संहिता नियम".split()
)
_NAMES = frozenset("act code rules regulations ordinance bill adhiniyam sanhita wages अधिनियम संहिता नियम".split())
_BEFORE_MONTH = frozenset("in of during since until till by from before after every each".split())
_COUNTED = frozenset(
    "year years month months week weeks day days hour hours rupees rupee dollars persons people individuals employees"
    " workers workmen members words votes residents percent per lakh crore million thousand km kg metres meters litres"
    " रुपये रुपए दिन वर्ष साल".split()
)
_DASHES = ("-", "–", "/")
_LONGEST_DAY, _MOST_DAYS = 4, 999
_SIGNS = frozenset("$₹€£")
_BEFORE_AMOUNT = frozenset("rs re inr usd eur gbp section sections rule rules article articles".split())
FIRST_YEAR, LAST_YEAR = 1500, 2199


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as exact as the text gives it; at least one field is set.

    A day that no month has ("45 July 1984") is kept as written: it is still a date, not an amount.
    `in_name` says that the year is part of a name, as in "the Minimum Wages Act, 1948".
    """

    year: int | None
    month: int | None
    day: int | None
    span: Span
    in_name: bool = False

    def __str__(self) -> str:
        month = _ENGLISH[self.month - 1].capitalize() if self.month else None
        return " ".join(str(part) for part in (self.day, month, self.year) if part is not None)


@lru_cache(maxsize=64)
def dates(text: str) -> tuple[DateMention, ...]:
    """Every date of `text` in order, none overlapping another.

    "26 January 1950", "January 26, 1950", "the 26th day of January, 1950", "26.01.1950" (day first), "2020-01-31",
    "March 2020", "in 2005" and "the Act of 1948" are dates, and "1914-18" are two. A number that counts something is
    not a date.
    """
    lex = lexemes(text)
    found: list[DateMention] = []
    i = 0
    while i < len(lex):
        may_begin = lex[i].kind == "number" or lex[i].key in _FIRST_WORDS
        read = (_numeric, _day_first, _month_first, _month_and_year, _year) if may_begin else ()
        mention = next((mention for each in read if (mention := each(lex, i)) is not None), None)
        i += 1
        if mention is not None:
            found.append(mention)
            while i < len(lex) and lex[i].start < mention.span.end:
                i += 1
    return tuple(found)


def months_named(text: str) -> frozenset[int]:
    """The months named in `text`, in a date or not: "between June and September" names two."""
    lex = lexemes(text)
    return frozenset(month for i in range(len(lex)) if (month := _month(lex, i)) is not None)


def _numeric(lex: Sequence[Lexeme], i: int) -> DateMention | None:
    here = lex[i]
    if here.kind != "number" or (here.glued and lexeme_at(lex, i - 1).is_word):
        return None
    parts, end = here.text.split("."), i
    joined = lexeme_at(lex, i + 1).text in ("-", "/") and lexeme_at(lex, i + 3).text == lexeme_at(lex, i + 1).text
    if joined and all(lexeme_at(lex, i + k).glued for k in range(1, 5)) and lexeme_at(lex, i + 4).kind == "number":
        parts, end = [here.text, lexeme_at(lex, i + 2).text, lexeme_at(lex, i + 4).text], i + 4
    if len(parts) != 3 or not all(part.isdecimal() and len(part) <= 4 for part in parts):
        return None
    span = Span(here.start, lex[end].end)
    first, month, last = (int(part) for part in parts)
    if len(parts[0]) == 4 and 1 <= month <= 12 and 1 <= last <= 31:
        return DateMention(first, month, last, span)
    if len(parts[2]) != 4 or not 1 <= first <= 31:
        return None
    if 1 <= month <= 12:
        return DateMention(last, month, first, span)
    return DateMention(last, first, month, span) if first <= 12 and month <= 31 else None


def _day_first(lex: Sequence[Lexeme], i: int) -> DateMention | None:
    day, j, exists = _day_or_none(lex, i)
    if day is None:
        return None
    if lexeme_at(lex, j).key == "day":
        j += 1
    if lexeme_at(lex, j).key == "of":
        j += 1
    month = _month(lex, j)
    if month is None:
        return None
    year, end = _year_after(lex, _past_dot(lex, j))
    if year is None and not exists:
        return None
    return DateMention(year, month, day, Span(lex[i].start, lex[end].end))


def _month_first(lex: Sequence[Lexeme], i: int) -> DateMention | None:
    month, j = _month(lex, i), _past_dot(lex, i)
    if month is None:
        return None
    if lexeme_at(lex, j).key == "the":
        j += 1
    day, j, exists = _day_or_none(lex, j)
    if day is None or lexeme_at(lex, j).key in _COUNTED:
        return None
    year, end = _year_after(lex, j)
    if year is None and not exists:
        return None
    return DateMention(year, month, day, Span(lex[i].start, lex[end].end))


def _month_and_year(lex: Sequence[Lexeme], i: int) -> DateMention | None:
    month = _month(lex, i)
    if month is None:
        return None
    year, end = _year_after(lex, _past_dot(lex, i))
    if year is not None:
        return DateMention(year, month, None, Span(lex[i].start, lex[end].end))
    # "may" and "march" are verbs more often than months, and short forms alone are ambiguous.
    alone = lexeme_at(lex, i - 1).key in _BEFORE_MONTH and lex[i].key not in ("may", "march") and len(lex[i].text) > 3
    return DateMention(None, month, None, Span(lex[i].start, lex[i].end)) if alone else None


def _year(lex: Sequence[Lexeme], i: int) -> DateMention | None:
    if lexeme_at(lex, i - 1).text in ("-", "–") and lexeme_at(lex, i - 1).glued and lexeme_at(lex, i).glued:
        first = _year_at(lex, i - 2)
        last = None if first is None else _short_year(lex, i, first)
        if last is not None:
            return DateMention(last, None, None, Span(lex[i].start, lex[i].end))
    year = _year_at(lex, i)
    if year is None or lexeme_at(lex, i + 1).key in _COUNTED or lexeme_at(lex, i + 1).text == "%":
        return None
    before, after = lexeme_at(lex, i - 1), lexeme_at(lex, i + 1)
    comma = before.text == ","
    named = lexeme_at(lex, i - 2) if comma or before.key == "of" else before
    in_name = named.key in _NAMES or (comma and named.is_word and named.text[:1].isupper())
    in_name = in_name or (after.key in _NAMES and after.text[:1].isupper())
    listed = before.text in ("-", "–", "&") and _year_at(lex, i - 2) is not None
    # "2018-19" is one financial year.
    joined = after.text in ("-", "–", "/") and after.glued and lexeme_at(lex, i + 2).glued
    short = joined and lexeme_at(lex, i + 2).text == f"{(year + 1) % 100:02}"
    spanned = joined and not short and _short_year(lex, i + 2, year) is not None
    known = in_name or listed or short or spanned or (joined and _year_at(lex, i + 2) == year + 1)
    if not (known or before.key in _BEFORE_YEAR or (before.text == "(" and after.text == ")")):
        return None
    return DateMention(year, None, None, Span(lex[i].start, lex[i + 2 if short else i].end), in_name)


def _year_at(lex: Sequence[Lexeme], i: int) -> int | None:
    here = lexeme_at(lex, i)
    if not re.fullmatch(r"\d{4}", here.text) or (here.glued and lexeme_at(lex, i - 1).is_word):
        return None
    if lexeme_at(lex, i + 1).glued and (lexeme_at(lex, i + 1).is_word or lexeme_at(lex, i + 1).text == "("):
        return None
    year = int(here.text)
    return year if FIRST_YEAR <= year <= LAST_YEAR else None


def _short_year(lex: Sequence[Lexeme], i: int, first: int) -> int | None:
    """The last year of "1914-18", whose first is `first`."""
    written = lexeme_at(lex, i).text
    if not re.fullmatch(r"\d\d", written) or int(written) <= first % 100 or lexeme_at(lex, i + 1).text in _DASHES:
        return None
    return first - first % 100 + int(written)


def _year_after(lex: Sequence[Lexeme], j: int) -> tuple[int | None, int]:
    """The year at `j`, with or without a comma or "of" before it, and the last lexeme of the date."""
    k = j + 1 if lexeme_at(lex, j).text == "," or lexeme_at(lex, j).key in ("of", "in") else j
    year = _year_at(lex, k)
    return (year, k) if year is not None and lexeme_at(lex, k + 1).key not in _COUNTED else (None, j - 1)


def _month(lex: Sequence[Lexeme], i: int) -> int | None:
    here = lexeme_at(lex, i)
    return MONTHS.get(here.key) if not here.text.isascii() or here.text[:1].isupper() else None


def _past_dot(lex: Sequence[Lexeme], i: int) -> int:
    return i + 2 if lexeme_at(lex, i + 1).text == "." and len(lex[i].text) <= 4 else i + 1


def _day(lex: Sequence[Lexeme], i: int) -> tuple[int | None, int]:
    """The day of a month at `i`, "26", "26th" or "twenty-sixth", and the lexeme after it."""
    here = lexeme_at(lex, i)
    if here.kind == "number" and here.text.isdecimal() and len(here.text) <= 2 and 1 <= int(here.text) <= 31:
        suffixed = lexeme_at(lex, i + 1).glued and lexeme_at(lex, i + 1).key in _SUFFIXES
        glued = lexeme_at(lex, i + 1).glued and lexeme_at(lex, i + 1).is_word
        return (int(here.text), i + 2) if suffixed else (None, i) if glued else (int(here.text), i + 1)
    if here.key in ORDINALS or here.key in ("twenty", "thirty"):
        number = number_in_words(lex, i)
        if number is not None and number.ordinal and number.value <= 31:
            return int(number.value), number.end
    return None, i


def _day_or_none(lex: Sequence[Lexeme], i: int) -> tuple[int | None, int, bool]:
    """The number at `i` in the position of a day, the lexeme after it, and whether it is a day even without a year."""
    day, j = _day(lex, i)
    if day is not None:
        return day, j, True
    here, after = lexeme_at(lex, i), lexeme_at(lex, i + 1)
    if (number := number_in_words(lex, i)) is not None and not number.ordinal and number.value <= _MOST_DAYS:
        # "fifteen April 1989": a day where a year follows, or else an amount.
        return int(number.value), number.end, False
    amount = lexeme_at(lex, i - 1).text in _SIGNS or lexeme_at(lex, i - 1).key in _BEFORE_AMOUNT
    if amount or here.kind != "number" or not here.text.isdecimal() or len(here.text) > _LONGEST_DAY:
        return None, i, False
    if FIRST_YEAR <= int(here.text) <= LAST_YEAR:  # "in 2019 May was dry"
        return None, i, False
    if after.glued and after.is_word:
        return (int(here.text), i + 2, False) if after.key in _SUFFIXES else (None, i, False)
    return int(here.text), i + 1, False
