"""The structure of acts and regulations: divisions, and sections with their numbers and titles."""

import re
from dataclasses import dataclass, field, replace

from footnotary.domain.document import Block, Labels
from footnotary.ingest.act_amendments import AMENDMENT, opens_amendments, state_named
from footnotary.ingest.act_headings import (
    Division,
    SectionHeading,
    above_articles,
    division,
    is_title,
    named_section,
    names_a_group,
    numbered_section,
)
from footnotary.ingest.act_sections import sections_of
from footnotary.ingest.names import name_part
from footnotary.ingest.outline import NOTES, Outline, Unit, block_of, text_of, word_count
from footnotary.ingest.parsed import Line, Parsed

_GROUP = 3  # below parts, chapters and what a format marks as headings
_WHEREAS = re.compile(r"(?:Whereas|WHEREAS):?")
_RECITAL = re.compile(r"\((\d{1,3})\)(?=\s|$)")
_ENACTS = re.compile(r"(?:HAS|HAVE) ADOPTED\b")
_ENTRY_OF_A_PART = re.compile(r"\d{1,4}\.\d{1,4}[a-z]?\s+[A-Z\[]")  # section headings have the § sign
_SHORT = 9
_SENTENCE = re.compile(r"[.:;!?।]\s*$")
_LOWER = re.compile(r"(?<![\w'’])[a-z\u0904-\u0939][\w\u0900-\u097f'’]+")
_OF_A_SENTENCE = 3  # lower-case words; "An Act to amend the law." is short, and is still a sentence
_OF_THE_PART = re.compile(r"(?:AUTHORITY|Authority|SOURCE|Source): ")  # it follows the table of contents of a part


@dataclass(slots=True)
class _Open:
    """A section being built."""

    labels: Labels
    path: tuple[str, ...]
    level: int | None = None  # heading level, if the format marks headings
    lines: list[Line] = field(default_factory=list[Line])
    body: bool = False
    place: str = "text"


def act_outline(parsed: Parsed, labels: Labels, code: str) -> Outline:
    """One unit per section, from its heading to the next; text before the first section is a unit of its own."""
    return _Reader(parsed, labels, code).outline()


def section_count(parsed: Parsed) -> int:
    """How many lines look like section headings, whatever the kind of document."""
    return len(sections_of(parsed).headings)


def sure_section_count(parsed: Parsed) -> int:
    """How many of them are unambiguous ("Section 3", a dash after the title): any list has "3." before a sentence."""
    texts = (text_of(parsed, parsed.lines[at]) for at in sections_of(parsed).headings)
    return sum(bool(named_section(text, False) or numbered_section(text, True)) for text in texts)


