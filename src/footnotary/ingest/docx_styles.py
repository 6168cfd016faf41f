"""Word's paragraph styles and notes, which are stored in parts of their own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from footnotary.domain.identity import Span
from footnotary.ingest.docx_xml import OFF, STRUCK, attribute, prefix_of
from footnotary.ingest.html_scan import scan

NOTES = {"footnote": "Footnote", "endnote": "Endnote"}
_HEADING_NAME = re.compile(r"(?:heading|überschrift|titre|शीर्षक) ?([1-9])", re.I)


@dataclass(frozen=True, slots=True)
class Style:
    """A style's own properties: heading `level` from 1, list and depth for numbering, hidden, struck through."""

    name: str = ""
    level: int | None = None
    based_on: str = ""
    number: tuple[str, int] | None = None
    hides: bool | None = None
    strikes: bool | None = None

    def level_among(self, styles: "Mapping[str, Style]") -> int | None:
        """The heading level of its paragraphs: its own, or inherited from the style it is based on."""
        return next((style.level for style in self._based_on(styles) if style.level is not None), None)

    def number_among(self, styles: "Mapping[str, Style]") -> tuple[str, int] | None:
        """The list and depth of its paragraphs: its own, or inherited from the style it is based on."""
        return next((style.number for style in self._based_on(styles) if style.number is not None), None)

    def hides_among(self, styles: "Mapping[str, Style]") -> bool:
        """Whether its text is hidden, by itself or inherited from the style it is based on."""
        return next((style.hides for style in self._based_on(styles) if style.hides is not None), False)

    def strikes_among(self, styles: "Mapping[str, Style]") -> bool:
        """Whether its text is struck through, by itself or inherited from the style it is based on."""
        return next((style.strikes for style in self._based_on(styles) if style.strikes is not None), False)

    def _based_on(self, styles: "Mapping[str, Style]") -> "Iterator[Style]":
        style = self
        for _ in range(10):  # a style may be based on itself
            yield style
            if not style.based_on:
                return
            style = styles.get(style.based_on, Style())


def read_styles(xml: str) -> Mapping[str, Style]:
    """The styles by id, each with its own properties; headings are found by name or outline level."""
    prefix = prefix_of(xml)
    styles: dict[str, Style] = {}
    name = level = based_on = own_id = numbered = None
    depth, hides, strikes = 0, None, None
    for token in scan(xml):
        tag = token.name.removeprefix(prefix)
        if tag == "style":
            if token.kind == "open":
                own_id, name, level, based_on, numbered, depth = attribute(xml, token, "styleId"), "", None, "", None, 0
                hides = strikes = None
            elif own_id is not None:
                found = _HEADING_NAME.fullmatch(name or "")
                number = (numbered, depth) if numbered else None
                own_level = int(found[1]) if found else level
                styles[own_id] = Style(name or "", own_level, based_on or "", number, hides, strikes)
        elif token.kind == "open":
            value = attribute(xml, token, "val")
            if tag == "name":
                name = value
            elif tag == "basedon":
                based_on = value
            elif tag == "outlinelvl" and value in tuple("012345678"):
                level = int(value) + 1
            elif tag == "numid":
                numbered = value
            elif tag == "vanish":
                hides = value not in OFF
            elif tag in STRUCK:
                strikes = value not in OFF
            elif tag == "ilvl" and value.isdecimal():
                depth = int(value[:2])
    return styles


def read_notes(xml: str, base: int) -> dict[tuple[str, str], Span]:
    """The notes of a part by kind and id, as spans of the concatenated text, in which the part begins at `base`."""
    prefix = prefix_of(xml)
    notes: dict[tuple[str, str], Span] = {}
    kind = number = ""
    begin = 0
    for token in scan(xml):
        tag = token.name.removeprefix(prefix)
        if tag in NOTES and token.kind == "open":
            # Separators are rules that Word draws above notes; they have a type, notes have none.
            kind = "" if attribute(xml, token, "type") not in ("", "normal") else tag
            number, begin = attribute(xml, token, "id"), token.end
        elif tag in NOTES and kind == tag:
            notes[kind, number] = Span(base + begin, base + token.start)
            kind = ""
    return notes
