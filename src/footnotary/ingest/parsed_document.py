"""The output of every parser: cleaned lines, the offset map to the original, and the file's own metadata."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from footnotary.domain.document import OffsetMap
from footnotary.domain.identity import Span
from footnotary.domain.layout import Layout

LineKind = Literal["paragraph", "list", "table", "heading_row", "likely_heading_row"]


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """One non-empty line of the cleaned text.

    `level` is the heading level if the format marks headings (1 is the outermost), `page` the page it starts on,
    `after_blank` whether it follows a blank line or is the first line. `kind` is "heading_row" for a table row that the
    format itself marks as a heading, and "likely_heading_row" for one that only looks like it: bold, or set apart by
    the style of the table.
    """

    span: Span
    level: int | None = None
    page: int | None = None
    kind: LineKind = "paragraph"
    after_blank: bool = False


@dataclass(frozen=True, slots=True)
class ParsedRecord:
    """One record of a file of sections: its fields and its parsed lines.

    `lines` are indices into `Parsed.lines`; `titled`: the first of them is the record's title.
    """

    number: int
    fields: Mapping[str, str]
    lines: Span
    titled: bool


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A file of an archive or message: its path and bytes, or a reason code and message why it was rejected."""

    name: str
    data: bytes = b""
    reason: str | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A parsed file: the lines are spans of `text` in order, and `offsets` maps `text` to the original.

    `fields` is the file's own metadata (the `KEY: value` header), by key in capitals. For a file with pages, `layout`
    has the boxes of its words, and `pages_without_text` the pages (from 1) without readable text: empty, pictures, or
    with a text layer that does not match what is displayed. `running_headers` (and footers) are not part of the text
    but may contain its title. `left_out` describes visible content that was not read. `attachments` of a message are
    documents of their own.
    """

    text: str
    offsets: OffsetMap
    lines: tuple[ParsedLine, ...]
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    title: str | None = None
    language: str | None = None
    rows: tuple[ParsedRecord, ...] = ()
    layout: Layout | None = None
    pages_without_text: tuple[int, ...] = ()
    running_headers: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    attachments: tuple[ArchiveMember, ...] = ()
