"""Word's paragraph styles and notes, which are stored in parts of their own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from footnotary.domain.identity import Span
from footnotary.ingest.parse.docx.xml import FALSE_VALUES, STRIKE_TAGS, attribute_value, namespace_prefix
from footnotary.ingest.parse.html.scanner import tokenize_html

NOTE_LABELS = {"footnote": "Footnote", "endnote": "Endnote"}
_HEADING_NAME = re.compile(r"(?:heading|überschrift|titre|शीर्षक) ?([1-9])", re.I)


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """A style's own properties: heading `level` from 1, list and depth for numbering, hidden, struck through."""

    name: str = ""
    level: int | None = None
    based_on: str = ""
    number: tuple[str, int] | None = None
    hides: bool | None = None
    strikes: bool | None = None

    def effective_level(self, styles: "Mapping[str, ParagraphStyle]") -> int | None:
        """The heading level of its paragraphs: its own, or inherited from the style it is based on."""
        return next((style.level for style in self._based_on(styles) if style.level is not None), None)

    def effective_numbering(self, styles: "Mapping[str, ParagraphStyle]") -> tuple[str, int] | None:
        """The list and depth of its paragraphs: its own, or inherited from the style it is based on."""
        return next((style.number for style in self._based_on(styles) if style.number is not None), None)

    def effectively_hidden(self, styles: "Mapping[str, ParagraphStyle]") -> bool:
        """Whether its text is hidden, by itself or inherited from the style it is based on."""
        return next((style.hides for style in self._based_on(styles) if style.hides is not None), False)

    def effectively_struck(self, styles: "Mapping[str, ParagraphStyle]") -> bool:
        """Whether its text is struck through, by itself or inherited from the style it is based on."""
        return next((style.strikes for style in self._based_on(styles) if style.strikes is not None), False)

    def _based_on(self, styles: "Mapping[str, ParagraphStyle]") -> "Iterator[ParagraphStyle]":
        style = self
        for _ in range(10):  # a style may be based on itself
            yield style
            if not style.based_on:
                return
            style = styles.get(style.based_on, ParagraphStyle())


def undeclared_style(style_id: str) -> ParagraphStyle:
    """A style that the file uses without declaring it: Word knows its own ones, such as "Heading1", by their ids."""
    found = _HEADING_NAME.fullmatch(style_id)
    return ParagraphStyle(style_id, int(found[1]) if found else None)


def read_styles(xml: str) -> Mapping[str, ParagraphStyle]:
    """The styles by id, each with its own properties; headings are found by name or outline level."""
    prefix = namespace_prefix(xml)
    styles: dict[str, ParagraphStyle] = {}
    name = level = based_on = own_id = numbered = None
    depth, hides, strikes = 0, None, None
    for token in tokenize_html(xml):
        tag = token.name.removeprefix(prefix)
        if tag == "style":
            if token.kind == "open":
                own_id, name, level, based_on, numbered, depth = (
                    attribute_value(xml, token, "styleId"),
                    "",
                    None,
                    "",
                    None,
                    0,
                )
                hides = strikes = None
            elif own_id is not None:
                found = _HEADING_NAME.fullmatch(name or "")
                number = (numbered, depth) if numbered else None
                own_level = int(found[1]) if found else level
                styles[own_id] = ParagraphStyle(name or "", own_level, based_on or "", number, hides, strikes)
        elif token.kind == "open":
            value = attribute_value(xml, token, "val")
            if tag == "name":
                name = value
            elif tag == "basedon":
                based_on = value
            elif tag == "outlinelvl" and value in tuple("012345678"):
                level = int(value) + 1
            elif tag == "numid":
                numbered = value
            elif tag == "vanish":
                hides = value not in FALSE_VALUES
            elif tag in STRIKE_TAGS:
                strikes = value not in FALSE_VALUES
            elif tag == "ilvl" and value.isdecimal():
                depth = int(value[:2])
    return styles


def read_notes(xml: str, base: int) -> dict[tuple[str, str], Span]:
    """The notes of a part by kind and id, as spans of the concatenated text, in which the part begins at `base`."""
    prefix = namespace_prefix(xml)
    notes: dict[tuple[str, str], Span] = {}
    kind = number = ""
    begin = 0
    for token in tokenize_html(xml):
        tag = token.name.removeprefix(prefix)
        if tag in NOTE_LABELS and token.kind == "open":
            # Separators are rules that Word draws above notes; they have a type, notes have none.
            kind = "" if attribute_value(xml, token, "type") not in ("", "normal") else tag
            number, begin = attribute_value(xml, token, "id"), token.end
        elif tag in NOTE_LABELS and kind == tag:
            notes[kind, number] = Span(base + begin, base + token.start)
            kind = ""
    return notes
