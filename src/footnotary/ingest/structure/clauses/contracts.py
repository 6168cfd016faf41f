"""How contracts mark their clauses: "1. Definitions", "1.1 …", "ARTICLE IV", "SCHEDULE 2"."""

import re
from collections.abc import Sequence

from footnotary.ingest.structure.clauses.marks import DivisionStart, is_title_like

_MIN_CLAUSES = 3
_MAX_CONTENTS_WORDS = 14
_OPENING_LINES, _OPENING_CHARS = 15, 6_000
_TITLE = re.compile(r"\b(?:agreement|contract|lease|deed|terms\s+(?:of|and)|undertaking)\b", re.I)
_PARTIES = re.compile(r"\bbetween\b|\bamong\b|\bpart(?:y|ies)\b|\bhereinafter\b", re.I)
_TOP = re.compile(r"(?P<number>\d{1,2})[.)]?\s+(?P<rest>[^\W\d_a-z].*)", re.S)
_RUN_IN = re.compile(r"(?P<title>[^\W\d_a-z][^.;:]{1,80})[.:](?:\s*[—–-])?\s+[A-Z(“\"]")
_SUB = re.compile(
    r"(?:(?:Section|SECTION|Clause|CLAUSE)\s+)?(?P<top>\d{1,2})\.(?P<sub>\d{1,3})\.?\s+(?P<rest>\S.*)", re.S
)
_ARTICLE = re.compile(
    r"(?:ARTICLE|Article)\s+(?P<number>[IVXLC]{1,6}|\d{1,2})(?=$|[\s.:—–-])[\s.:—–-]*(?P<title>.{0,100})"
)
_SCHEDULE = re.compile(
    r"(?P<word>SCHEDULE|Schedule|ANNEX|Annex|ANNEXURE|Annexure|EXHIBIT|Exhibit|APPENDIX|Appendix)\s+"
    r"(?P<number>\d{1,2}|[A-Z]|[IVX]{1,5})(?=$|[\s.:—–-])[\s.:—–-]*(?P<title>.{0,100})"
)
_CONTENTS_ENTRY = re.compile(
    r".*(?:\.\s?){4,}\d{1,3}|\d{1,2}(?:\.\d{1,2})?\.?\s+[^\d.]{3,80}\s\d{1,3}|\w+\s\w+[\s:.—–-]+\S.*\s\d{1,3}"
)
_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def contract_marks(lines: Sequence[str]) -> list[DivisionStart]:
    """The clauses of a contract in order; empty unless it is certain that the text is one.

    Certain: a title that says so, parties, and at least three clauses numbered without a gap.
    """
    if not _is_contract(lines):
        return []
    marks = _Clauses(lines).marks
    return marks if sum(mark.level == 0 for mark in marks) >= _MIN_CLAUSES else []


def contract_title(lines: Sequence[str]) -> str | None:
    """The line at the top that names the contract."""
    return next((line for line in lines[:_OPENING_LINES] if _TITLE.search(line) and len(line.split()) <= 14), None)


def _is_contract(lines: Sequence[str]) -> bool:
    opening = "\n".join(lines[:200])[:_OPENING_CHARS]
    return contract_title(lines) is not None and _PARTIES.search(opening) is not None


class _Clauses:
    """Reads the marks line by line; a number counts only if it follows the one before."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.marks: list[DivisionStart] = []
        self._top = self._sub = self._article = 0
        self._within = ""  # the schedule, whose clauses are numbered from 1 again
        for at, line in enumerate(lines):
            text = line.strip()
            if text and not _is_contents_entry(text):
                self._line(at, text)

    def _line(self, at: int, text: str) -> None:
        if found := _SCHEDULE.fullmatch(text):
            if not found["title"] or is_title_like(found["title"]):
                self._within = f"{found['word'].capitalize()}{found['number']}"
                self._top = self._sub = 0
                number = f"{found['word'].capitalize()} {found['number']}"
                self.marks.append(DivisionStart(at, 0, self._within, number, text, True))
        elif found := _ARTICLE.fullmatch(text):
            number = _value(found["number"])
            if number == self._article + 1 and (not found["title"] or is_title_like(found["title"])):
                self._article, self._top, self._sub = number, number, 0
                place = f"{self._within}Article{found['number']}"
                self.marks.append(DivisionStart(at, 0, place, f"Article {found['number']}", text, True))
        elif found := _SUB.match(text):
            top, sub = int(found["top"]), int(found["sub"])
            if top == self._top and sub == self._sub + 1:
                self._sub = sub
                self._add(at, 1, f"{top}.{sub}", found["rest"])
        elif (found := _TOP.match(text)) and int(found["number"]) == self._top + 1 and not self._article:
            run_in = _RUN_IN.match(found["rest"])
            if is_title_like(found["rest"]) or run_in:
                self._top, self._sub = int(found["number"]), 0
                self._add(at, 0, found["number"], found["rest"])

    def _add(self, at: int, level: int, number: str, rest: str) -> None:
        run_in = _RUN_IN.match(rest)
        is_heading = is_title_like(rest) and run_in is None and not (level and rest.endswith("."))
        title = rest if is_heading else run_in["title"] if run_in and len(run_in["title"].split()) <= 10 else ""
        heading = f"{number}. {title}".rstrip(" .") if level == 0 else f"{number} {title}".rstrip(" .")
        place = f"{self._within}_{number}" if self._within else number
        self.marks.append(DivisionStart(at, level + bool(self._within), place, number, heading, is_heading))


def _is_contents_entry(text: str) -> bool:
    """Whether it is a line of a table of contents: a short one that ends with the number of a page."""
    return len(text.split()) <= _MAX_CONTENTS_WORDS and _CONTENTS_ENTRY.fullmatch(text) is not None


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    values = [_ROMAN[letter] for letter in number]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
