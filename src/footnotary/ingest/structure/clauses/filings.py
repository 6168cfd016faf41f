"""How reports to a securities regulator mark their divisions: "PART II", "Item 1A. Risk Factors", "Note 7. Leases"."""

import re
from collections.abc import Sequence

from footnotary.ingest.structure.clauses.marks import DivisionStart, is_title_like, without_contents

_OPENING_LINES = 120
_MIN_ITEMS = 2
_FORM = re.compile(r"\bFORM\s+(?P<form>10-?[KQ]|8-?K|20-?F|40-?F|6-?K)\b", re.I)
_REGISTRANT = re.compile(r"exact\s+name\s+of\s+(?:the\s+)?registrant", re.I)
_COMMISSION = re.compile(r"securities\s+and\s+exchange\s+commission", re.I)
_PART = re.compile(r"(?:PART|Part)\s+(?P<number>I{1,3}|IV)(?=$|[\s.:—–-])[\s.:—–-]*(?P<title>.{0,80})")
_ITEM = re.compile(r"(?:ITEM|Item)\s+(?P<number>\d{1,2}(?:\.\d\d|[A-C])?)[\s.:|—–-]*(?P<title>.*)", re.S)
_NOTE = re.compile(r"(?:NOTE|Note)\s+(?P<number>\d{1,2}[A-Z]?)\s*[.:—–-]+\s*(?P<title>\S.*)", re.S)
_PAGE_NUMBER = re.compile(r"(?:[\s.|]+)\d{1,3}$")


def filing_marks(lines: Sequence[str]) -> list[DivisionStart]:
    """The parts, items and notes of a filing in order; empty unless it is certain that the text is one.

    Certain: the form and the commission are named at the top, and at least two items have text.
    """
    opening = lines[:_OPENING_LINES]
    if not any(map(_FORM.search, opening)) or not _COMMISSION.search(" ".join(opening)):
        return []
    found: list[DivisionStart] = []
    part, parts = "", dict[str, str]()
    for at, line in enumerate(lines):
        text = line.strip()
        if (mark := _PART.fullmatch(text)) and (not mark["title"] or is_title_like(mark["title"])):
            part = mark["number"]
            found.append(DivisionStart(at, 0, f"Part{part}", f"Part {part}", text, True))
        elif mark := _ITEM.fullmatch(text) or _NOTE.fullmatch(text):
            title = _PAGE_NUMBER.sub("", mark["title"])
            word = "Note" if mark.re is _NOTE else "Item"
            if title and not is_title_like(title, 24):
                continue
            place = f"{word}{mark['number']}"
            if word == "Item" and parts.setdefault(place, part) != part:
                place = f"Part{part}{place}"  # quarterly reports number the items of both parts from 1
            heading = f"{word} {mark['number']}. {title}".rstrip(" .")
            found.append(
                DivisionStart(at, 1 if word == "Item" else 2, place, f"{word} {mark['number']}", heading, True)
            )
    marks = without_contents(found, [len(line.split()) for line in lines])
    return marks if sum(mark.level == 1 for mark in marks) >= _MIN_ITEMS else []


def filing_title(lines: Sequence[str]) -> str | None:
    """The company and the form: "Acme Inc. 10-K"; the line below the company's name says what it is."""
    opening = lines[:_OPENING_LINES]
    form = next((found for found in map(_FORM.search, opening) if found), None)
    below = next((at for at, line in enumerate(opening) if at and _REGISTRANT.search(line)), None)
    if form is None or below is None or len(opening[below - 1].split()) > 10:
        return None
    return f"{opening[below - 1]} {form['form']}"
