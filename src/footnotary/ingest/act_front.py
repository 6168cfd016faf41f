"""The front of an act or regulation: its name, and the list of its sections, which is none of its text."""

import re
from dataclasses import dataclass

from footnotary.ingest.act_headings import division, numbered_section
from footnotary.ingest.outline import text_of, word_count
from footnotary.ingest.parsed import Parsed

# Codes by which an act is cited although its title does not spell them.
_CODES = {
    "indian penal code": "IPC",
    "bharatiya nyaya sanhita": "BNS",
    "bharatiya nagarik suraksha sanhita": "BNSS",
    "bharatiya sakshya adhiniyam": "BSA",
    "code of criminal procedure": "CrPC",
    "code of civil procedure": "CPC",
    "indian evidence act": "IEA",
    "right to information act": "RTI",
    "digital personal data protection act": "DPDP",
    "general data protection regulation": "GDPR",
}
_NAME = re.compile(
    r"(?:the\s+)?(?P<name>(?:[\w’'&().,-]+\s+){0,11}"
    r"(?:act|code|sanhita|adhiniyam|ordinance|rules|constitution of india|code on wages"
    r"|code of (?:criminal|civil) procedure))"
    r",?\s*(?P<year>1[6-9]\d\d|20\d\d)?\.?",
    re.I,
)
_NAME_IN_HEAD = re.compile(
    r"\b(?P<name>(?:[A-Z][\w’'-]*\s+(?:(?:of|and|the|on|for|to|from|in|by)\s+)*){1,10}(?:Act|Code|Sanhita|Adhiniyam)),"
    r"\s*(?P<year>1[6-9]\d\d|20\d\d)\b"
)
_NUMBER_AND_YEAR = re.compile(r"\(?act\s+no\.?\s*\d+\s+of\s+(1[6-9]\d\d|20\d\d)\b", re.I)
_CFR = re.compile(r"\b(\d{1,2})\s+(?:CFR|C\.F\.R\.)|\bTitle\s+(\d{1,2})\s*[—–-]")
_CONTENTS = re.compile(
    r"(?:arrangement of (?:sections|clauses|articles|rules)|(?:table of )?contents|विषय.?सूची|धाराओं का क्रम)\W*", re.I
)
_ENTRY = re.compile(r"(?:\d{0,2}\[)?(?:§+\s*)?(\d{1,4}(?:\.\d{1,4}|[A-Z]{1,3})?)\.?\s+\S")
_FIRST_LINES = 60
_LONGEST_LIST = 5000


@dataclass(frozen=True, slots=True)
class Front:
    """What a text says on top that it is; None where it does not say."""

    name: str | None = None
    year: str | None = None
    code: str | None = None
    lists_sections: bool = False


def front_of(parsed: Parsed) -> Front:
    """The name of the act or regulation that opens the text, and whether a list of its sections follows."""
    lines = [text_of(parsed, line) for line in parsed.lines[:_FIRST_LINES]]
    lists = any(_CONTENTS.fullmatch(line) for line in lines)
    for place, line in enumerate(lines[:12]):
        found = _NAME.fullmatch(line) if word_count(line) <= 14 else None
        if found and (line.isupper() or found["year"] or lists):
            name = _in_title_case(found["name"].strip(" ,"))
            year = found["year"] or next((m[1] for m in map(_NUMBER_AND_YEAR.search, lines[place:]) if m), None)
            if year is None:
                year = next(
                    (m[1] for line in parsed.lines[:2000] if (m := _NUMBER_AND_YEAR.match(text_of(parsed, line)))), None
                )
            return Front(f"{name}, {year}" if year else name, year, _CODES.get(name.lower()), lists)
    for head in parsed.heads:
        if found := _NAME_IN_HEAD.search(head[:300]):
            name = re.sub(r"^The\s+", "", found["name"])
            year = found["year"]
            return Front(f"{name}, {year}" if year else name, year, _CODES.get(name.lower()), lists)
    opening = " ".join((*lines[:40], *parsed.heads))
    if "HIPAA" in opening and re.search(r"45 CFR|Parts? 16[024]", opening):
        return Front("HIPAA Administrative Simplification, 45 CFR", None, "HIPAA", lists)
    if (found := _CFR.search(opening)) and "§" in parsed.text[:20_000]:
        title = found[1] or found[2]
        return Front(f"{title} CFR", None, f"CFR{title}", lists)
    return Front(lists_sections=lists)


def contents_lines(parsed: Parsed) -> range:
    """The lines of the list of sections that stands before the sections themselves; empty where there is none.

    Such a list says that it is one, and after it the numbers begin again.
    """
    texts = [text_of(parsed, line) for line in parsed.lines[:_LONGEST_LIST]]
    begins = next((at for at, text in enumerate(texts[:_FIRST_LINES]) if _is_contents(text)), None)
    if begins is None:
        return range(0)
    first: str | None = None
    end = begins + 1
    for at in range(begins + 1, len(texts)):
        found = _ENTRY.match(texts[at])
        if found is None:
            continue
        if found[1] == first and end > begins + 3:
            while end < at and not _opens_text(texts[end]):
                end += 1
            return range(begins, end)
        first = first or found[1]
        end = at + 1
    return range(0)


def _is_contents(text: str) -> bool:
    return bool(_CONTENTS.fullmatch(text)) or text.strip(" .").lower() in ("sections", "sec", "sec.")


def _opens_text(text: str) -> bool:
    """What follows a list of sections: the title again, a chapter, a long line; not the rest of a broken entry."""
    return (
        text.isupper()
        or division(text, False) is not None
        or word_count(text) > 18
        or numbered_section(text, True) is not None
    )


def _in_title_case(name: str) -> str:
    """ "INDIAN PENAL CODE" as one writes it; small words stay small."""
    name = re.sub(r"^the\s+", "", name, flags=re.I)
    if not name.isupper():
        return name
    small = {"of", "and", "the", "on", "for", "to", "in", "from", "by", "with"}
    words = [
        word.lower() if at and word.lower() in small else word.capitalize() for at, word in enumerate(name.split())
    ]
    return " ".join(words)
