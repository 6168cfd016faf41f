"""Parses one number of a text, in digits or in words: an amount or an ordinal."""

import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from footnotary.text.lexemes import Lexeme
from footnotary.text.number_words import SCALES, ParsedNumber, lexeme_at, number_in_words, value_of, with_scale_words
from footnotary.text.numbers.units import CURRENCY_SIGNS, PREFIXES, QUALIFIERS, UNITS

DASHES = ("-", "–", "‐", "‑", "—")
# "one" is a pronoun here, not a number.
_ONE_AFTER = frozenset("who whom whose of another such".split())
_ONE_BEFORE = frozenset("no any every each some the this that another which by".split())

_LEADING_TO_PERIOD = frozenset("within for after to than least most exceeding exceed of over under".split())
_SHORT_SCALES = {"k": 10**3, "m": 10**6, "b": 10**9}


def number_at(lex: Sequence[Lexeme], i: int) -> ParsedNumber | None:
    """The number that begins at lexeme `i`; markers "(1)", identifiers and "one" as a pronoun are not numbers."""
    here, before, after = lexeme_at(lex, i), lexeme_at(lex, i - 1), lexeme_at(lex, i + 1)
    if here.is_word:
        number = number_in_words(lex, i)
        joined = before.text in DASHES and here.glued and lexeme_at(lex, i - 2).is_word and here.key != "half"
        if number is None or joined:
            return None
        return None if here.key == "one" and number.value == 1 and _is_pronoun(lex, number) else number
    if here.kind == "vulgar":
        return with_scale_words(lex, Fraction(unicodedata.numeric(here.text)).limit_denominator(100), i, i + 1)
    if here.kind != "number" or here.text.count(".") > 1 or _is_identifier(lex, i):
        return None
    if before.text in ("(", "[") and after.text in (")", "]"):
        return None
    value, end = value_of(here.text), i + 1
    if before.text in ("-", "−") and here.glued and (not before.glued or lexeme_at(lex, i - 2).text in ("=", "(", ",")):
        value = -value
    if after.kind == "vulgar":
        part = Fraction(unicodedata.numeric(after.text)).limit_denominator(100)
        return with_scale_words(lex, value + part, i, end + 1)
    if after.text == "/" and after.glued and lexeme_at(lex, i + 2).kind == "number" and lexeme_at(lex, i + 2).glued:
        below = lexeme_at(lex, i + 2).text
        if below.isdecimal() and len(below) <= 4 and value < int(below) <= 1000:
            return ParsedNumber(value / int(below), i, i + 3)
    slash = lexeme_at(lex, i + 2)
    if after.kind == "number" and slash.text == "/" and slash.glued and lexeme_at(lex, i + 3).glued:
        part = number_at(lex, i + 1)
        if part is not None and part.value < 1 and value.denominator == 1:
            return ParsedNumber(value + part.value, i, part.end)
    if before.text in CURRENCY_SIGNS and after.glued and after.key in _SHORT_SCALES:
        return ParsedNumber(value * _SHORT_SCALES[after.key], i, i + 2)
    if after.glued and after.key in ("st", "nd", "rd", "th"):
        return ParsedNumber(value, i, i + 2, ordinal=True)
    return with_scale_words(lex, value, i, end)


def single_unit_at(lex: Sequence[Lexeme], i: int) -> ParsedNumber | None:
    """ "a year" where it is a period ("within a year", "a year's notice") and not a rate ("twice a year")."""
    here, noun, before = lex[i], lexeme_at(lex, i + 1), lexeme_at(lex, i - 1).key
    if here.key not in ("a", "an") or UNITS.get(noun.key, ("", "", 1))[0] != "duration" or noun.key.endswith("ly"):
        return None
    if noun.key in ("second", "decade", "century"):
        return None
    owned = noun.key.endswith("'s") or lexeme_at(lex, i + 2).text in ("'", "’") or is_and_a_half(lex, i + 2)
    return ParsedNumber(Fraction(1), i, i + 1) if before in _LEADING_TO_PERIOD or owned else None


def is_and_a_half(lex: Sequence[Lexeme], i: int) -> bool:
    return [lexeme_at(lex, i + k).key for k in range(3)] == ["and", "a", "half"]


def _is_identifier(lex: Sequence[Lexeme], i: int) -> bool:
    before, here, after = lexeme_at(lex, i - 1), lex[i], lexeme_at(lex, i + 1)
    if here.glued and ((before.is_word and before.key not in PREFIXES) or before.text in ("_", "^", "#", "/", ":")):
        return True
    if after.glued and after.text in ("_", ":", "²", "³") and (after.text != ":" or lexeme_at(lex, i + 2).glued):
        return True
    if after.glued and after.is_word and after.key not in ("st", "nd", "rd", "th", "am", "pm", "x"):
        beyond = lexeme_at(lex, i + 2)
        is_code = beyond.glued and beyond.kind == "number"  # "3a7", "1e9"
        is_letter = len(after.text) == 1 and (after.text.islower() or before.text in CURRENCY_SIGNS) and not is_code
        return after.key not in UNITS and after.key not in SCALES and not is_letter
    return after.key == "cfr" or (after.key == "c" and lexeme_at(lex, i + 3).key == "f")


def _is_pronoun(lex: Sequence[Lexeme], number: ParsedNumber) -> bool:
    before, after = lexeme_at(lex, number.start - 1), lexeme_at(lex, number.end)
    noun = lexeme_at(lex, number.end + 1) if after.text in DASHES else after
    counted = noun.key in UNITS or noun.key in QUALIFIERS
    if after.key == "or":
        return lexeme_at(lex, number.end + 1).key in ("other", "the", "another")
    if after.key == "and":
        return lexeme_at(lex, number.end + 1).key == "the"
    return after.key in _ONE_AFTER or (before.key in _ONE_BEFORE and not counted)


def end_of_repetition(lex: Sequence[Lexeme], number: ParsedNumber) -> int:
    """Where "7 (seven)" and "seven (7)" end: the repetition in brackets is the same figure."""
    if lexeme_at(lex, number.end).text != "(":
        return number.end
    inner = lexeme_at(lex, number.end + 1)
    if inner.kind == "number":
        same = inner.text.replace(",", "").isdecimal() and value_of(inner.text) == number.value
        return number.end + 3 if same and lexeme_at(lex, number.end + 2).text == ")" else number.end
    again = number_in_words(lex, number.end + 1) if inner.is_word else None
    closes = again is not None and again.value == number.value and lexeme_at(lex, again.end).text == ")"
    return again.end + 1 if again is not None and closes else number.end
