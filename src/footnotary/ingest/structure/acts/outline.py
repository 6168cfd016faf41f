"""The structure of acts and regulations: divisions, and sections with their numbers and titles."""

import re
from dataclasses import dataclass, field, replace

from footnotary.domain.document import Block, Labels
from footnotary.ingest.parsed_document import ParsedFile, ParsedLine
from footnotary.ingest.structure.acts.headings import (
    Division,
    SectionHeading,
    is_group_heading,
    is_heading_title,
    parse_division,
    parse_division_above_articles,
    parse_named_section,
    parse_numbered_section,
)
from footnotary.ingest.structure.acts.section_headings import find_sections
from footnotary.ingest.structure.acts.state_amendments import STATE_AMENDMENT, is_amendments_heading, parse_state_name
from footnotary.ingest.structure.id_names import camel_case_id_part
from footnotary.ingest.structure.outline import NOTES_HEADING, Outline, Unit, block_from_lines, line_text, word_count

_GROUP = 3  # below parts, chapters and what a format marks as headings
_WHEREAS = re.compile(r"(?:Whereas|WHEREAS):?")
_RECITAL = re.compile(r"\((\d{1,3})\)(?=\s|$)")
_ENACTS = re.compile(r"(?:HAS|HAVE) ADOPTED\b")
_PART_CONTENTS_ENTRY = re.compile(r"\d{1,4}\.\d{1,4}[a-z]?\s+[A-Z\[]")  # section headings have the § sign
_MAX_TITLE_PAGE_WORDS = 9
_SENTENCE = re.compile(r"[.:;!?।]\s*$")
_LOWER = re.compile(r"(?<![\w'’])[a-z\u0904-\u0939][\w\u0900-\u097f'’]+")
_MIN_SENTENCE_LOWER_WORDS = 3  # lower-case words; "An Act to amend the law." is short, and is still a sentence
_PART_PREAMBLE = re.compile(r"(?:AUTHORITY|Authority|SOURCE|Source): ")  # it follows the table of contents of a part


@dataclass(slots=True)
class _OpenSection:
    """A section being built."""

    labels: Labels
    path: tuple[str, ...]
    level: int | None = None  # heading level, if the format marks headings
    lines: list[ParsedLine] = field(default_factory=list[ParsedLine])
    body: bool = False
    place: str = "text"


def build_act_outline(parsed: ParsedFile, labels: Labels, code: str) -> Outline:
    """One unit per section, from its heading to the next; text before the first section is a unit of its own."""
    return _ActOutlineBuilder(parsed, labels, code).outline()


def count_sections(parsed: ParsedFile) -> int:
    """How many lines look like section headings, whatever the kind of document."""
    return len(find_sections(parsed).headings)


def count_unambiguous_sections(parsed: ParsedFile) -> int:
    """How many of them are unambiguous ("Section 3", a dash after the title): any list has "3." before a sentence."""
    texts = (line_text(parsed, parsed.lines[at]) for at in find_sections(parsed).headings)
    return sum(bool(parse_named_section(text, False) or parse_numbered_section(text, True)) for text in texts)


