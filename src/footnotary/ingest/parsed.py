"""What a parser hands on, whatever the format: cleaned lines, the way back, and what the file says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from footnotary.domain.document import OffsetMap
from footnotary.domain.identity import Span
from footnotary.domain.layout import Layout

LineKind = Literal["paragraph", "list", "table"]


@dataclass(frozen=True, slots=True)
class Line:
    """One non-empty line of the cleaned text.

    `level` is the heading level where the format marks headings (1 is the outermost), `page` the page it starts on,
    `after_blank` whether a blank line, or the beginning, stands before it.
    """

    span: Span
    level: int | None = None
    page: int | None = None
    kind: LineKind = "paragraph"
    after_blank: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file of sections: its fields, and which of the parsed lines are its own.

    `lines` counts into `Parsed.lines`; `titled` says that the first of them is the record's title.
    """

    number: int
    fields: Mapping[str, str]
    lines: Span
    titled: bool


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file, read: every line lies in `text` in order, and `offsets` leads from `text` to the original.

    `fields` are the file's own statements about itself (the `KEY: value` header), by key in capitals. For a file with
    pages, `layout` says where its words stand, and `pages_without_text` which pages (from 1) hold nothing that can be
    read as text: they are empty, or pictures, or their letters are not those that are seen. `heads` are running heads
    and feet, which are no part of the text but may name it. `left_out` says in words what the file shows and was not
    read.
    """

    text: str
    offsets: OffsetMap
    lines: tuple[Line, ...]
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    title: str | None = None
    language: str | None = None
    rows: tuple[Row, ...] = ()
    layout: Layout | None = None
    pages_without_text: tuple[int, ...] = ()
    heads: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
