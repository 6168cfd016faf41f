"""Corruptions of numbers, units, dates and section numbers, and the rewordings of numbers that keep their value."""

# ruff: noqa: ARG001 - all edits take the same arguments, whether they need them or not

import re
from itertools import pairwise
from random import Random

from training.verifier.generated.word_lists import FRACTIONS, MONTHS, NUMBER_WORDS, ORDINALS, WORD_OF

_WORDS = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_UNIT = r"(?:years?|months?|weeks?|days?|hours?|minutes?|members?|persons?|rupees|times|per cent|percent|people|lakh|crore|million|hundred|thousand|metres|kilometres|officers?|directors?|copies|witnesses|children|dollars)"
NUMBER = re.compile(
    rf"(?<![\w.,/(-])(?<!ection )(?<!ections )(?<!rticle )(?<!ule )(?<!Act )(?<!Act, )(?<!lause )(?<!hapter )(?<!No\. )(?<!art )(?:(?P<digits>\d{{1,3}}(?:,\d{{2,3}})+|\d+(?:\.\d+)?)(?![\d\w)/])(?!-)|(?P<word>{_WORDS})(?=[ -]{_UNIT}\b))"
)
_YEAR = re.compile(r"(?<![\d,.$])(1[5-9]\d\d|20[0-4]\d)(?![\d,.]\d|\d)")
_DAY = re.compile(
    rf"\b(\d{{1,2}})((?:st|nd|rd|th)?(?: day of)? (?:{'|'.join(MONTHS)})\b)|\b({'|'.join(MONTHS)}) (\d{{1,2}})\b(?!\d)"
)
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\b(?=,? \d|[.,])|(?<=\bin )({'|'.join(MONTHS)})\b")
_SECTION = re.compile(r"\b([Ss]ection|[Aa]rticle|[Rr]ule|[Cc]lause|[Cc]hapter|[Ss]ub-section|[Pp]aragraph) (\(?)(\d+)")
_UNITS = [
    ("days", "weeks months years".split()),
    ("months", "days weeks years".split()),
    ("years", "months weeks days".split()),
    ("weeks", "days months".split()),
    ("hours", "days minutes".split()),
    ("minutes", "hours seconds".split()),
    ("kilometres", ["metres", "miles"]),
    ("kilometers", ["meters", "miles"]),
    ("metres", ["kilometres", "centimetres"]),
    ("miles", ["kilometres", "metres"]),
    ("feet", ["inches", "metres"]),
    ("kg", ["g", "tonnes"]),
    ("kilograms", ["grams", "tonnes"]),
    ("grams", ["kilograms", "milligrams"]),
    ("mg", ["g", "kg"]),
    ("ml", ["litres"]),
    ("mm", ["cm", "m"]),
    ("cm", ["mm", "m"]),
    ("km", ["m", "miles"]),
    ("lakh", ["crore", "thousand"]),
    ("crore", ["lakh", "thousand"]),
    ("lakhs", ["crores"]),
    ("million", ["billion", "thousand"]),
    ("billion", ["million", "trillion"]),
    ("thousand", ["hundred", "million"]),
    ("hundred", ["thousand"]),
    ("rupees", ["dollars", "euros"]),
    ("per cent", ["per thousand"]),
    ("square miles", ["square kilometres"]),
    ("degrees Celsius", ["degrees Fahrenheit"]),
    ("dollars", ["pounds", "rupees"]),
]
_UNIT_RE = re.compile(rf"\b({'|'.join(re.escape(u) for u, _ in _UNITS)})\b")


def _value(match: re.Match[str]) -> float:
    word = match.group("word")
    return float(NUMBER_WORDS[word]) if word else float(match.group("digits").replace(",", ""))


def _like(match: re.Match[str], value: int) -> str:
    """Write a value in the notation of the matched number."""
    if match.group("word"):
        return WORD_OF.get(value, str(value))
    return f"{value:,}" if "," in match.group("digits") else str(value)


def _agree(text: str, value: float) -> str:
    """Make the noun after a new number singular or plural."""
    nouns = "year|month|week|day|hour|minute|member|person|time|officer|director"
    if value == 1:
        return re.sub(rf"^([ -])({nouns})s\b", r"\1\2", text)
    return re.sub(rf"^( )({nouns})\b(?!s)", r"\1\2s", text)


