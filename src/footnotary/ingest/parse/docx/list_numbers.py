"""Automatic paragraph numbers, which Word shows but does not store: counted as Word counts them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from footnotary.ingest.parse.docx.xml import attribute_value, namespace_prefix
from footnotary.ingest.parse.html.scanner import tokenize_html
from footnotary.ingest.parse.list_number_format import format_list_number

_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How one level of a list counts: its start, number format, and the text around it ("%1.%2").

    If `is_legal`, the levels above it are written as decimals too: Article IV, and Section 4.01 below it.
    """

    start: int = 1
    figures: str = "decimal"
    text: str = ""
    is_legal: bool = False


@dataclass(slots=True)
class ListNumbering:
    """The lists of a document and the current count of each.

    Several lists may share one count; `starts` says where a list, at a depth, restarts nevertheless.
    """

    lists: Mapping[str, str]
    levels: Mapping[tuple[str, int], ListLevel]
    starts: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    _counts: dict[str, list[int | None]] = field(default_factory=dict[str, list[int | None]])
    _begun: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])

    def next(self, number: str, depth: int) -> str:
        """The number of the next paragraph of list `number` at this depth, with a trailing blank; bullets are "• "."""
        list_id = self.lists.get(number)
        if list_id is None or depth > 8:
            return ""
        counts = self._counts.setdefault(list_id, [None] * 9)
        level = self._level(list_id, depth)
        here = counts[depth]
        if (number, depth) in self.starts and (here is None or (number, depth) not in self._begun):
            counts[depth] = self.starts[number, depth]
        else:
            counts[depth] = level.start if here is None else here + 1
        self._begun.add((number, depth))
        counts[depth + 1 :] = [None] * (8 - depth)
        if level.figures == "bullet":
            return "• "
        if level.figures == "none":
            return ""

        def figure(place: re.Match[str]) -> str:
            at = int(place[1]) - 1
            counted = self._level(list_id, at)
            count = counts[at]
            figures = "decimal" if level.is_legal and counted.figures != "decimalZero" else counted.figures
            return format_list_number(counted.start if count is None else count, figures)

        written = _PLACE.sub(figure, level.text)
        return f"{written} " if written.strip() else ""

    def _level(self, list_id: str, depth: int) -> ListLevel:
        return self.levels.get((list_id, depth), ListLevel())


def read_numbering(xml: str) -> ListNumbering:
    """The lists that `word/numbering.xml` defines."""
    prefix = namespace_prefix(xml)
    lists: dict[str, str] = {}
    levels: dict[tuple[str, int], ListLevel] = {}
    starts: dict[tuple[str, int], int] = {}
    linked: dict[str, str] = {}  # lists that link to others, and their targets by style name
    defined: dict[str, str] = {}
    list_id, number, depth, start, figures, text, is_legal = "", "", 0, 1, "decimal", "", False
    for token in tokenize_html(xml):
        tag = token.name.removeprefix(prefix)
        opens = token.kind == "open"
        if tag == "abstractnum" and opens:
            list_id = attribute_value(xml, token, "abstractNumId")
        elif tag == "num" and opens:
            number, list_id = attribute_value(xml, token, "numId"), ""
        elif tag == "abstractnumid" and opens:
            lists[number] = attribute_value(xml, token, "val")
        elif tag == "lvl" and opens:
            value = attribute_value(xml, token, "ilvl")
            depth, start, figures, text = int(value[:2]) if value.isdecimal() else 0, 1, "decimal", ""
            is_legal = False
        elif tag == "lvl" and list_id:
            levels[list_id, depth] = ListLevel(start, figures, text, is_legal)
        elif tag == "lvloverride" and opens:
            value = attribute_value(xml, token, "ilvl")
            depth = int(value[:2]) if value.isdecimal() else 0
        elif opens:
            value = attribute_value(xml, token, "val")
            if tag == "start" and value.isdecimal():
                start = int(value[:6])
            elif tag == "numfmt":
                figures = value
            elif tag == "lvltext":
                text = value[:40]
            elif tag == "islgl":
                is_legal = value not in ("0", "false", "off")
            elif tag == "startoverride" and value.isdecimal():
                starts[number, depth] = int(value[:6])
            elif tag == "numstylelink":
                linked[list_id] = value
            elif tag == "stylelink":
                defined[value] = list_id
    lists = {num: defined.get(linked.get(held, ""), held) for num, held in lists.items()}
    return ListNumbering(lists, levels, starts)
