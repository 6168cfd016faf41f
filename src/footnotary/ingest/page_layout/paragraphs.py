"""Groups lines into paragraphs, table rows and footnotes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from footnotary.ingest.page_layout.reading_order import CellLines, TextLine
from footnotary.ingest.page_layout.unruled_tables import find_unruled_rows
from footnotary.ingest.page_layout.words import PageWord

_LIST_MARK = re.compile(
    r"(?:\d{0,2}\[)?(?:\([^()\s]{1,5}\)|\d{1,3}[A-Z]{0,2}[.)]|\d{1,4}\.\d{1,4}[a-z]?|[•▪◦●■»¢©–-])$"
)
_OPENING = re.compile(r"§|(?:Explanation|Illustration|Exception|Provided)\b")
_BEFORE_FOOTNOTE_REFERENCE = re.compile(r"[^\W\d_]{4}$|[.,;:”\"’\]]$")
_NOTE = re.compile(r"(\d{1,3}|[*†‡])\.?$")
_ENDS = re.compile(r"[.;:?!।—–][\"”’')\]]*$|\]$")
_CENTER_TOLERANCE_POINTS = 3.0  # points that centred lines differ in
_WORDS_BEFORE_NUMBER = frozenset("in under of and or with to by from see at per section sections".split())
_RULE = re.compile(r"[_\-–—=.·\s]{3,}")


@dataclass(frozen=True, slots=True)
class TextFlow:
    """Lines that are read as one: a paragraph, or, with `cells`, a table row. Page numbers count from 1.

    `after_gap`: the page leaves vertical space before it.
    """

    lines: tuple[tuple[int, TextLine], ...]
    starts_after_gap: bool
    cells: tuple[CellLines, ...] = ()


@dataclass(frozen=True, slots=True)
class _ColumnMargins:
    """The edges of one column, and its line pitch relative to the font size."""

    left: float
    right: float
    pitch: float


def split_off_footnotes(lines: Sequence[TextLine]) -> tuple[list[TextLine], list[TextLine], frozenset[str]]:
    """The text of a page, the footnotes of its columns, and their numbers.

    Footnotes are smaller than the text, and the first has a number that is a superscript in the text above.
    """
    called = {mark for line in lines for mark in _footnote_references(line.words)}
    if not called:
        return list(lines), [], frozenset()
    text: list[TextLine] = []
    notes: list[TextLine] = []
    for column in dict.fromkeys(line.column for line in lines):
        inside = [line for line in lines if line.column == column]
        start = _first_footnote_line(inside, called)
        text += inside[:start]
        notes += inside[start:]
    return text, notes, frozenset(number for line in notes if (number := _footnote_number(line)))


def _footnote_references(words: Sequence[PageWord]) -> Iterator[str]:
    """Superscript numbers after a word or before a bracket; after "x" or ")" they are powers."""
    for at, word in enumerate(words):
        if word.raised and _NOTE.fullmatch(word.text):
            before = words[at - 1].text if at else ""
            after = words[at + 1].text if at + 1 < len(words) else ""
            if _BEFORE_FOOTNOTE_REFERENCE.search(before) or after.startswith(("[", "*")) or not word.text.isdigit():
                yield word.text


def _first_footnote_line(lines: Sequence[TextLine], called: set[str]) -> int:
    """The index of the first footnote line of a column."""
    start = len(lines)
    # From the bottom up: while lines are no larger than the last one, the notes may begin further up.
    for at in range(len(lines) - 1, 0, -1):
        if lines[at].size > 1.06 * lines[-1].size:
            break
        if _footnote_number(lines[at]) in called:
            start = at
    if start == len(lines):
        return start
    above, widest = lines[start - 1], max(line.right - line.left for line in lines)
    if above.right - above.left < 0.6 * widest and not _ENDS.search(above.text) and len(above.words) < 6:
        return len(lines)  # a list of references under its heading
    smaller = lines[start].size <= 0.95 * max(line.size for line in lines[:start])
    return start if smaller or _has_gap_above(lines, start) else len(lines)


def _footnote_number(line: TextLine) -> str | None:
    """ "1. Subs. by Act ..." is a note, "¹[304A. Causing death ..." is text that refers to one."""
    found = _NOTE.fullmatch(line.words[0].text)
    return found[1] if found and len(line.words) > 1 and line.words[1].text[0] not in "[(*" else None


def _has_gap_above(lines: Sequence[TextLine], at: int) -> bool:
    return lines[at - 1].foot - lines[at].foot > 2.2 * lines[at].size


def join_into_flows(pages: Sequence[Iterable[TextLine]]) -> Iterator[TextFlow]:
    """The lines of all pages, joined into paragraphs, also across columns and pages."""
    held: list[tuple[int, TextLine]] = []
    gap = True
    margins: dict[tuple[int, int], _ColumnMargins] = {}
    for number, page in enumerate(pages, start=1):
        lines = list(page)
        for column in {line.column for line in lines}:
            margins[number, column] = _measure_margins([line for line in lines if line.column == column])
        tables = find_unruled_rows(lines)
        row_ends = 0
        for at, line in enumerate(lines):
            if _RULE.fullmatch(line.text) or at < row_ends:
                continue
            if line.cells or at in tables:
                if held:
                    yield TextFlow(tuple(held), gap)
                    held = []
                follows = at == row_ends if at in tables else bool(at and lines[at - 1].cells)
                row_ends = at + (tables[at].lines if at in tables else 1)
                yield TextFlow(((number, line),), not follows or at == 0, line.cells or tables[at].cells)
                gap = True
                continue
            if held:
                break_, wide = _starts_new_flow(held, number, line, margins)
                if break_:
                    yield TextFlow(tuple(held), gap)
                    held, gap = [], wide
            held.append((number, line))
    if held:
        yield TextFlow(tuple(held), gap)


def _measure_margins(lines: Sequence[TextLine]) -> _ColumnMargins:
    lefts = Counter(round(line.left / 2) for line in lines)
    left = min((line.left for line in lines), default=0.0)
    usual = [edge * 2.0 for edge, times in lefts.items() if times >= max(2, 0.2 * len(lines))]
    rights = sorted(line.right for line in lines)
    pitches = sorted(gap for a, b in pairwise(lines) if 0 < (gap := (a.foot - b.foot) / max(a.size, b.size)) < 3)
    edge = min(usual, default=left)
    right = rights[int(0.9 * (len(rights) - 1))]
    if sum(1 for each in rights if abs(each - right) < _CENTER_TOLERANCE_POINTS) < max(
        4, 0.2 * len(rights)
    ):  # nothing is justified
        right = max(right, 2 * _column_center(lines, edge) - edge)
    return _ColumnMargins(edge, right, pitches[len(pitches) // 3] if pitches else 0)


def _column_center(lines: Sequence[TextLine], edge: float) -> float:
    """The centre of the column, from its centred lines: a list of short titles does not show its width.

    Centred lines have different lengths and one middle; 0 if there are none.
    """
    inset = sorted(((line.left + line.right) / 2, line.left) for line in lines if line.left - edge > 2 * line.size)
    best, group = (0, 0.0), list[tuple[float, float]]()
    for middle, left in inset:
        if group and middle - group[0][0] > _CENTER_TOLERANCE_POINTS:
            group = []
        group.append((middle, left))
        if len({round(each / 4) for _, each in group[-8:]}) > 1:
            best = max(best, (len(group), group[len(group) // 2][0]))
    return best[1]


def _starts_new_flow(
    held: Sequence[tuple[int, TextLine]], number: int, line: TextLine, margins: dict[tuple[int, int], _ColumnMargins]
) -> tuple[bool, bool]:
    """Whether `line` starts a new paragraph after the lines held, and whether there is a gap between them."""
    page, last = held[-1]
    here, there = margins[number, line.column], margins[page, last.column]
    size = max(line.size, last.size)
    if abs(line.size - last.size) > 0.12 * size:
        return True, True
    together = page == number and last.column == line.column
    pitch = (last.foot - line.foot) / size
    wide = together and pitch > max(1.3 * here.pitch, here.pitch + 0.2)
    # A line ends its paragraph if the next word would have fitted on it; centred lines do so as well.
    room = there.right - last.right
    # "§ 162.920" is never broken after its sign.
    first_word = line.words[:2] if not line.words[0].text.strip("§") else line.words[:1]
    ended_early = room > first_word[-1].at.right - line.left + 0.6 * size
    opens = bool(_LIST_MARK.match(line.words[0].text) or _OPENING.match(line.words[0].text))
    ended = bool(_ENDS.search(last.words[-1].text)) and not last.words[-1].hyphen
    if last.words[-1].hyphen:
        return False, False
    if wide or (_starts_section_heading(line) and last.words[-1].text.lower() not in _WORDS_BEFORE_NUMBER):
        return True, True
    indent = line.left - here.left
    indented = indent > 0.8 * size
    if together:
        deeper = line.left - last.left > 0.8 * size
        first_of_hanging = len(held) == 1 and _continues_hanging_indent(last, line)
        if ended_early and not (deeper and first_of_hanging and not ended):
            return True, False
        if (opens and (ended or indented)) or (indented and ended and len(held) == 1 and not deeper):
            return True, False
        return deeper and not first_of_hanging and (ended or len(held) > 1), False
    if ended_early or (opens and ended) or (indented and ended):
        return True, not line.text[:1].islower()
    if not ended:
        return False, False
    # A full last line that ends a sentence: the next column continues it unless paragraphs start without indent.
    return not _starts_indented(held) and not line.text[:1].islower(), True


def _continues_hanging_indent(first: TextLine, line: TextLine) -> bool:
    """Whether a line continues a list item with a hanging indent."""
    if len(first.words) < 2 or not _LIST_MARK.match(first.words[0].text):
        return False
    return abs(line.left - first.words[1].at.left) < 0.3 * first.size


def _starts_section_heading(line: TextLine) -> bool:
    """ "§ 160.102 Applicability." opens a section; "§ 160.102 and ..." is a sentence that continues."""
    return line.words[0].text in ("§", "§§") and len(line.words) > 2 and line.words[2].text[:1].isupper()


def _starts_indented(held: Sequence[tuple[int, TextLine]]) -> bool:
    """Whether the paragraph held starts with an indent, as the others of its text then do."""
    return len(held) > 1 and held[0][1].left - held[1][1].left > 0.8 * held[0][1].size
