"""The result of structure recovery: units that no chunk crosses, and the parts of their ids."""

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.document import Block, BlockKind, Labels
from footnotary.domain.identity import SemanticId, Span
from footnotary.ingest.parsed_document import ParsedFile, ParsedLine

NOTES_HEADING = "Footnotes"  # the heading above the notes of all pages at the end of a text


@dataclass(frozen=True, slots=True)
class Unit:
    """A span of a document that no chunk crosses: a section, a numbered paragraph, an example.

    Its chunks have ids `<code>_<place>_<n>`; if several units share a place, `n` continues. `own_id` is the id that
    the file itself gives the unit; it becomes an alias, or, if `pinned`, the id of the first chunk.
    """

    block: Block
    code: str
    place: str
    own_id: SemanticId | None = None
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """The units of a document in order, and the headings outside of them."""

    units: tuple[Unit, ...]
    headings: tuple[Block, ...] = ()


def block_from_lines(kind: BlockKind, lines: Sequence[ParsedLine], labels: Labels, path: tuple[str, ...] = ()) -> Block:
    """The block that covers `lines`."""
    return Block(kind, Span(lines[0].span.start, lines[-1].span.end), labels, path, lines[0].page)


def line_text(parsed: ParsedFile, line: ParsedLine) -> str:
    return line.span.of(parsed.text)


def word_count(text: str) -> int:
    return len(text.split())
