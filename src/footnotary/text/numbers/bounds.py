"""Whether a figure is exact or a bound: "up to", "at least", "not exceeding" and similar, in English and Hindi."""

from collections.abc import Sequence
from typing import Literal

from footnotary.text.lexemes import Lexeme, fold, lexeme_at
from footnotary.text.numbers.units import CURRENCY_SIGNS

Comparator = Literal["exact", "at_most", "at_least", "less_than", "more_than", "about"]


def _phrases(comparator: Comparator, phrases: str) -> dict[tuple[str, ...], Comparator]:
    return {tuple(fold(word) for word in phrase.split()): comparator for phrase in phrases.split("|")}


_BEFORE: dict[tuple[str, ...], Comparator] = {
    **_phrases("at_most", "up to|upto|up to and including|extend to|extends to|extending to|extended to|extend up to"),
    **_phrases("at_most", "maximum of|maximum|max|within|inside|limited to|capped at|ceiling of|limit of|cap of|until"),
    **_phrases("at_most", "as long as|as much as|as high as|as many as|can reach|may reach|can go to|may go to"),
    **_phrases("at_most", "at most|at the most|by the end of"),
    **_phrases("at_most", "may run to|can run to|may last|can last|go up to|to a limit of"),
    **_phrases("at_most", "before the expiry of|before the end of|before expiry of|before the expiration of"),
    **_phrases("at_least", "at least|at the least|at the very least|minimum of|minimum|min|a floor of|as few as"),
    **_phrases("at_least", "as little as|attained|completed|reached"),
    **_phrases("less_than", "less than|fewer than|under|below|lower than|shorter than|smaller than|younger than"),
    **_phrases("less_than", "earlier than|sooner than|before|short of"),
    **_phrases("more_than", "more than|over|above|exceeding|exceeds|exceed|exceeded|in excess of|greater than|beyond"),
    **_phrases("more_than", "longer than|higher than|older than|larger than|later than|upwards of|after"),
    **_phrases("more_than", "after the expiry of|after expiry of|after the end of|after the expiration of"),
    **_phrases("about", "about|approximately|around|roughly|nearly|almost|some|लगभग|करीब|तकरीबन"),
    **_phrases("at_least", "कम से कम|न्यूनतम"),
    **_phrases("at_most", "अधिक से अधिक|ज्यादा से ज्यादा|अधिकतम"),
}
_LONGEST = max(map(len, _BEFORE))
_LAST_WORDS = frozenset(phrase[-1] for phrase in _BEFORE)
# A negation before these inverts them: "not exceeding", "no more than", "shall not be less than".
_TURNED: dict[Comparator, Comparator] = {"more_than": "at_most", "less_than": "at_least"}
_REACHED = frozenset({"attained", "completed", "reached"})
# "May extend to" seven years is an upper bound, "shall extend to" is exact, "may not extend to" means less.
_EXTENDING = frozenset({"extend", "extends", "extending", "extended"})
_NEGATIONS = frozenset({"not", "no", "never", "cannot", "nor", "without", "neither", "none", "nobody"})
_BETWEEN_NEGATION = frozenset(
    "be been in any case to for a of at extend remain last continue have ever the event aggregate whole it is".split()
)
# What may come between the phrase and the number: "not exceeding a period of", "under the age of".
_SKIPPED = frozenset(
    "a an the of period term sum amount total imprisonment jail prison sentence fine penalty for age ages rs re inr"
    " usd value aggregate another further additional next either rupees sentences is are be being was at not".split()
)
_ADJACENT = frozenset({"over", "above", "under", "below", "beyond", "in", "about", "around", "some", "before", "after"})
_AGE = frozenset({"the", "age", "ages", "of", "a", "an", "rs", "inr", "usd", "re", "total"})
_EXTREMES: dict[str, Comparator] = {
    "maximum": "at_most", "max": "at_most", "longest": "at_most", "highest": "at_most", "ceiling": "at_most",
    "limit": "at_most", "limits": "at_most", "deadline": "at_most", "cap": "at_most",
    "minimum": "at_least", "min": "at_least", "shortest": "at_least", "lowest": "at_least",
}  # fmt: skip
_NOT_EXTREME = frozenset("wage wages rate rates necessary support number of".split())
_BEFORE_LINKED = CURRENCY_SIGNS | {".", "rs", "inr", "a", "imprisonment"}
_LINKS = frozenset({"of", "is", "are", "be", "being", "at", "was", "to", "for"})
_AFTER: dict[tuple[str, ...], Comparator] = {
    **_phrases("at_most", "or less|or fewer|or under|or below|and below|at most|at the most|maximum|max|or lower"),
    **_phrases("at_most", "or shorter|or younger|at the maximum|or earlier|or sooner|at maximum|deadline|limit"),
    **_phrases("at_most", "time limit|window|is the maximum|are the maximum|is the limit|is the longest|is the most"),
    **_phrases("at_least", "is the minimum|are the minimum|is the shortest|is the least|is the lowest"),
    **_phrases("at_least", "or more|and above|or above|or over|and over|or longer|or greater|at least|at the least"),
    **_phrases("at_least", "minimum|min|upwards|and upwards|or upwards|or higher|or older|or beyond|and more"),
    **_phrases("at_least", "at minimum"),
    **_phrases("at_least", "या अधिक|या उससे अधिक|या इससे अधिक|और अधिक|से कम नहीं|से कम न|से अन्यून|से कम की नहीं"),
    **_phrases("at_most", "तक|से अधिक नहीं|से अधिक न|से ज्यादा नहीं|से अनधिक|के भीतर|के अंदर|के अन्दर|या कम|या उससे कम"),
    **_phrases("more_than", "से अधिक|से ज्यादा|से ऊपर|के बाद|के पश्चात"),
    **_phrases("less_than", "से कम|से पहले|से नीचे"),
}
_LONGEST_AFTER = max(map(len, _AFTER))
_FIRST_WORDS = frozenset(phrase[0] for phrase in _AFTER)
_PAST = frozenset("of in age old jail prison imprisonment behind bars time custody for की का के आयु कारावास".split())
_ALLOWED = frozenset("has have had get gets given allowed allows gives".split())
_OPENS = frozenset("until if which who that where".split())
_STOPS = frozenset(".,;:()।—–")


