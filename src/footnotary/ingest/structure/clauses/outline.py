"""The units of a contract or filing: one for each clause, item or note that has text."""

from dataclasses import replace

from footnotary.domain.document import Block, Labels
from footnotary.ingest.parsed_document import ParsedFile
from footnotary.ingest.structure.clauses.contracts import contract_marks, contract_title
from footnotary.ingest.structure.clauses.filings import filing_marks, filing_title
from footnotary.ingest.structure.clauses.marks import DivisionStart
from footnotary.ingest.structure.outline import Outline, Unit, block_from_lines, line_text, word_count

_MIN_STANDALONE_WORDS = 5


def find_clauses(parsed: ParsedFile) -> list[DivisionStart]:
    """The marks of a contract or filing; empty if the text is neither, or it is not certain."""
    lines = [line_text(parsed, line) for line in parsed.lines]
    return filing_marks(lines) or contract_marks(lines)


def clause_title(parsed: ParsedFile) -> str | None:
    """What the top of a contract or filing calls it."""
    lines = [line_text(parsed, line) for line in parsed.lines]
    return filing_title(lines) if filing_marks(lines) else contract_title(lines) if contract_marks(lines) else None


def build_clause_outline(
    parsed: ParsedFile, marks: list[DivisionStart], labels: Labels, code: str, title: str | None = None
) -> Outline:
    """The outline by these marks; what is above the first of them is a unit of its own.

    The document's `title` is the outermost heading of each unit: it names the parties or the flat.
    """
    whole = (title,) if title else ()
    units: list[Unit] = []
    headings: list[Block] = []
    above: list[DivisionStart] = []
    starts = [mark.line for mark in marks]
    if starts[0]:
        top = replace(labels, title=labels.title or title)
        units.append(Unit(block_from_lines("paragraph", parsed.lines[: starts[0]], top, whole), code, "text"))
    for at, (mark, end) in enumerate(zip(marks, [*starts[1:], len(parsed.lines)], strict=True)):
        above = [one for one in above if one.level < mark.level]
        lines = parsed.lines[mark.line : end]
        path = (*whole, *(one.heading for one in (*above, mark)))
        above.append(mark)
        contains_next = at + 1 < len(marks) and marks[at + 1].level > mark.level
        is_short = word_count(line_text(parsed, lines[0])) < _MIN_STANDALONE_WORDS
        if len(lines) == 1 and mark.is_heading and (contains_next or is_short):  # part of the path of what it contains
            headings.append(Block("heading", lines[0].span, labels, path[:-1], lines[0].page))
            continue
        own = mark.heading if mark.heading != mark.number or not above[:-1] else above[-2].heading
        section = mark.number if mark.number[0].isdigit() else None  # "Item 1A" and "Article IV" are in the title
        named = replace(labels, section=section, title=own)
        units.append(Unit(block_from_lines("paragraph", lines, named, path), code, mark.place))
    return Outline(tuple(units), tuple(headings))
