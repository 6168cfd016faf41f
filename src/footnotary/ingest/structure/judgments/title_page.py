"""The title page of a judgment: court, parties, case number and year."""

import re
from dataclasses import dataclass

from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.outline import line_text, word_count

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
_VERSUS = re.compile(r"\s(?:v\.|vs\.?|versus)\s", re.I)
_VERSUS_LINE = re.compile(r"[-–—\s]*(?:v\.?|vs\.?|versus)[-–—\s]*", re.I)
_ROLE = re.compile(
    r"[\s.…,:–—-]*(?:\(s\)|\b(?:appellants?|respondents?|petitioners?|plaintiffs?|defendants?|applicants?)(?:\(s\))?)[\s.:]*$",
    re.I,
)
_MAX_FRONT_LINES = 30
_MAX_PARTIES_WORDS = 24


@dataclass(frozen=True, slots=True)
class JudgmentFrontMatter:
    """What a judgment states before its first paragraph; None where it does not say."""

    court: str | None = None
    parties: str | None = None
    case: str | None = None
    year: str | None = None


def read_judgment_front_matter(parsed: ParsedFile) -> JudgmentFrontMatter:
    """The title page data from the first lines."""
    lines = [line_text(parsed, line) for line in parsed.lines[:_MAX_FRONT_LINES]]
    court = next((found["name"] for line in lines if (found := _COURT.fullmatch(line))), None)
    case = next((found for line in lines if (found := _CASE.search(line))), None)
    return JudgmentFrontMatter(
        " ".join(_capitalised(word) for word in court.split()) if court else None,
        _find_parties(lines),
        case["number"] if case else None,
        case["year"] if case else None,
    )


def _find_parties(lines: list[str]) -> str | None:
    """The parties: "A v. B" on one line, or A, "versus" and B on three."""
    for at, line in enumerate(lines):
        if _VERSUS.search(f" {line} ") and word_count(line) <= _MAX_PARTIES_WORDS and not _VERSUS_LINE.fullmatch(line):
            first, _, second = _VERSUS.sub("\n", line, count=1).partition("\n")
            return (
                f"{_party_name(first)} v. {_party_name(second)}" if _party_name(first) and _party_name(second) else None
            )
        if _VERSUS_LINE.fullmatch(line) and at and at + 1 < len(lines):
            first, second = _nearest_party(lines[:at][::-1]), _nearest_party(lines[at + 1 :])
            return f"{first} v. {second}" if first and second else None
    return None


def _nearest_party(lines: list[str]) -> str:
    """The nearest line that names a party, not only its role."""
    return next((party for line in lines[:2] if (party := _party_name(line)) and word_count(party) <= 16), "")


def _party_name(text: str) -> str:
    name = _ROLE.sub("", text.strip(" .…,:-–—")).strip(" .…,:-–—")
    return " ".join(_capitalised(word) for word in name.split()) if name.isupper() else name


def _capitalised(word: str) -> str:
    small = {"OF", "AND", "THE", "FOR", "AT", "of", "and", "the", "for", "at"}
    return word.lower() if word in small else word.capitalize() if word.isupper() and len(word) > 2 else word
