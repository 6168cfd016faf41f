"""What Word stores about a paragraph before its text: style, heading level, list and depth."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from footnotary.ingest.parse.docx.styles import ParagraphStyle, undeclared_style

_LIST_NAME = re.compile(r"\blist\b\D*([1-9])?", re.I)


@dataclass(slots=True)
class ParagraphProperties:
    """The properties of one paragraph, read in the order of the file: the style first.

    `number` is the id of its list ("0" for none) and `depth` its depth there; `level` its heading level from 1.
    """

    style: ParagraphStyle = field(default_factory=ParagraphStyle)
    level: int | None = None
    number: str | None = None
    depth: int = 0
    is_title: bool = False
    is_hidden: bool = False

    def read(self, tag: str, value: str, styles: Mapping[str, ParagraphStyle]) -> None:
        """Reads one property with its value; unknown ones are ignored."""
        if tag == "pstyle":
            self.style = styles.get(value) or undeclared_style(value)
            self.is_title = self.style.name.casefold() == "title"
            self.level = self.style.effective_level(styles)
            self.is_hidden = self.style.effectively_hidden(styles)
            if number := self.style.effective_numbering(styles):
                self.number, self.depth = number
        elif tag == "outlinelvl":
            self.level = int(value) + 1 if value in tuple("012345678") else None
        elif tag in ("del", "movefrom", "vanish"):  # the paragraph mark is deleted: it joins the next paragraph
            self.is_hidden = True
        elif tag == "numid":
            self.number = value
        elif tag == "ilvl" and value.isdecimal():
            self.depth = int(value[:2])

    @property
    def list_depth(self) -> int | None:
        """The depth of a list item, by its numbering or by a style such as "List Bullet 2"; None for other text."""
        named = _LIST_NAME.search(self.style.name)
        if self.level is not None or (self.number in (None, "0") and named is None):
            return None
        return self.depth or (int(named[1] or 1) - 1 if named else 0)