class _ActOutlineBuilder:
    def __init__(self, parsed: ParsedFile, labels: Labels, code: str) -> None:
        self._parsed = parsed
        self._code = code
        self._base = labels
        self._labels = labels
        self._divisions: list[tuple[int, str]] = []
        self._sections: list[_OpenSection] = []
        self._headings: list[Block] = []
        self._place = "text"  # of text outside of sections
        self._open: _OpenSection | None = None
        self._recital: int | None = None  # the last one, from "Whereas:" to the first division
        self._amended: _OpenSection | None = None  # the section whose State amendments are being read

    def outline(self) -> Outline:
        found_sections = find_sections(self._parsed)
        sections, contents, amended = found_sections.headings, found_sections.contents.lines, found_sections.amended
        title_of_last: Division | None = None
        untitled: SectionHeading | None = None
        for place, line in enumerate(self._parsed.lines):
            text = line_text(self._parsed, line)
            marked = line.level is not None
            if place in contents:
                self._open = None  # text before and after the contents is not joined
                self._headings.append(Block("heading", line.span, self._base, (), line.page))
            elif self._recital is not None and place not in sections and self._is_recital(line, text):
                title_of_last = untitled = None
            elif place in amended:
                self._amendment(line, text)
                title_of_last = untitled = None
            elif place in sections:
                self._section(line, text, sections[place])
                untitled = (
                    sections[place] if sections[place].title is None and sections[place].end == len(text) else None
                )
                title_of_last = None
            elif found := parse_division(text, marked) or parse_division_above_articles(text):
                self._division(line, text, found)
                title_of_last, untitled = (None if found.title else found), None
            elif (
                (self._parsed.layout or (text.isupper() and line.after_blank))
                and place + 1 in sections
                and not title_of_last
                and is_group_heading(text)
            ):
                self._division(line, text, Division(_GROUP, text, "", None))
                title_of_last = untitled = None
            elif title_of_last and is_heading_title(text):
                self._set_division_title(line, text)
                title_of_last = None
            elif untitled and self._open and is_heading_title(text):
                self._set_section_title(line, text)
                untitled = None
            elif self._base.kind == "regulation" and _PART_CONTENTS_ENTRY.match(text) and word_count(text) <= 24:
                self._open = None
                self._headings.append(Block("heading", line.span, self._base, self._path(), line.page))
            elif self._base.kind == "regulation" and _PART_PREAMBLE.match(text):
                self._open = None
                self._body(line)
            elif line.level is not None and not self._is_within(line.level):
                self._division(line, text, Division(line.level + 1, text, "", None))
                title_of_last = untitled = None
            else:
                self._body(line)
                title_of_last = untitled = None
            if _WHEREAS.fullmatch(text) and not any(section.labels.section for section in self._sections):
                self._recital = 0
        return self._finished()

    def _is_within(self, level: int) -> bool:
        """Whether a heading of this level belongs to the open section: "### Explanation" below "## Section 420"."""
        return self._open is not None and self._open.level is not None and level > self._open.level

    def _path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._divisions)

    def _section(self, line: ParsedLine, text: str, heading: SectionHeading) -> None:
        labels = replace(self._labels, section=heading.number, title=heading.title)
        self._open = _OpenSection(
            labels,
            (*self._path(), _section_path_name(text[: heading.end].strip(), heading)),
            line.level,
            [line],
            heading.end < len(text),
            heading.number,
        )
        self._amended = None
        self._sections.append(self._open)

    def _is_recital(self, line: ParsedLine, text: str) -> bool:
        """Adds a line to its recital (numbered "(1)" and so on); returns whether it belongs to the recitals."""
        found = _RECITAL.match(text)
        if found and int(found[1]) == (self._recital or 0) + 1:
            self._recital = int(found[1])
            name = f"Recital {self._recital}"
            labels = replace(self._base, section=name, title=name, chapter="Recitals")
            self._open = _OpenSection(labels, ("Recitals", name), None, [line], True, f"R{self._recital}")
            self._sections.append(self._open)
            return True
        if parse_division(text, False) or not self._recital or text.isupper() or _ENACTS.match(text):
            self._open = None if self._recital else self._open
            self._recital = None if self._recital else self._recital
            return False
        self._body(line)
        return True

    def _amendment(self, line: ParsedLine, text: str) -> None:
        """Adds a line of State amendments as a unit below the section they follow, one unit per State."""
        self._amended = self._amended or self._open
        above = self._amended.path if self._amended else self._path()
        place = (
            f"{self._amended.place}_{camel_case_id_part(STATE_AMENDMENT)}"
            if self._amended
            else camel_case_id_part(STATE_AMENDMENT)
        )
        state = parse_state_name(text)
        if is_amendments_heading(text) or state:
            if is_amendments_heading(text):
                self._headings.append(Block("heading", line.span, self._base, above, line.page))
            path = (*above, STATE_AMENDMENT, *((state,) if state else ()))
            title = ": ".join(path[len(above) :])
            self._open = _OpenSection(replace(self._labels, title=title), path, place=place)
            self._sections.append(self._open)
            if state:
                self._open.lines.append(line)
            return
        self._body(line)

    def _division(self, line: ParsedLine, text: str, found: Division) -> None:
        self._open = self._amended = None
        self._divisions = [(rank, above) for rank, above in self._divisions if rank < found.rank]
        self._headings.append(Block("heading", line.span, self._base, self._path(), line.page))
        self._divisions.append((found.rank, text))
        if text == NOTES_HEADING:
            self._labels, self._place = self._base, "notes"
        elif found.word == "Schedule":
            self._place = camel_case_id_part(f"{found.word} {found.number}")
        if found.number and found.word != "Section":
            chapter = found.number if found.word in ("Chapter", "अध्याय") else f"{found.word} {found.number}"
            self._labels = replace(self._base, chapter=chapter, chapter_title=found.title)

    def _set_division_title(self, line: ParsedLine, text: str) -> None:
        rank, above = self._divisions[-1]
        self._divisions[-1] = (rank, f"{above}: {text}")
        self._labels = replace(self._labels, chapter_title=text)
        self._headings.append(Block("heading", line.span, self._base, self._path(), line.page))

    def _set_section_title(self, line: ParsedLine, text: str) -> None:
        if self._open:
            self._open.labels = replace(self._open.labels, title=text.rstrip(" .:"))
            self._open.path = (*self._open.path[:-1], f"{self._open.path[-1]}: {text}")
            self._open.lines.append(line)

    def _body(self, line: ParsedLine) -> None:
        if self._open is None:
            self._open = _OpenSection(self._labels, self._path(), place=self._place)
            self._sections.append(self._open)
        self._open.lines.append(line)
        self._open.body = True

    def _finished(self) -> Outline:
        units: list[Unit] = []
        # A heading without text is a section only if no section of that number has text, and then its last occurrence.
        with_body = {section.labels.section for section in self._sections if section.body}
        last = {section.labels.section: at for at, section in enumerate(self._sections)}
        for at, section in enumerate(self._sections):
            if not section.lines:
                continue
            number = section.labels.section
            contents_entry = not section.body and (number in with_body or last[number] > at)
            title_page = number is None and all(
                _is_title_page_line(line_text(self._parsed, line)) for line in section.lines
            )
            # Asterisks mark omitted text: there is nothing to cite in them.
            empty = not any(char.isalnum() for line in section.lines for char in line_text(self._parsed, line))
            if contents_entry or empty or (title_page and section.place == "text"):
                self._headings += [
                    Block("heading", line.span, self._base, section.path, line.page) for line in section.lines
                ]
            else:
                block = block_from_lines("paragraph", section.lines, section.labels, section.path)
                units.append(Unit(block, self._code, section.place))
        if not units and self._sections:
            lines = [line for section in self._sections for line in section.lines]
            units.append(Unit(block_from_lines("paragraph", lines, self._base), self._code, "text"))
            self._headings = []
        return Outline(tuple(units), tuple(self._headings))


def _is_title_page_line(text: str) -> bool:
    """Whether a line is short and not a sentence: title-page lines are not cited, sentences are."""
    return word_count(text) < _MAX_TITLE_PAGE_WORDS and not (
        _SENTENCE.search(text) and len(_LOWER.findall(text)) >= _MIN_SENTENCE_LOWER_WORDS
    )


def _section_path_name(text: str, heading: SectionHeading) -> str:
    """The name of a section in a path: its heading, with the number added if the heading lacks it."""
    return text if any(char.isdigit() for char in text) or not heading.title else f"{heading.number}. {text}"
