"""The title page of a judgment: court, parties, case number and year."""

import re
from dataclasses import dataclass

from footnotary.ingest.outline import text_of, word_count
from footnotary.ingest.parsed import Parsed

_COURT = re.compile(
    r"(?:in the\s+)?(?P<name>(?:hon.?ble\s+)?(?:supreme court of [a-z]+(?: [a-z]+)?"
    r"|high court (?:of|for|at) [a-z ,&]{3,60}|court of appeals?(?: [a-z ]{3,40})?"
    r"|(?:[a-z]+ ){1,4}(?:high court|appellate tribunal|tribunal)(?: [a-z ,]{2,40})?))\W*",
    re.I,
)
_CASE = re.compile(
    r"(?:appeal|petition|suit|application|case|revision|reference|w\.?p\.?|s\.?l\.?p\.?)\b[^\d\n]{0,40}?"
    r"\bno\(?s?\)?\.?\s*(?P<number>\d{1,7})[^\n]{0,60}?\b(?:of|/)\s*(?P<year>(?:18|19|20)\d\d)\b",
    re.I,
)
_BETWEEN = re.compile(r"\s(?:v\.|vs\.?|versus)\s", re.I)
_BETWEEN_LINES = re.compile(r"[-–—\s]*(?:v\.?|vs\.?|versus)[-–—\s]*", re.I)
_ROLE = re.compile(
    r"[\s.…,:–—-]*(?:\(s\)|\b(?:appellants?|respondents?|petitioners?|plaintiffs?|defendants?|applicants?)(?:\(s\))?)[\s.:]*$",
    re.I,
)
_FIRST_LINES = 30
_LONGEST_PARTIES = 24


@dataclass(frozen=True, slots=True)
class JudgmentFront:
    """What a judgment states before its first paragraph; None where it does not say."""

    court: str | None = None
    parties: str | None = None
    case: str | None = None
    year: str | None = None


def judgment_front(parsed: Parsed) -> JudgmentFront:
    """The title page data from the first lines."""
    lines = [text_of(parsed, line) for line in parsed.lines[:_FIRST_LINES]]
    court = next((found["name"] for line in lines if (found := _COURT.fullmatch(line))), None)
    case = next((found for line in lines if (found := _CASE.search(line))), None)
    return JudgmentFront(
        " ".join(_capitalised(word) for word in court.split()) if court else None,
        _parties(lines),
        case["number"] if case else None,
        case["year"] if case else None,
    )


def _parties(lines: list[str]) -> str | None:
    """The parties: "A v. B" on one line, or A, "versus" and B on three."""
    for at, line in enumerate(lines):
        if _BETWEEN.search(f" {line} ") and word_count(line) <= _LONGEST_PARTIES and not _BETWEEN_LINES.fullmatch(line):
            first, _, second = _BETWEEN.sub("\n", line, count=1).partition("\n")
            return f"{_party(first)} v. {_party(second)}" if _party(first) and _party(second) else None
        if _BETWEEN_LINES.fullmatch(line) and at and at + 1 < len(lines):
            first, second = _named_near(lines[:at][::-1]), _named_near(lines[at + 1 :])
            return f"{first} v. {second}" if first and second else None
    return None


def _named_near(lines: list[str]) -> str:
    """The nearest line that names a party, not only its role."""
    return next((party for line in lines[:2] if (party := _party(line)) and word_count(party) <= 16), "")


def _party(text: str) -> str:
    name = _ROLE.sub("", text.strip(" .…,:-–—")).strip(" .…,:-–—")
    return " ".join(_capitalised(word) for word in name.split()) if name.isupper() else name


def _capitalised(word: str) -> str:
    small = {"OF", "AND", "THE", "FOR", "AT", "of", "and", "the", "for", "at"}
    return word.lower() if word in small else word.capitalize() if word.isupper() and len(word) > 2 else word
