"""The structure of acts and regulations: divisions, and sections with their numbers and titles."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from footnotary.domain.document import Block, Labels
from footnotary.ingest.act_front import contents_lines
from footnotary.ingest.act_headings import (
    Division,
    SectionHeading,
    division,
    leading_number,
    named_section,
    numbered_section,
)
from footnotary.ingest.outline import NOTES, Outline, Unit, block_of, text_of, word_count
from footnotary.ingest.parsed import Line, Parsed

_Finder = Callable[[str, bool], SectionHeading | None]
_GROUP = 3  # below parts, chapters and what a format marks as headings
_FARTHEST_JUMP = 60  # sections are left out, but not by the hundred: "1948. ..." is a year


@dataclass(slots=True)
class _Open:
    """A section being read."""

    labels: Labels
    path: tuple[str, ...]
    level: int | None = None  # that of its heading, where the format marks headings
    lines: list[Line] = field(default_factory=list[Line])
    body: bool = False


def act_outline(parsed: Parsed, labels: Labels, code: str) -> Outline:
    """One unit per section, from its heading to the next; what stands before the first section is its own unit."""
    return _Reader(parsed, labels, code).outline()


def section_count(parsed: Parsed) -> int:
    """How many lines of the file read as headings of sections, whatever its kind."""
    return sum(1 for heading in _headings(parsed).values() if heading)


def _headings(parsed: Parsed) -> dict[int, SectionHeading]:
    """The section headings by line, all in the one style that the document uses."""
    found = _found(parsed, named_section)
    if found:
        return found
    dashed = _rising(_found(parsed, lambda line, _: numbered_section(line, True)))
    plain = _rising(_found(parsed, lambda line, _: numbered_section(line, False)))
    return dashed if len(dashed) >= 2 or not plain else plain


def _found(parsed: Parsed, finder: _Finder) -> dict[int, SectionHeading]:
    found: dict[int, SectionHeading] = {}
    contents = contents_lines(parsed)
    for place, line in enumerate(parsed.lines):
        if place in contents:
            continue
        text = text_of(parsed, line)
        # A line that goes on with a sentence begins no section, whatever its first word; a page's lines are paragraphs.
        goes_on = (
            parsed.layout is None
            and not line.after_blank
            and line.level is None
            and text_of(parsed, parsed.lines[place - 1])[-1:] not in ".;:!?।—–-)]\"”'’"
            and (place - 1) not in found
            and not division(text_of(parsed, parsed.lines[place - 1]), False)
            and not text_of(parsed, parsed.lines[place - 1]).isupper()
        )
        if not goes_on and (heading := finder(text, line.level is not None)):
            found[place] = heading
    return found


def _rising(found: dict[int, SectionHeading]) -> dict[int, SectionHeading]:
    """Only numbers that go up: a list within a section starts again at 1 and is no section."""
    kept: dict[int, SectionHeading] = {}
    last = 0
    for place, heading in found.items():
        number = leading_number(heading.number)
        if last <= number <= last + _FARTHEST_JUMP and (number, heading.number) != (last, str(last)):
            kept[place] = heading
            last = number
    return kept


class _Reader:
    def __init__(self, parsed: Parsed, labels: Labels, code: str) -> None:
        self._parsed = parsed
        self._code = code
        self._base = labels
        self._labels = labels
        self._divisions: list[tuple[int, str]] = []
        self._sections: list[_Open] = []
        self._headings: list[Block] = []
        self._open: _Open | None = None

    def outline(self) -> Outline:
        sections = _headings(self._parsed)
        contents = contents_lines(self._parsed)
        title_of_last: Division | None = None
        untitled: SectionHeading | None = None
        for place, line in enumerate(self._parsed.lines):
            text = text_of(self._parsed, line)
            marked = line.level is not None
            if place in contents:
                self._headings.append(Block("heading", line.span, self._base, (), line.page))
            elif place in sections:
                self._section(line, text, sections[place])
                untitled = (
                    sections[place] if sections[place].title is None and sections[place].end == len(text) else None
                )
                title_of_last = None
            elif found := division(text, marked):
                self._division(line, text, found)
                title_of_last, untitled = (None if found.title else found), None
            elif self._parsed.layout and place + 1 in sections and not title_of_last and _names_a_group(text):
                self._division(line, text, Division(_GROUP, text, "", None))
                title_of_last = untitled = None
            elif title_of_last and _is_title(text):
                self._entitle_division(line, text)
                title_of_last = None
            elif untitled and self._open and _is_title(text):
                self._entitle_section(line, text)
                untitled = None
            elif line.level is not None and not self._is_within(line.level):
                self._division(line, text, Division(line.level + 1, text, "", None))
                title_of_last = untitled = None
            else:
                self._body(line)
                title_of_last = untitled = None
        return self._finished()

    def _is_within(self, level: int) -> bool:
        """Whether a heading of this level belongs to the open section: "### Explanation" below "## Section 420"."""
        return self._open is not None and self._open.level is not None and level > self._open.level

    def _path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self._divisions)

    def _section(self, line: Line, text: str, heading: SectionHeading) -> None:
        labels = replace(self._labels, section=heading.number, title=heading.title)
        self._open = _Open(
            labels, (*self._path(), text[: heading.end].strip()), line.level, [line], heading.end < len(text)
        )
        self._sections.append(self._open)

    def _division(self, line: Line, text: str, found: Division) -> None:
        self._open = None
        self._divisions = [(rank, above) for rank, above in self._divisions if rank < found.rank]
        self._headings.append(Block("heading", line.span, self._base, self._path(), line.page))
        self._divisions.append((found.rank, text))
        if text == NOTES:
            self._labels = self._base
        if found.number:
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
            self._open = _Open(self._labels, self._path())
            self._sections.append(self._open)
        self._open.lines.append(line)
        self._open.body = True

    def _finished(self) -> Outline:
        units: list[Unit] = []
        with_body = {section.labels.section for section in self._sections if section.body}
        for section in self._sections:
            number = section.labels.section
            contents_entry = not section.body and number in with_body
            title_page = number is None and all(word_count(text_of(self._parsed, line)) < 9 for line in section.lines)
            notes = section.path[-1:] == (NOTES,)
            if contents_entry or (title_page and not notes):
                self._headings += [Block("heading", at.span, self._base, section.path, at.page) for at in section.lines]
            else:
                block = block_of("paragraph", section.lines, section.labels, section.path)
                units.append(Unit(block, self._code, number or ("notes" if notes else "text")))
        if not units and self._sections:
            lines = [line for section in self._sections for line in section.lines]
            units.append(Unit(block_of("paragraph", lines, self._base), self._code, "text"))
            self._headings = []
        return Outline(tuple(units), tuple(self._headings))


def _names_a_group(text: str) -> bool:
    """ "Of cheating", printed between two sections, names those that follow; it is no text of the one before."""
    return (
        word_count(text) <= 14
        and text[:1].isupper()
        and (text[-1:].isalpha() or text[-1:] in ")’”")
        and not text.lower().startswith(("illustration", "explanation", "exception", "proviso"))
    )


def _is_title(text: str) -> bool:
    """A short line that is no sentence and opens no subsection: the title below "CHAPTER II" or "Article 17"."""
    return (
        word_count(text) <= 18
        and not text.startswith(("(", "1."))
        and not text.rstrip().endswith((";", ",", ":"))
        and (text.isupper() or not text.rstrip().endswith("."))
    )