def bound(lex: Sequence[Lexeme], start: int, end: int, is_duration: bool) -> Comparator:
    """The bound that the words around lexemes `[start, end)` give to the figure there."""
    if is_duration and lexeme_at(lex, start - 1).key in _ALLOWED and lexeme_at(lex, end).key == "to":
        return "at_most"  # "has thirty days to reply"
    return _before(lex, start, is_duration) or _after(lex, end) or "exact"


def bound_after(lex: Sequence[Lexeme], i: int) -> tuple[Comparator | None, int]:
    """A bound written right at `i`, and where it ends: the "or more" of "500 or more individuals"."""
    if lexeme_at(lex, i).key not in _FIRST_WORDS:
        return None, i
    for length in range(_LONGEST_AFTER, 0, -1):
        key = tuple(lexeme_at(lex, k).key for k in range(i, i + length))
        if key in _AFTER:
            return _AFTER[key], i + length
    return None, i


def _before(lex: Sequence[Lexeme], start: int, is_duration: bool) -> Comparator | None:
    skipped: list[str] = []
    i = start - 1
    while i >= 0 and len(skipped) < 6:
        for length in range(min(_LONGEST, i + 1) if lex[i].key in _LAST_WORDS else 0, 0, -1):
            key = tuple(lexeme.key for lexeme in lex[i - length + 1 : i + 1])
            if key in _BEFORE and _fits(lex, i - length, key, skipped, is_duration):
                return _negated(lex, i - length, _BEFORE[key], key)
        here = lex[i]
        shortened = here.text == "." and here.glued and lexeme_at(lex, i - 1).key in ("rs", "re", "no")
        if here.key in _SKIPPED or shortened:
            skipped.append(here.key)
        elif here.text not in CURRENCY_SIGNS and here.text not in ("(", "-"):
            break
        i -= 1
    if is_duration and lexeme_at(lex, start - 1).key == "in" and lexeme_at(lex, start - 2).key != "preceding":
        return "at_most"
    return _extreme(lex, start)


