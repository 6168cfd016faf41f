"""What figures count or measure: units, currencies and how they convert where the conversion is exact."""

from fractions import Fraction
from typing import Literal

from footnotary.text.lexemes import fold

Kind = Literal["count", "money", "percent", "duration", "ordinal", "measure"]


def _spelt(kind: Kind, unit: str, spellings: str, factor: Fraction | int = 1) -> dict[str, tuple[Kind, str, Fraction]]:
    return {fold(word): (kind, unit, Fraction(factor)) for word in spellings.split()}


# A word after a number: (kind, canonical unit, factor to convert the number to that unit).
UNITS: dict[str, tuple[Kind, str, Fraction]] = {
    **_spelt("duration", "year", "year years year's yr yrs yearly annum वर्ष वर्षों वर्षीय साल सालों बरस"),
    **_spelt("duration", "month", "month months month's monthly महीने महीना महीनों माह मास मासों"),
    **_spelt("duration", "week", "week weeks week's सप्ताह सप्ताहों हफ्ते हफ्ता"),
    **_spelt("duration", "week", "fortnight fortnights fortnight's पखवाड़ा पखवाड़े", 2),
    **_spelt("duration", "day", "day days day's दिन दिनों दिवस"),
    **_spelt("duration", "hour", "hour hours hour's hr hrs घंटे घंटा घंटों घण्टे"),
    **_spelt("duration", "minute", "minute minutes min mins मिनट मिनटों"),
    **_spelt("duration", "second", "second seconds secs सेकंड सेकेंड"),
    **_spelt("duration", "year", "decade decades दशक", 10),
    **_spelt("duration", "year", "century centuries शताब्दी", 100),
    **_spelt("money", "INR", "rupee rupees rs inr रुपये रुपए रुपया रुपयों रूपये रूपए रु"),
    **_spelt("money", "INR", "paisa paise पैसे पैसा", Fraction(1, 100)),
    **_spelt("money", "USD", "dollar dollars usd डॉलर"),
    **_spelt("money", "USD", "cent cents", Fraction(1, 100)),
    **_spelt("money", "EUR", "euro euros eur यूरो"),
    **_spelt("money", "GBP", "pound pounds gbp पाउंड"),
    **_spelt("percent", "percent", "percent percentage प्रतिशत फीसदी फ़ीसदी"),
    **_spelt("count", "times", "times fold गुना गुने गुनी बार"),
    **_spelt("measure", "m", "km kms kilometre kilometres kilometer kilometers किलोमीटर किमी", 1000),
    **_spelt("measure", "m", "m metre metres meter meters मीटर"),
    **_spelt("measure", "m", "cm centimetre centimetres centimeter centimeters सेंटीमीटर सेमी", Fraction(1, 100)),
    **_spelt("measure", "m", "mm millimetre millimetres millimeter millimeters", Fraction(1, 1000)),
    **_spelt("measure", "mile", "mile miles मील"),
    **_spelt("measure", "m/hour", "kmph kph", 1000),
    **_spelt("measure", "mile/hour", "mph"),
    **_spelt("measure", "foot", "foot feet ft"),
    **_spelt("measure", "inch", "inch inches"),
    **_spelt("measure", "acre", "acre acres एकड़"),
    **_spelt("measure", "hectare", "hectare hectares हेक्टेयर"),
    **_spelt("measure", "kg", "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes किलो किलोग्राम"),
    **_spelt("measure", "kg", "g gm gms gram grams ग्राम", Fraction(1, 1000)),
    **_spelt("measure", "kg", "mg milligram milligrams", Fraction(1, 10**6)),
    **_spelt("measure", "kg", "tonne tonnes टन", 1000),
    **_spelt("measure", "kg", "quintal quintals क्विंटल", 100),
    **_spelt("measure", "litre", "l litre litres liter liters लीटर"),
    **_spelt("measure", "litre", "ml millilitre millilitres milliliter milliliters", Fraction(1, 1000)),
    **_spelt("measure", "volt", "volt volts वोल्ट"),
    **_spelt("measure", "volt", "kv kilovolt kilovolts", 1000),
    **_spelt("measure", "watt", "watt watts वाट"),
    **_spelt("measure", "watt", "kw kilowatt kilowatts", 1000),
    # Not "mw", which is also a thousandth of a watt.
    **_spelt("measure", "watt", "megawatt megawatts", 10**6),
    **_spelt("measure", "degree", "degree degrees °"),
}
# A capital letter is a unit where a small one is not: "5 V" measures, "5 v 3" is a match.
CAPITAL_UNITS: dict[str, tuple[Kind, str]] = {"V": ("measure", "volt")}
# One letter is a unit only directly after a number: "5 m", never "5 g of them" across other words.
SHORT_UNITS = frozenset({"m", "g", "l", "min", "ft", "hr", "sec", "second"})
CURRENCY_SIGNS = frozenset("$€£₹")
PREFIXES = {"rs": "INR", "re": "INR", "inr": "INR", "₹": "INR", "rupees": "INR", "रु": "INR", "रुपये": "INR"} | {
    "$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP",
}  # fmt: skip
# Words that may come between a number and its unit without changing either.
QUALIFIERS = frozenset(
    "full whole complete consecutive successive calendar clear further additional more other such financial preceding"
    " following next last previous past solar lunar english indian us consecutive continuous separate different"
    " किसी पूरे लगातार अतिरिक्त".split()
)
WORKING = frozenset({"working", "business", "कार्य", "कार्यदिवस"})

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400}
_MONTHS = {"month": 1, "year": 12}
_INCHES = {"inch": 1, "foot": 12, "mile": 63360}


def in_common_unit(value: Fraction, unit: str | None) -> tuple[str | None, Fraction]:
    """The dimension of a unit and the value in that dimension's own unit.

    Only exact conversions are made: a year is twelve months and a week seven days, but months are not days.
    """
    if unit in _SECONDS:
        return "second", value * _SECONDS[unit]
    if unit in _MONTHS:
        return "month", value * _MONTHS[unit]
    if unit in _INCHES:
        return "inch", value * _INCHES[unit]
    return unit, value
