"""Parses the unit after a number: a period, a sum, a percentage, or a count of something."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import takewhile

from footnotary.text.lexemes import Lexeme, lexeme_at
from footnotary.text.numbers.bounds import Comparator, bound_after
from footnotary.text.numbers.number_parsing import DASHES
from footnotary.text.numbers.units import (
    CAPITAL_UNITS,
    CURRENCY_SIGNS,
    PREFIXES,
    QUALIFIERS,
    SHORT_UNITS,
    UNITS,
    WORKING,
    Kind,
)

NOT_A_NOUN = frozenset(
    "of or and to in for from by at on with the a an is are was were be shall may must will which who that than as if"
    " such any each every per his her its their not no but it he she they under has have had do does can the after"
    " before when where this these those more less fewer most least only equals plus minus".split()
)


_LENGTHS = frozenset({"m", "mile", "foot", "inch"})
_SCALES = {"c": "celsius", "celsius": "celsius", "f": "fahrenheit", "fahrenheit": "fahrenheit"}


def unit_after(
    lex: Sequence[Lexeme], i: int, prefix: str | None
) -> tuple[Kind, str | None, Fraction, Comparator | None, int]:
    """(kind, unit, factor, bound between number and noun, end) of the number that ends before lexeme `i`."""
    one = Fraction(1)
    if lexeme_at(lex, i).text == "/" and lexeme_at(lex, i + 1).text == "-" and lexeme_at(lex, i + 1).glued:
        i += 2
    comparator, j = bound_after(lex, i) if lexeme_at(lex, i).key in ("or", "and", "या") else (None, i)
    if lexeme_at(lex, j).text == "+" and lexeme_at(lex, j).glued:
        comparator, j = "at_least", j + 1
    if prefix is not None:
        return "money", prefix, one, comparator, j if comparator else i
    if lexeme_at(lex, j).text in DASHES and lexeme_at(lex, j).glued and lexeme_at(lex, j + 1).glued:
        j += 1
    here = lexeme_at(lex, j)
    if here.text == "%":
        points = lexeme_at(lex, j + 1).key in ("point", "points")
        return "percent", "percentage point" if points else "percent", one, comparator, j + 2 if points else j + 1
    if here.key == "per" and lexeme_at(lex, j + 1).key in ("cent", "centum", "cents"):
        end = j + 3 if lexeme_at(lex, j + 2).text == "." and lexeme_at(lex, j + 3).text[:1].islower() else j + 2
        return "percent", "percent", one, comparator, end
    if here.key == "percentage" and lexeme_at(lex, j + 1).key in ("point", "points"):
        return "percent", "percentage point", one, comparator, j + 2
    if here.text in CURRENCY_SIGNS and lexeme_at(lex, j + 1).kind != "number":
        return "money", PREFIXES[here.text], one, comparator, j + 1
    if here.text in CAPITAL_UNITS and not _continues(lex, j + 1):
        return *CAPITAL_UNITS[here.text], one, comparator, j + 1
    if (area := _area(lex, j)) is not None:
        return "measure", *area[:2], comparator, area[2]
    k, working = j, False
    while k < j + 4:
        word = lexeme_at(lex, k)
        if word.key in UNITS and (word.key not in SHORT_UNITS or k == j) and not _is_other(lex, k):
            kind, unit, factor = UNITS[word.key]
            end = k + 2 if lexeme_at(lex, k + 1).text in ("'", "’") else k + 1
            if unit == "degree" and lexeme_at(lex, k + 1).key in _SCALES:
                return kind, _SCALES[lexeme_at(lex, k + 1).key], factor, comparator, k + 2
            if unit in _LENGTHS and (past := _per_hour(lex, k + 1)):
                return kind, f"{unit}/hour", factor, comparator, past
            return kind, f"working {unit}" if working else unit, factor, comparator, end
        if word.key in WORKING:
            working = True
        elif word.key not in QUALIFIERS:
            break
        k += 1
    noun = _noun(lex, j)
    return "count", noun, one, comparator, j if comparator else i


def _area(lex: Sequence[Lexeme], i: int) -> tuple[str, Fraction, int] | None:
    """The unit, factor and end of "square kilometres", "sq. km" or "km²" at lexeme `i`."""
    before = lexeme_at(lex, i).key in ("square", "sq")
    at = i + before + (before and lexeme_at(lex, i + 1).text == ".")
    _, unit, factor = UNITS.get(lexeme_at(lex, at).key, ("", "", Fraction(1)))
    behind = lexeme_at(lex, at + 1).text == "²" and lexeme_at(lex, at + 1).glued
    if unit not in _LENGTHS or not (before or behind):
        return None
    return f"square {unit}", factor**2, at + 1 + behind


def _per_hour(lex: Sequence[Lexeme], i: int) -> int | None:
    """Where "per hour", "an hour" or "/h" at lexeme `i` ends; None if it is not there."""
    here, following = lexeme_at(lex, i), lexeme_at(lex, i + 1).key
    return i + 2 if (here.key in ("per", "an") or here.text == "/") and following in ("hour", "hr", "h") else None


def _continues(lex: Sequence[Lexeme], k: int) -> bool:
    """Whether what follows a capital letter makes it part of a name or a match: "5 V 3", "Team 1 V Team 2", "V-5"."""
    following = lexeme_at(lex, k)
    return following.kind == "number" or following.text[:1].isupper() or (following.glued and following.text == "-")


def _is_other(lex: Sequence[Lexeme], k: int) -> bool:
    """A word that is a unit elsewhere: "one second thought", "six monthly reports" are no durations."""
    return lex[k].key in ("second", "monthly", "yearly", "min") and lexeme_at(lex, k + 1).is_word


def _noun(lex: Sequence[Lexeme], i: int) -> str | None:
    """The noun that is counted: the first plural of the next few words, or else the first word."""
    before = lexeme_at(lex, i - 1).key
    following = (lexeme_at(lex, k) for k in range(i, i + 4))
    run = [w.key for w in takewhile(lambda w: w.is_word and w.key not in NOT_A_NOUN and len(w.text) > 1, following)]
    plural = next((word for word in run if word.endswith("s") or word in ("people", "children", "men", "women")), None)
    # Counted nouns are plural in English: the word after "a child under seven" is a verb, not a noun.
    single = run and (not run[0].isascii() or before in ("one", "1", "single"))
    chosen = plural or (run[0] if single else None)
    return singular(chosen) if chosen else None


def singular(word: str) -> str:
    """A noun without its plural ending, roughly; people and persons are one."""
    if word in ("people", "persons", "person"):
        return "person"
    if word.endswith("'s"):
        return word[:-2]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
