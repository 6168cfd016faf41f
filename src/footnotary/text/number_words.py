"""Numbers written as words: the tables for English and Hindi, and a reader for runs of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from footnotary.domain.identity import sha256_hex
from footnotary.text.lexemes import Lexeme, fold, lexeme_at

_GROUPING = {ord(mark): None for mark in ", \u00a0\u202f"}
_LONGEST = 80
_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_HINDI = """
शून्य एक दो तीन चार पांच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस
बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस
चालीस इकतालीस बयालीस तैंतालीस चवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास
पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ
साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर
सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उन्यासी
अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी
नब्बे इक्यानवे बानवे तिरानवे चौरानवे पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे
""".split()
_HINDI_VARIANTS = {
    "पाँच": 5, "छः": 6, "छ": 6, "छै": 6, "पन्द्रह": 15, "पंदरह": 15, "अट्ठारह": 18, "उनतिस": 29, "सत्तासी": 87,
    "इकत्तीस": 31, "चौआलीस": 44, "पैंतालिस": 45, "चालिस": 40, "अट्ठाइस": 28, "सत्ताइस": 27, "बाइस": 22, "तेइस": 23,
}  # fmt: skip

SMALL: dict[str, Fraction] = {
    **{word: Fraction(value) for value, word in enumerate(_ENGLISH)},
    **{word: Fraction(20 + 10 * place) for place, word in enumerate(_TENS)},
    **{fold(word): Fraction(value) for value, word in enumerate(_HINDI)},
    **{fold(word): Fraction(value) for word, value in _HINDI_VARIANTS.items()},
    fold("डेढ़"): Fraction(3, 2),
    fold("ढाई"): Fraction(5, 2),
}
HUNDREDS = frozenset({"hundred", "सौ"})
SCALES: dict[str, int] = {
    "dozen": 12, "thousand": 10**3, "lakh": 10**5, "lakhs": 10**5, "lac": 10**5, "lacs": 10**5, "million": 10**6,
    "crore": 10**7, "crores": 10**7, "cr": 10**7, "mn": 10**6, "bn": 10**9,
    "billion": 10**9, "trillion": 10**12, "हजार": 10**3, "लाख": 10**5,
    fold("करोड़"): 10**7, "अरब": 10**9,
}  # fmt: skip
NUMBER_WORDS = HUNDREDS.union(SMALL, SCALES)
ORDINALS: dict[str, int] = {
    **{
        word: value
        for value, word in enumerate(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
            " fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
            start=1,
        )
    },
    "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80,
    "ninetieth": 90, "hundredth": 100, "thousandth": 1000,
    "पहला": 1, "पहली": 1, "पहले": 1, "प्रथम": 1, "दूसरा": 2, "दूसरी": 2, "दूसरे": 2, "द्वितीय": 2, "तीसरा": 3,
    "तीसरी": 3, "तीसरे": 3, "तृतीय": 3, "चौथा": 4, "चौथी": 4, "चौथे": 4, "पांचवां": 5, "पांचवीं": 5,
}  # fmt: skip
_BEHIND_A_SHARE = frozenset(
    "after and between but during each every from if in last on or since than then this to when".split()
)
_PARTS: dict[str, int] = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    form: value for word, value in ORDINALS.items() if value > 2 and word.isascii() for form in (word, word + "s")
}
_AND_A_HALF = fold("साढ़े")
FIRST_WORDS = frozenset({_AND_A_HALF, "a", "an", "आधा", "आधे", "आधी", "half", "quarter"}).union(ORDINALS, NUMBER_WORDS)
"""Every key a number in words can begin with."""


@dataclass(frozen=True, slots=True)
class ParsedNumber:
    """A number read from lexemes `[start, end)`; an ordinal is a place in an order, not an amount."""

    value: Fraction
    start: int
    end: int
    ordinal: bool = False


def number_in_words(lexemes: Sequence[Lexeme], i: int) -> ParsedNumber | None:
    """The number whose words begin at `i`: "two hundred and fifty", "two-thirds", "a dozen", "साढ़े तीन लाख"."""
    first = lexeme_at(lexemes, i).key
    if first not in FIRST_WORDS:
        return None
    if first == _AND_A_HALF:
        small = SMALL.get(lexeme_at(lexemes, i + 1).key)
        rest = number_in_words(lexemes, i + 1) if small else None
        if rest is None or not small:
            return None
        scale = rest.value / small
        return ParsedNumber((small + Fraction(1, 2)) * scale, i, rest.end)
    if first in ("a", "an") and (lexeme_at(lexemes, i + 1).key in SCALES or lexeme_at(lexemes, i + 1).key in HUNDREDS):
        return _run(lexemes, i + 1, i)
    if first in ("a", "an") and lexeme_at(lexemes, i + 1).key in _PARTS and _is_share(lexemes, i):
        return ParsedNumber(Fraction(1, _PARTS[lexeme_at(lexemes, i + 1).key]), i, i + 2)
    if first in ("आधा", "आधे", "आधी"):
        return ParsedNumber(Fraction(1, 2), i, i + 1)
    if first in ("half", "quarter"):
        return _half(lexemes, i)
    if first in ORDINALS:
        return ParsedNumber(Fraction(ORDINALS[first]), i, i + 1, ordinal=True)
    if first in SMALL or first in HUNDREDS or (first in SCALES and first not in ("cr", "mn", "bn")):
        return _run(lexemes, i, i)
    return None


def value_of(number: str) -> Fraction:
    """The value of a number in digits; one that is too long to parse gets a value that only the same digits have."""
    digits = number.translate(_GROUPING)
    if len(digits) <= _LONGEST:
        return Fraction(digits)
    return Fraction(10**_LONGEST + int(sha256_hex(digits)[:32], 16))


def with_scale_words(lexemes: Sequence[Lexeme], value: Fraction, start: int, end: int) -> ParsedNumber:
    """A number in digits with the scale words after it: `2.5 crore`, `1 lakh 50 thousand`."""
    total, current, cap = Fraction(0), value, 10**15
    while (word := lexeme_at(lexemes, end).key) in SCALES or word in HUNDREDS:
        scale = SCALES.get(word, 100)
        if scale >= cap:
            break
        total, current, cap, end = total + current * scale, Fraction(0), scale, end + 1
        following = lexeme_at(lexemes, end)
        if following.kind == "number" and lexeme_at(lexemes, end + 1).key in SCALES and "." not in following.text:
            current, end = value_of(following.text), end + 1
    return _with_half(lexemes, ParsedNumber(total + current, start, end))


def _run(lexemes: Sequence[Lexeme], i: int, start: int) -> ParsedNumber:
    total, current, cap, last = Fraction(0), Fraction(0), 10**15, ""
    begin = i
    while True:
        word = lexeme_at(lexemes, i).key
        if word in SMALL and (not last or last == "scale" or (last == "tens" and 0 < SMALL[word] < 10)):
            current += SMALL[word]
            last = "tens" if word in _TENS else "unit"
        elif word in HUNDREDS and last in ("", "unit", "tens") and current < 100:
            current, last = (current or 1) * 100, "scale"
        elif word in SCALES and SCALES[word] < cap and (current or not last):
            total, current, cap, last = total + (current or 1) * SCALES[word], Fraction(0), SCALES[word], "scale"
        elif word in ORDINALS and (last == "scale" or (last == "tens" and ORDINALS[word] < 10)) and i > begin:
            return ParsedNumber(total + current + ORDINALS[word], start, i + 1, ordinal=True)
        else:
            break
        i += 1
        if (joined := _joined(lexemes, i, last)) is not None:
            i = joined
    value = total + current
    part = i + 1 if lexeme_at(lexemes, i).text in ("-", "‐", "‑") else i
    denominator = _PARTS.get(lexeme_at(lexemes, part).key)
    if denominator and last == "unit" and (value == 1 or lexeme_at(lexemes, part).key.endswith("s")):
        return ParsedNumber(value / denominator, start, part + 1)
    return _with_half(lexemes, ParsedNumber(value, start, i))


def _joined(lexemes: Sequence[Lexeme], i: int, last: str) -> int | None:
    """Where the number continues after a hyphen or, below a hundred or a scale, an "and"."""
    here, following = lexeme_at(lexemes, i), lexeme_at(lexemes, i + 1)
    known = following.key in NUMBER_WORDS or following.key in ORDINALS
    if here.text in ("-", "‐", "‑") and here.glued and following.glued and known and last != "unit":
        return i + 1
    if here.key == "and" and last == "scale" and (following.key in SMALL or following.key in ORDINALS):
        return i + 1
    return None


def _is_share(lexemes: Sequence[Lexeme], i: int) -> bool:
    """ "a third of it", "fell by a third in May"; not "by a third party"."""
    after = lexeme_at(lexemes, i + 2)
    if after.key == "of":
        return True
    return lexeme_at(lexemes, i - 1).key == "by" and (not after.is_word or after.key in _BEHIND_A_SHARE)


def _half(lexemes: Sequence[Lexeme], i: int) -> ParsedNumber | None:
    """ "half a year", "half of", "a quarter of"; not "half-blood" nor "the first quarter"."""
    word, following = lexeme_at(lexemes, i).key, lexeme_at(lexemes, i + 1)
    value = Fraction(1, 2) if word == "half" else Fraction(1, 4)
    if word == "half" and following.key in ("a", "an"):
        scale = SCALES.get(lexeme_at(lexemes, i + 2).key)
        return ParsedNumber(value * scale, i, i + 3) if scale else ParsedNumber(value, i, i + 2)
    if following.key in ("of", "the", "year", "month", "day", "hour", "crore", "lakh", "million"):
        if word == "quarter" and following.key != "of":
            return None
        scale = SCALES.get(following.key)
        return ParsedNumber(value * scale, i, i + 2) if scale else ParsedNumber(value, i, i + 1)
    if following.text == "-" and lexeme_at(lexemes, i + 2).key in ("year", "yearly", "month", "monthly", "day", "hour"):
        return ParsedNumber(value, i, i + 2)
    return None


def _with_half(lexemes: Sequence[Lexeme], number: ParsedNumber) -> ParsedNumber:
    """ "two and a half", also of a scale that follows: "two and a half lakh"."""
    i = number.end
    if lexeme_at(lexemes, i).key != "and" or lexeme_at(lexemes, i + 1).key not in ("a", "one"):
        return number
    part = i + 3 if lexeme_at(lexemes, i + 2).text == "-" else i + 2
    denominator = _PARTS.get(lexeme_at(lexemes, part).key)
    if not denominator:
        return number
    value, end = number.value + Fraction(1, denominator), part + 1
    scale = SCALES.get(lexeme_at(lexemes, end).key, 0)
    return (
        ParsedNumber(value * scale, number.start, end + 1) if value < scale else ParsedNumber(value, number.start, end)
    )
