"""The structure of case law: a headnote, and numbered paragraphs below headings."""

import re
from collections.abc import Mapping
from dataclasses import replace

from footnotary.domain.document import Block, Labels
from footnotary.ingest.parsed_document import ParsedFile, ParsedLine
from footnotary.ingest.structure.outline import NOTES_HEADING, Outline, Unit, block_from_lines, line_text, word_count

_NUMBERED = re.compile(r"\[?(\d{1,4})(?:[.\])]\s*(?=\S)|\s+(?=[A-Z][a-z]))")
_SUBHEADING = re.compile(r"(?:[A-Z]|[IVX]{1,5})\.\s+[A-Z]")
_HEADNOTE = ("headnote", "head note", "summary")
_MAX_HEADING_WORDS = 8
_MAX_TITLE_PAGE_WORDS = 16  # words of its longest line


def build_judgment_outline(parsed: ParsedFile, fields: Mapping[str, str], labels: Labels, code: str) -> Outline:
    """One unit per numbered paragraph, and one for the text before the first: the headnote.

    If a header names the case, all units share its place: `SupremeCourt_1_2020_0` is the first chunk of case 1 of 2020.
    Otherwise the paragraph number is the place: `AVB_12_0` is the first chunk of paragraph 12 of A v. B.
    """
    labels = replace(labels, section=None)
    case = "_".join(part for part in (fields.get("CASE"), labels.year) if part) or "text" if "COURT" in fields else ""
    is_numbered = count_numbered_paragraphs(parsed) > 0
    above = (labels.title,) if labels.title else ()
    units: list[Unit] = []
    headings: list[Block] = []
    held: list[ParsedLine] = []
    last, heading, number = 0, "", ""

    def close() -> None:
        title_page = is_numbered and not last and not case and not heading.lower().startswith(_HEADNOTE)
        if held and title_page and all(word_count(line_text(parsed, line)) < _MAX_TITLE_PAGE_WORDS for line in held):
            headings.extend(Block("heading", line.span, labels, (), line.page) for line in held)
            held.clear()
        elif held:
            path = tuple(part for part in (*above, heading, number) if part)
            front = "notes" if heading == NOTES_HEADING else "headnote" if last == 0 and is_numbered else "text"
            units.append(Unit(block_from_lines("paragraph", held, labels, path), code, case or number or front))
            held.clear()

    for line in parsed.lines:
        text = line_text(parsed, line)
        found = _NUMBERED.match(text)
        if _is_heading(line, text):
            close()
            heading, number = text, ""
            headings.append(Block("heading", line.span, labels, above, line.page))
        elif found and heading != NOTES_HEADING and int(found[1]) == last + 1:
            was_held = bool(held)
            close()
            heading = "" if last == 0 and was_held else heading  # it belonged to the title page or headnote
            last = int(found[1])
            number = found[1]
            held.append(line)
        else:
            held.append(line)
    close()
    end = parsed.lines[-1]
    if last and headings and headings[-1].span == end.span:  # a final "APPEAL DISMISSED." is text, not a heading
        units.append(Unit(block_from_lines("paragraph", [end], labels, above), code, case or "text"))
        headings.pop()
    return Outline(tuple(units), tuple(headings))


def count_numbered_paragraphs(parsed: ParsedFile) -> int:
    """How many paragraphs are numbered consecutively from 1."""
    last = 0
    for line in parsed.lines:
        found = _NUMBERED.match(line_text(parsed, line))
        if found and int(found[1]) == last + 1:
            last += 1
    return last


def _is_heading(line: ParsedLine, text: str) -> bool:
    """Whether a line is a heading: marked by the format, or a short separate line in capitals or like "A. Facts"."""
    if line.level is not None:
        return True
    short = line.after_blank and word_count(text) <= _MAX_HEADING_WORDS
    return short and (text.isupper() or (bool(_SUBHEADING.match(text)) and text[-1:].isalpha()))
