"""One number of a text, in digits or in words, where it is an amount or a place in an order."""

import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from footnotary.text.number_words import SCALES, Number, at, number_in_words, scaled, value_of
from footnotary.text.scan import Lexeme
from footnotary.text.units import PREFIXES, QUALIFIERS, UNITS

DASHES = ("-", "–", "‐", "‑", "—")
# "one" stands for a person or a thing here, not for a number.
_ONE_AFTER = frozenset("who whom whose of another such".split())
_ONE_BEFORE = frozenset("no any every each some the this that another which by".split())


_SHORT_SCALES = {"k": 10**3, "m": 10**6, "b": 10**9}
_PERIOD_BEFORE = frozenset("within for after to than least most exceeding exceed of over under".split())


def number_at(lex: Sequence[Lexeme], i: int) -> Number | None:
    """The number that begins at lexeme `i`; markers "(1)", identifiers and "one" as a pronoun are none."""
    here, before, after = at(lex, i), at(lex, i - 1), at(lex, i + 1)
    if here.is_word:
        number = number_in_words(lex, i)
        if number is None or (before.text in DASHES and here.glued and at(lex, i - 2).is_word and here.key != "half"):
            return None
        return None if here.key == "one" and number.value == 1 and _is_pronoun(lex, number) else number
    if here.kind == "vulgar":
        return scaled(lex, Fraction(unicodedata.numeric(here.text)).limit_denominator(100), i, i + 1)
    if here.kind != "number" or here.text.count(".") > 1 or _is_identifier(lex, i):
        return None
    if before.text in ("(", "[") and after.text in (")", "]"):
        return None
    value, end = value_of(here.text), i + 1
    if before.text in ("-", "−") and here.glued and (not before.glued or at(lex, i - 2).text in ("=", "(", ",")):
        value = -value
    if after.kind == "vulgar":
        part = Fraction(unicodedata.numeric(after.text)).limit_denominator(100)
        return scaled(lex, value + part, i, end + 1)
    if after.text == "/" and after.glued and at(lex, i + 2).kind == "number" and at(lex, i + 2).glued:
        below = at(lex, i + 2).text
        if below.isdecimal() and len(below) <= 4 and value < int(below) <= 1000:
            return Number(value / int(below), i, i + 3)
    if after.kind == "number" and at(lex, i + 2).text == "/" and at(lex, i + 2).glued and at(lex, i + 3).glued:
        part = number_at(lex, i + 1)
        if part is not None and part.value < 1 and value.denominator == 1:
            return Number(value + part.value, i, part.end)
    if before.text in ("$", "€", "£", "₹") and after.glued and after.key in _SHORT_SCALES:
        return Number(value * _SHORT_SCALES[after.key], i, i + 2)
    if after.glued and after.key in ("st", "nd", "rd", "th"):
        return Number(value, i, i + 2, ordinal=True)
    return scaled(lex, value, i, end)


def single_unit_at(lex: Sequence[Lexeme], i: int) -> Number | None:
    """ "a year" where it is a period ("within a year", "a year's notice") and not a rate ("twice a year")."""
    here, noun, before = lex[i], at(lex, i + 1), at(lex, i - 1).key
    if here.key not in ("a", "an") or UNITS.get(noun.key, ("", "", 1))[0] != "duration" or noun.key.endswith("ly"):
        return None
    if noun.key in ("second", "decade", "century"):
        return None
    led = before in (
        "within",
        "for",
        "after",
        "to",
        "than",
        "least",
        "most",
        "exceeding",
        "exceed",
        "of",
        "over",
        "under",
    )
    half = [at(lex, i + k).key for k in (2, 3, 4)] == ["and", "a", "half"]
    owned = noun.key.endswith("'s") or at(lex, i + 2).text in ("'", "’") or half
    return Number(Fraction(1), i, i + 1) if led or owned else None


def _is_identifier(lex: Sequence[Lexeme], i: int) -> bool:
    before, here, after = at(lex, i - 1), lex[i], at(lex, i + 1)
    if here.glued and ((before.is_word and before.key not in PREFIXES) or before.text in ("_", "^", "#", "/", ":")):
        return True
    if after.glued and after.text in ("_", ":", "²", "³") and (after.text != ":" or at(lex, i + 2).glued):
        return True
    if after.glued and after.is_word and after.key not in ("st", "nd", "rd", "th", "am", "pm", "x"):
        return (
            after.key not in UNITS
            and after.key not in SCALES
            and not (len(after.text) == 1 and (after.text.islower() or before.text in ("$", "€", "£", "₹")))
        )
    return after.key == "cfr" or (after.key == "c" and at(lex, i + 3).key == "f")


def _is_pronoun(lex: Sequence[Lexeme], number: Number) -> bool:
    before, after = at(lex, number.start - 1), at(lex, number.end)
    noun = at(lex, number.end + 1) if after.text in DASHES else after
    counted = noun.key in UNITS or noun.key in QUALIFIERS
    if after.key == "or":
        return at(lex, number.end + 1).key in ("other", "the", "another")
    if after.key == "and":
        return at(lex, number.end + 1).key == "the"
    return after.key in _ONE_AFTER or (before.key in _ONE_BEFORE and not counted)


def past_repeat(lex: Sequence[Lexeme], number: Number) -> int:
    """Where "7 (seven)" and "seven (7)" end: the repetition in brackets is the same figure."""
    if at(lex, number.end).text != "(":
        return number.end
    inner = at(lex, number.end + 1)
    if inner.kind == "number":
        same = inner.text.replace(",", "").isdecimal() and value_of(inner.text) == number.value
        return number.end + 3 if same and at(lex, number.end + 2).text == ")" else number.end
    again = number_in_words(lex, number.end + 1) if inner.is_word else None
    closes = again is not None and again.value == number.value and at(lex, again.end).text == ")"
    return again.end + 1 if again is not None and closes else number.end
