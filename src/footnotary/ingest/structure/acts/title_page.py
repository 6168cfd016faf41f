"""The title page of an act or regulation: its name and year."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.acts.table_of_contents import is_contents_heading, split_contents_heading
from footnotary.ingest.structure.outline import line_text, word_count

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
    "code on wages": "COW",
}
_NAME = re.compile(
    r"(?:the\s+)?(?P<name>(?:[\w’'&().,/“”\"‘-]+\s+){0,30}"
    r"(?:act|code|sanhita|adhiniyam|ordinance|rules|constitution of india|code on wages"
    r"|code of (?:criminal|civil) procedure))"
    r",?\s*(?P<year>1[6-9]\d\d|20\d\d)?\.?(?:\s*[(\[]\s*(?:act|no\.?)?\s*\d+\s+of\s+\d{4}\s*[)\]]\.?)?",
    re.I,
)
_HINDI_NAME = re.compile(
    r"(?P<name>(?:[\u0900-\u0963:()–-]+\s+){1,20}(?:अधिनियम|संहिता|अध्यादेश|नियमावली|नियम))"
    r",?\s*(?P<year>(?:1[6-9]|20|१[६-९]|२०)[0-9०-९]{2})\.?"
)
_NAME_IN_RUNNING_HEADER = re.compile(
    r"\b(?P<name>(?:[A-Z][\w’'-]*\s+(?:(?:of|and|the|on|for|to|from|in|by)\s+)*){1,10}(?:Act|Code|Sanhita|Adhiniyam)),"
    r"\s*(?P<year>1[6-9]\d\d|20\d\d)\b"
)
_NUMBER_AND_YEAR = re.compile(r"\(?act\s+no\.?\s*\d+\s+of\s+(1[6-9]\d\d|20\d\d)\b", re.I)
_CFR = re.compile(r"\b(\d{1,2})\s+(?:CFR|C\.F\.R\.)|\bTitle\s+(\d{1,2})\s*[—–-]")
_CFR_TOP = re.compile(r"(?:§+\s*\d|Title\s+\d{1,2}\s*[—–-]|(?:SUB)?PART\s+\d|Part\s+\d+\s*[—–-]|\d{1,2}\s+CFR\b)")
_CFR_SECTION = re.compile(r"§+\s*\d+\.\d")
_MIN_CFR_SECTIONS = 3
_EU_ACT = re.compile(
    r"(?:COMMISSION |COUNCIL )?(?:(?:IMPLEMENTING|DELEGATED) )?(?P<word>REGULATION|DIRECTIVE|DECISION)\s+"
    r"(?:\((?:EU|EC|EEC|Euratom|, )+\)\s+)?(?:No\s+)?(?P<number>\d{2,4}/\d{1,4})(?:/(?:EU|EC|EEC))?\b",
    re.I,
)
_SHORT_TITLE = re.compile(
    r"\((?P<name>(?:[A-Z][\w-]*\s+(?:(?:of|and|on|for|the)\s+)*){1,8}(?:Regulation|Directive|Act))\)"
)
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
_MAX_FRONT_LINES = 60
_MAX_NAME_WORDS = 32
_NAME_SEARCH_CHARS = 60_000


@dataclass(frozen=True, slots=True)
class ActFrontMatter:
    """What the top of the text says about the act; None where it says nothing."""

    name: str | None = None
    year: str | None = None
    code: str | None = None
    has_table_of_contents: bool = False
    is_regulation: bool = False


def standard_act_code(name: str) -> str | None:
    """The code by which an act is cited, for those whose title does not spell it."""
    return _CODES.get(name.lower())


def read_act_front_matter(parsed: ParsedFile) -> ActFrontMatter:
    """The name of the act or regulation at the top of the text, and whether a table of contents follows."""
    lines = [line_text(parsed, line) for line in parsed.lines[:_MAX_FRONT_LINES]]
    lists = any(is_contents_heading(line) for line in lines)
    running = [(0, head) for head in parsed.running_headers if head.isupper() and word_count(head) <= _MAX_NAME_WORDS]
    for place, line in (*_candidate_titles(lines), *running):
        found = _NAME.fullmatch(line)
        if found and (line.isupper() or found["year"] or (lists and word_count(line) <= 14)):
            name = _with_case_of_text(found["name"].strip(" ,[("), parsed.text)
            year = found["year"] or next((m[1] for m in map(_NUMBER_AND_YEAR.search, lines[place:]) if m), None)
            if year is None:
                year = next(
                    (m[1] for line in parsed.lines[:2000] if (m := _NUMBER_AND_YEAR.match(line_text(parsed, line)))),
                    None,
                )
            return ActFrontMatter(f"{name}, {year}" if year else name, year, standard_act_code(name), lists)
    if front := _eu_front_matter(lines, lists):
        return front
    if found := next((found for line in lines[:12] if (found := _HINDI_NAME.fullmatch(line))), None):
        year = str(int(found["year"]))
        return ActFrontMatter(f"{found['name']}, {year}", year, None, lists)
    for head in parsed.running_headers:
        if found := _NAME_IN_RUNNING_HEADER.search(head[:300]):
            name = re.sub(r"^The\s+", "", found["name"])
            year = found["year"]
            return ActFrontMatter(f"{name}, {year}" if year else name, year, standard_act_code(name), lists)
    opening = " ".join((*lines[:40], *parsed.running_headers))
    if "HIPAA" in opening and re.search(r"45 CFR|Parts? 16[024]", opening):
        return ActFrontMatter("HIPAA Administrative Simplification, 45 CFR", None, "HIPAA", lists, True)
    if (found := _CFR.search(opening)) and _has_cfr_sections(parsed, lines):
        title = found[1] or found[2]
        return ActFrontMatter(f"{title} CFR", None, f"CFR{title}", lists, True)
    return ActFrontMatter(has_table_of_contents=lists)


def _has_cfr_sections(parsed: ParsedFile, top: list[str]) -> bool:
    """Whether the text is of the Code itself: sections begin with "§", or the top names a title or part.

    A filing or a letter only mentions the Code.
    """
    if any(_CFR_TOP.match(line) for line in top[:12]):
        return "§" in parsed.text[:20_000]
    starts = sum(_CFR_SECTION.match(line_text(parsed, line)) is not None for line in parsed.lines[:5_000])
    return starts >= _MIN_CFR_SECTIONS


def _eu_front_matter(lines: list[str], lists: bool) -> ActFrontMatter | None:
    """A regulation or directive of the European Union, by its number and, where it has one, its short title."""
    for place, line in enumerate(lines[:12]):
        if found := _EU_ACT.match(line):
            short = _SHORT_TITLE.search(" ".join(lines[place : place + 6]))
            year = next((part for part in found["number"].split("/") if len(part) == 4), None)
            name = short["name"] if short else f"{found['word'].capitalize()} (EU) {found['number']}"
            code = standard_act_code(name) or f"EU{found['number'].replace('/', '_')}"
            return ActFrontMatter(f"{name}, {year}" if short and year else name, year, code, lists, True)
    return None


def _candidate_titles(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Candidate titles and their lines: one of the first lines, or up to three in capitals, as titles wrap."""
    for place, line in enumerate(lines[:12]):
        title = split_contents_heading(line.strip("[] "))[0]
        for following in (*lines[place + 1 : place + 3], ""):
            if word_count(title) <= _MAX_NAME_WORDS:
                yield place, title
            if not (title.isupper() and following.isupper()):
                break
            title = f"{title} {following}"


def _with_case_of_text(name: str, text: str) -> str:
    """A name in capitals with the case the text uses elsewhere ("This Act may be called the ..."), or in title case."""
    name = re.sub(r"^the\s+", "", name, flags=re.I)
    if not name.isupper():
        return name
    form = re.compile(r"\s+".join(map(re.escape, name.split())), re.I)
    written = (" ".join(found[0].split()) for found in form.finditer(text, 0, _NAME_SEARCH_CHARS))
    return next((found for found in written if not found.isupper()), None) or _to_title_case(name)


def _to_title_case(name: str) -> str:
    """ "INDIAN PENAL CODE" in title case; articles and prepositions in lower case."""
    small = {"of", "and", "the", "on", "for", "to", "in", "from", "by", "with"}
    words = [
        word.lower() if at and word.lower() in small else _WORD.sub(lambda found: found[0].capitalize(), word)
        for at, word in enumerate(name.split())
    ]
    return " ".join(words)
