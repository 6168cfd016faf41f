"""The table of contents at the start of an act: which lines it occupies, and the section titles it lists."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.acts.headings import (
    SectionHeading,
    normalize_section_number,
    parse_division,
    parse_numbered_section,
)
from footnotary.ingest.structure.outline import line_text, word_count

_HEAD = re.compile(
    r"(?:arrangement of (?:sections|clauses|articles|rules|regulations)|(?:table of )?contents"
    r"|विषय.?सूची|धाराओं का क्रम)\W*",
    re.I,
)
_HEAD_AT_END = re.compile(
    r"\s(?:ARRANGEMENT OF (?:SECTIONS|CLAUSES|ARTICLES|RULES|REGULATIONS)|CONTENTS)\W*(?:SECTIONS\W*)?$"
)
_ENTRY = re.compile(
    r"(?:\d{0,2}\s?\[\s?|[“\"‘])?(?:(?:Section|SECTION|Article|ARTICLE|धारा)\s+|§+\s*)?"
    r"(?P<number>\d{1,4}(?:\.\d{1,4}|\s?-?\s?[A-Z]{1,3}(?![A-Za-z]))?)(?P<stop>[.:]?)\s*(?P<rest>[^\s.\d].*|\[.*)"
)
_AFTER_TITLE = re.compile(r"[\s.:\]”\"’—–―-]*")
_LEADER = re.compile(r"(?:[\s.…·_]{3,200}|\s{2,20})\d{0,4}$")  # the dots, and the page they lead to
_DASH = re.compile(r"\.?\s?(?:[—–―]|--)")
_MORE = re.compile(r"[”\"]?\.\s?([“\"A-Z][^—–―.]{2,80}[”\"]?)\.\s?(?:[—–―]|--)")
_MAX_FRONT_LINES = 60
_MAX_CONTENTS_LINES = 5000
_MAX_ENTRY_CHARS = 600
_LETTERS_COMPARED = 24


@dataclass(frozen=True, slots=True)
class TableOfContents:
    """The lines of the table of contents, and its titles by section number, in order; both empty if there is none."""

    lines: range = range(0)
    titles: Mapping[str, str] = field(default_factory=dict[str, str])


def is_contents_heading(text: str) -> bool:
    """Whether a line is the heading of a table of contents."""
    ends_so = split_contents_heading(text)[1] != ""
    return ends_so or bool(_HEAD.fullmatch(text)) or text.strip(" .").lower() in ("sections", "sec", "sec.")


def split_contents_heading(text: str) -> tuple[str, str]:
    """A title in capitals, split from the contents heading at its end if both were read as one line."""
    found = _HEAD_AT_END.search(text) if text.isupper() else None
    return (text[: found.start()].strip(), found[0].strip()) if found else (text, "")


def find_table_of_contents(parsed: ParsedFile) -> TableOfContents:
    """The table of contents before the sections themselves.

    It has a heading that says so, and section numbers restart after it.
    """
    texts = [line_text(parsed, line) for line in parsed.lines[:_MAX_CONTENTS_LINES]]
    begins = next((at for at, text in enumerate(texts[:_MAX_FRONT_LINES]) if is_contents_heading(text)), None)
    if begins is None:
        return TableOfContents()
    titles: dict[str, str] = {}
    first, last, end = "", "", begins + 1
    for at in range(begins + 1, len(texts)):
        found = _ENTRY.match(texts[at])
        if found is None:
            # The rest of a wrapped entry: "of residence," continues, "of residence." has ended.
            if last and at == end and not _is_complete(titles[last]) and not _starts_body(texts[at]):
                titles[last] = f"{titles[last]} {texts[at]}"
                end = at + 1
            continue
        number = normalize_section_number(found["number"])
        if number == first and end > begins + 3 and _is_first_section(texts[at], found["rest"], titles[first]):
            while end < at and not _starts_body(texts[end]):
                end += 1
            return TableOfContents(
                range(begins, end), {key: _LEADER.sub("", title).strip(" .") for key, title in titles.items()}
            )
        first = first or number
        last, end = number, at + 1
        titles.setdefault(number, found["rest"][:_MAX_ENTRY_CHARS])
    return TableOfContents()


def match_listed_section(line: str, titles: Mapping[str, str]) -> SectionHeading | None:
    """The heading of a section that the table of contents lists, in any form: "[17 “Government”.—The word ..."."""
    found = _ENTRY.match(line)
    number = normalize_section_number(found["number"]) if found else ""
    title = titles.get(number)
    if found is None or not title:
        return None
    sought = comparable_letters(title)
    if not sought or not comparable_letters(found["rest"][:400]).startswith(sought[:_LETTERS_COMPARED]):
        return None
    end = _offset_after_letters(line, found.start("rest"), len(sought))
    if (
        comparable_letters(line[found.start("rest") : end]) != sought
    ):  # the contents word the rest of the title differently
        dash = _DASH.search(line, found.start("rest"), found.start("rest") + 250)
        end = dash.start() if dash else found.start("rest")
        title = line[found.start("rest") : end].strip(" .[]") or title
    elif more := _MORE.match(line, end):  # "“Act”. “Omission”.—" where the contents list only the first
        title, end = f"{title}. {more[1]}", more.end(1)
    after = _AFTER_TITLE.match(line, end)
    return SectionHeading(number, title, after.end() if after else end)


def parse_leading_number(line: str) -> tuple[str, int] | None:
    """The number with a full stop at the start of a line, and where the text after it begins."""
    found = _ENTRY.match(line)
    return (normalize_section_number(found["number"]), found.start("rest")) if found and found["stop"] else None


def comparable_letters(text: str) -> str:
    """The letters and digits of a title, case-folded, for comparison."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _offset_after_letters(line: str, start: int, count: int) -> int:
    for at in range(start, min(len(line), start + 400)):
        count -= line[at].isalnum()
        if count == 0:
            return at + 1
    return start


def _is_first_section(line: str, rest: str, title: str) -> bool:
    """Whether this is the first section itself: its title again, or its text if titles are in the margin."""
    same = comparable_letters(rest).startswith(comparable_letters(title)[:_LETTERS_COMPARED])
    return same or rest.startswith(("(1)", "[")) or word_count(line) > 12


def _is_complete(title: str) -> bool:
    return title.endswith(".") or _LEADER.search(title) is not None


def _starts_body(text: str) -> bool:
    """Whether a line follows the table of contents: a title, chapter or long line; not the rest of a wrapped entry."""
    return (
        text.isupper()
        or parse_division(text, False) is not None
        or word_count(text) > 18
        or parse_numbered_section(text, True) is not None
    )