def _fits(lex: Sequence[Lexeme], before: int, key: tuple[str, ...], skipped: list[str], is_duration: bool) -> bool:
    word = key[-1]
    if key == ("up", "to") and lexeme_at(lex, before).key in ("add", "adds", "added", "adding"):
        return False
    if len(key) == 1 and word in ("maximum", "minimum", "max", "min"):
        return not any(w in ("a", "the") for w in skipped)
    if len(key) > 1 or word not in _ADJACENT:
        return word != "until" or is_duration
    if word in ("before", "after"):
        return is_duration and set(skipped) <= {"a", "an", "the", "of", "period", "term", "rs"}
    if word == "some":
        return not skipped and lexeme_at(lex, before).key not in ("in", "for", "of", "to")
    return set(skipped) <= _AGE and (not skipped or "of" not in skipped or "age" in skipped)


def _negated(lex: Sequence[Lexeme], i: int, comparator: Comparator, key: tuple[str, ...]) -> Comparator:
    if key[-1] in _REACHED or key[0] in _EXTENDING:
        if key == ("extend", "to") and lexeme_at(lex, i).key in ("shall", "must"):
            return "exact"
        before = lexeme_at(lex, i).key
        denied = before in ("not", "never", "cannot") or before.endswith("n't")
        return "less_than" if denied else comparator
    if comparator not in _TURNED:
        return comparator
    near = key[-1] in _ADJACENT and len(key) == 1
    for k in range(i, max(-1, i - (1 if near else 6)), -1):
        word = lex[k].key
        if word in _NEGATIONS or word.endswith("n't"):
            return _TURNED[comparator]
        if word not in _BETWEEN_NEGATION:
            break
    if key[-1] in ("exceed", "exceeds", "after"):
        for k in range(i, max(-1, i - 16), -1):
            if lex[k].key in ("no", "none", "neither", "nor", "not"):
                return _TURNED[comparator]
            # An aside between commas may separate "shall not" from "exceed".
            if (lex[k].text in _STOPS and lex[k].text != ",") or lex[k].key in _OPENS:
                break
    return comparator


def _extreme(lex: Sequence[Lexeme], start: int) -> Comparator | None:
    """ "the maximum punishment is seven years": an extreme that the number is linked to."""
    i = start - 1
    while lexeme_at(lex, i).key in _BEFORE_LINKED:
        i -= 1
    if lexeme_at(lex, i).key not in _LINKS:
        return None
    for k in range(i, max(-1, i - 16), -1):
        if lex[k].text in _STOPS or lex[k].kind == "number":
            return None
        if lex[k].key in _EXTREMES:
            return _EXTREMES[lex[k].key] if lexeme_at(lex, k + 1).key not in _NOT_EXTREME else None
    return None


def _after(lex: Sequence[Lexeme], end: int) -> Comparator | None:
    i = end
    while i < end + 4:
        if lexeme_at(lex, i).text in ("'", "’", "-", "+") and i == end:
            if lexeme_at(lex, i).text == "+" and lexeme_at(lex, i).glued:
                return "at_least"
            i += 1
            continue
        found, past = bound_after(lex, i)
        if found is not None:
            return _hindi_turned(lex, past, found)
        if lexeme_at(lex, i).key not in _PAST:
            return None
        i += 1
    return None


def _hindi_turned(lex: Sequence[Lexeme], i: int, comparator: Comparator) -> Comparator:
    """ "से अधिक का नहीं होगा": in Hindi the negation comes later."""
    if comparator not in _TURNED or lexeme_at(lex, i - 1).text.isascii():
        return comparator
    return _TURNED[comparator] if any(lexeme_at(lex, k).key in ("नहीं", "न") for k in range(i, i + 3)) else comparator