class _Reader:
    def __init__(self, parsed: Parsed, labels: Labels, code: str) -> None:
        self._parsed = parsed
        self._code = code
        self._base = labels
        self._labels = labels
        self._divisions: list[tuple[int, str]] = []
        self._sections: list[_Open] = []
        self._headings: list[Block] = []
        self._place = "text"  # of text outside of sections
        self._open: _Open | None = None
        self._recital: int | None = None  # the last one, from "Whereas:" to the first division
        self._amended: _Open | None = None  # the section whose State amendments are being read

    def outline(self) -> Outline:
        found_sections = sections_of(self._parsed)
        sections, contents, amended = found_sections.headings, found_sections.contents.lines, found_sections.amended
        title_of_last: Division | None = None
        untitled: SectionHeading | None = None
        for place, line in enumerate(self._parsed.lines):
            text = text_of(self._parsed, line)
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
            elif found := division(text, marked) or above_articles(text):
                self._division(line, text, found)
                title_of_last, untitled = (None if found.title else found), None
            elif (
                (self._parsed.layout or (text.isupper() and line.after_blank))
                and place + 1 in sections
                and not title_of_last
                and names_a_group(text)
            ):
                self._division(line, text, Division(_GROUP, text, "", None))
                title_of_last = untitled = None
            elif title_of_last and is_title(text):
                self._entitle_division(line, text)
                title_of_last = None
            elif untitled and self._open and is_title(text):
                self._entitle_section(line, text)
                untitled = None
            elif self._base.kind == "regulation" and _ENTRY_OF_A_PART.match(text) and word_count(text) <= 24:
                self._open = None
                self._headings.append(Block("heading", line.span, self._base, self._path(), line.page))
            elif self._base.kind == "regulation" and _OF_THE_PART.match(text):
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

    def _section(self, line: Line, text: str, heading: SectionHeading) -> None:
        labels = replace(self._labels, section=heading.number, title=heading.title)
        self._open = _Open(
            labels,
            (*self._path(), _named(text[: heading.end].strip(), heading)),
            line.level,
            [line],
            heading.end < len(text),
            heading.number,
        )
        self._amended = None
        self._sections.append(self._open)

    def _is_recital(self, line: Line, text: str) -> bool:
        """Adds a line to its recital (numbered "(1)" and so on); returns whether it belongs to the recitals."""
        found = _RECITAL.match(text)
        if found and int(found[1]) == (self._recital or 0) + 1:
            self._recital = int(found[1])
            name = f"Recital {self._recital}"
            labels = replace(self._base, section=name, title=name, chapter="Recitals")
            self._open = _Open(labels, ("Recitals", name), None, [line], True, f"R{self._recital}")
            self._sections.append(self._open)
            return True
        if division(text, False) or not self._recital or text.isupper() or _ENACTS.match(text):
            self._open = None if self._recital else self._open
            self._recital = None if self._recital else self._recital
            return False
        self._body(line)
        return True

    def _amendment(self, line: Line, text: str) -> None:
        """Adds a line of State amendments as a unit below the section they follow, one unit per State."""
        self._amended = self._amended or self._open
        above = self._amended.path if self._amended else self._path()
        place = f"{self._amended.place}_{name_part(AMENDMENT)}" if self._amended else name_part(AMENDMENT)
        state = state_named(text)
        if opens_amendments(text) or state:
            if opens_amendments(text):
                self._headings.append(Block("heading", line.span, self._base, above, line.page))
            path = (*above, AMENDMENT, *((state,) if state else ()))
            title = ": ".join(path[len(above) :])
            self._open = _Open(replace(self._labels, title=title), path, place=place)
            self._sections.append(self._open)
            if state:
                self._open.lines.append(line)
            return
        self._body(line)

    def _division(self, line: Line, text: str, found: Division) -> None:
        self._open = self._amended = None
        self._divisions = [(rank, above) for rank, above in self._divisions if rank < found.rank]
        self._headings.append(Block("heading", line.span, self._base, self._path(), line.page))
        self._divisions.append((found.rank, text))
        if text == NOTES:
            self._labels, self._place = self._base, "notes"
        elif found.word == "Schedule":
            self._place = name_part(f"{found.word} {found.number}")
        if found.number and found.word != "Section":
            chapter = found.number if found.word in ("Chapter", "अध्याय") else f"{found.word} {found.number}"
            self._labels = replace(self._base, chapter=chapter, chapter_title=found.title)

    def _entitle_division(self, line: Line, text: str) -> None:
        rank, above = self._divisions[-1]
        self._divisions[-1] = (rank, f"{above}: {text}")
        self._labels = replace(self._labels, chapter_title=text)
        self._headings.append(Block("heading", line.span, self._base, self._path(), line.page))

    def _entitle_section(self, line: Line, text: str) -> None:
        if self._open:
            self._open.labels = replace(self._open.labels, title=text.rstrip(" .:"))
            self._open.path = (*self._open.path[:-1], f"{self._open.path[-1]}: {text}")
            self._open.lines.append(line)

    def _body(self, line: Line) -> None:
        if self._open is None:
            self._open = _Open(self._labels, self._path(), place=self._place)
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
            title_page = number is None and all(_may_be_a_title(text_of(self._parsed, line)) for line in section.lines)
            # Asterisks mark omitted text: there is nothing to cite in them.
            empty = not any(char.isalnum() for line in section.lines for char in text_of(self._parsed, line))
            if contents_entry or empty or (title_page and section.place == "text"):
                self._headings += [
                    Block("heading", line.span, self._base, section.path, line.page) for line in section.lines
                ]
            else:
                block = block_of("paragraph", section.lines, section.labels, section.path)
                units.append(Unit(block, self._code, section.place))
        if not units and self._sections:
            lines = [line for section in self._sections for line in section.lines]
            units.append(Unit(block_of("paragraph", lines, self._base), self._code, "text"))
            self._headings = []
        return Outline(tuple(units), tuple(self._headings))


def _may_be_a_title(text: str) -> bool:
    """Whether a line is short and not a sentence: title-page lines are not cited, sentences are."""
    return word_count(text) < _SHORT and not (_SENTENCE.search(text) and len(_LOWER.findall(text)) >= _OF_A_SENTENCE)


def _named(text: str, heading: SectionHeading) -> str:
    """The name of a section in a path: its heading, with the number added if the heading lacks it."""
    return text if any(char.isdigit() for char in text) or not heading.title else f"{heading.number}. {text}"