def change_figure(text: str, rng: Random, premise: str) -> str | None:
    """Replaces a number, half of the time by one from elsewhere in the passage."""
    found = [m for m in NUMBER.finditer(text) if not (m.group("digits") and _YEAR.fullmatch(m.group("digits")))]
    found = [m for m in found if not re.match(rf"(?:st|nd|rd|th)?(?: day of)? (?:{'|'.join(MONTHS)})", text[m.end() :])]
    if not found:
        return None
    match = rng.choice(found)
    old = _value(match)
    digits = match.group("digits")
    if digits and "." in digits:
        new_text = f"{old * rng.choice([0.5, 1.3, 2, 10]) + rng.choice([0, 0.1]):.{len(digits.split('.')[1])}f}"
        if float(new_text) == old:
            return None
        return text[: match.start()] + new_text + text[match.end() :]
    whole = int(old)
    others = [
        int(_value(m))
        for m in NUMBER.finditer(premise)
        if _value(m) != old and _value(m) == int(_value(m)) and _value(m) > 0
    ]
    others = [v for v in others if 0.02 * whole <= v <= 50 * whole and not (1500 <= v <= 2049)]
    if others and rng.random() < 0.4:
        new = rng.choice(others)
    elif match.group("word"):
        new = rng.choice([v for v in WORD_OF if v != whole and (v <= 15 or v % 5 == 0)])
    else:
        near = [
            whole + 1,
            whole - 1,
            whole * 2,
            whole * 10,
            whole // 2,
            whole + 5,
            whole * 3,
            int(str(whole)[::-1]),
            whole + 10,
        ]
        near = [v for v in near if v > 0 and v != whole]
        if text[match.end() :].lstrip().startswith(("%", "per cent", "percent")):
            near = [v for v in near if v <= 100] or near
        new = rng.choice(near)
    return text[: match.start()] + _like(match, new) + _agree(text[match.end() :], new)


def swap_figures(text: str, rng: Random, premise: str) -> str | None:
    """Swaps two numbers of the sentence."""
    found = [m for m in NUMBER.finditer(text) if m.group("digits")] or list(NUMBER.finditer(text))
    for first, second in pairwise(found):
        between = text[first.end() : second.start()]
        like = bool(_YEAR.fullmatch(first.group())) == bool(_YEAR.fullmatch(second.group()))
        if (
            like
            and first.group() != second.group()
            and len(between.split()) >= 3
            and not re.search(r"\bor\b|^ to ", between)
        ):
            tail = _agree(text[second.end() :], _value(first))
            return text[: first.start()] + second.group() + _agree(between, _value(second)) + first.group() + tail
    return None


def change_unit(text: str, rng: Random, premise: str) -> str | None:
    """Another unit after the same number."""
    found = [
        m
        for m in _UNIT_RE.finditer(text)
        if re.search(
            r"(?:\d|ty|teen|one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|thousand|many|few|several|lakh|crore) $",
            text[: m.start()],
        )
    ]
    if not found:
        single = re.search(r"\b(?:one|1|a) (year|month|week|day|hour)\b", text)
        if not single or "a day" in single.group():
            return None
        new = rng.choice([u for u in ("year", "month", "week", "day") if u != single.group(1)])
        return text[: single.start(1)] + new + text[single.end(1) :]
    match = rng.choice(found)
    new = rng.choice(dict(_UNITS)[match.group()])
    return text[: match.start()] + new + text[match.end() :]


def change_date(text: str, rng: Random, premise: str) -> str | None:
    """Another day, month or year."""
    options: list[tuple[int, int, str]] = []
    for m in _YEAR.finditer(text):
        old = int(m.group())
        options.append((m.start(), m.end(), str(old + rng.choice([-20, -10, -3, -2, -1, 1, 2, 3, 4, 10, 12]))))
    for m in _DAY.finditer(text):
        group = 1 if m.group(1) else 4
        day = rng.choice([d for d in range(1, 29) if str(d) != m.group(group)])
        if m.group(1) and re.match(r"(?:st|nd|rd|th)", m.group(2)):
            day = rng.choice([d for d in (4, 5, 6, 7, 9, 14, 16, 18, 25, 27) if str(d) != m.group(1)])
            rest = re.sub(r"^(?:st|nd|rd|th)", "th", m.group(2))
            options.append((m.start(), m.end(), f"{day}{rest}"))
        else:
            options.append((m.start(group), m.end(group), str(day)))
    for m in _MONTH.finditer(text):
        options.append((m.start(), m.end(), rng.choice([x for x in MONTHS if x != m.group()])))
    if not options:
        return None
    start, end, new = rng.choice(options)
    return text[:start] + new + text[end:]


def change_ordinal(text: str, rng: Random, premise: str) -> str | None:
    """Another ordinal or fraction."""
    found = list(
        re.finditer(rf"\b({'|'.join(FRACTIONS)}|{'|'.join(ORDINALS[1:])}|first)\b(?! aid| instance| place| to)", text)
    )
    if not found:
        return None
    match = rng.choice(found)
    old = match.group()
    new = rng.choice([x for x in (FRACTIONS if old in FRACTIONS else ORDINALS[:7]) if x != old])
    return text[: match.start()] + new + text[match.end() :]


def change_section(text: str, rng: Random, premise: str) -> str | None:
    """Another section, article, rule or clause number, or another year of an act."""
    options = [
        (m.start(3), m.end(3), str(max(1, int(m.group(3)) + rng.choice([-2, -1, 1, 2, 3, 10]))))
        for m in _SECTION.finditer(text)
    ]
    options = [(a, b, new) for a, b, new in options if new != text[a:b]]
    if not options:
        return None
    start, end, new = rng.choice(options)
    return text[:start] + new + text[end:]


def same_value(text: str, rng: Random) -> str | None:
    """The same number in words or digits, or in an equivalent unit."""
    equal = [
        (r"\b(?:one|1) year\b", "twelve months"),
        (r"\b(?:twelve|12) months\b", "one year"),
        (r"\b(?:two|2) years\b", "24 months"),
        (r"\b(?:twenty-four|24) months\b", "two years"),
        (r"\b(?:six|6) months\b", "half a year"),
        (r"\b(?:seven|7) days\b", "one week"),
        (r"\b(?:fourteen|14) days\b", "two weeks"),
        (r"\b(?:twenty-four|24) hours\b", "one day"),
        (r"\b(?:forty-eight|48) hours\b", "two days"),
        (r"\b(?:sixty|60) minutes\b", "one hour"),
        (r"\b(?:one|1) hour\b", "60 minutes"),
        (r"\bone-half\b", "half"),
        (r"\b(?:fifty|50) per cent\b", "half"),
        (r"\bone lakh rupees\b", "Rs. 1,00,000"),
        (r"\bten thousand rupees\b", "Rs. 10,000"),
        (r"\bone thousand rupees\b", "Rs. 1,000"),
        (r"\bfive thousand rupees\b", "Rs. 5,000"),
        (r"\bfive hundred rupees\b", "Rs. 500"),
        (r"\bone hundred rupees\b", "Rs. 100"),
        (r"\btwo thousand rupees\b", "Rs. 2,000"),
        (r"\btwenty-five thousand rupees\b", "Rs. 25,000"),
        (r"\bfifty thousand rupees\b", "Rs. 50,000"),
    ]
    rng.shuffle(equal)
    if rng.random() < 0.4:
        for pattern, new in equal:
            out = re.sub(pattern, new, text, count=1)
            if out != text:
                return out
    found = [
        m
        for m in NUMBER.finditer(text)
        if m.group("word")
        or (m.group("digits").isdigit() and int(m.group("digits")) in WORD_OF and int(m.group("digits")) <= 20)
    ]
    found = [
        m
        for m in found
        if not re.match(
            r"[ -](?:hundred|thousand|lakh|crore|million)|%|-|:| ?°| [A-Z]| (?:January|February|March|April|May|June|July|August|September|October|November|December)",
            text[m.end() :],
        )
    ]
    found = [
        m
        for m in found
        if not re.search(
            r"[$£€#]$|\b(?:Rs\.?|at|on|number|No\.?|grade|Type|type|phase|stage|January|February|March|April|May|June|July|August|September|October|November|December) $",
            text[: m.start()],
        )
    ]
    if not found:
        return None
    match = rng.choice(found)
    new = str(NUMBER_WORDS[match.group("word")]) if match.group("word") else WORD_OF[int(match.group("digits"))]
    if match.start() == 0:
        new = new.capitalize()
    return text[: match.start()] + new + text[match.end() :]
