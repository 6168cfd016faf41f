"""A passage that can be cited."""

from dataclasses import dataclass, field
from typing import Literal

from footnotary.domain.document import BlockKind, Labels, OffsetMap, SourceLocation
from footnotary.domain.identity import SemanticId, Span
from footnotary.domain.later import LATER

FlagKind = Literal["injection", "fiction", "hypothetical", "superseded"]


@dataclass(frozen=True, slots=True)
class Flag:
    """A part of a passage that answers are drafted from only if nothing else answers, and why.

    It is an instruction to the model, or the whole passage if it declares itself fiction, hypothetical or superseded.
    """

    kind: FlagKind
    span: Span


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of one document, citable by its semantic id.

    `span` points into the *cleaned* text of the document, and `document.text[span.start:span.end] == text`
    always holds. `origin` maps positions in `text` to the original file. The page is for people;
    the spans are for machines. `aliases` are older or foreign ids under which the passage may be cited.
    `flags` are what the examination at ingest found, in order, in positions of `text`; None where the passage was
    never examined. `cleared` are the parts that were flagged as injection and that a person has found harmless since.
    """

    id: SemanticId
    document_id: str
    text: str
    span: Span
    section: tuple[str, ...]
    page: int | None
    digest: str
    labels: Labels
    kind: BlockKind
    origin: OffsetMap
    aliases: tuple[SemanticId, ...] = ()
    flags: tuple[Flag, ...] | None = field(default=None, metadata=LATER)
    cleared: tuple[Span, ...] = field(default=(), metadata=LATER)

    @property
    def headings(self) -> str:
        """The headings of the passage: its title, law, number and chapter."""
        labels = self.labels
        named = (labels.title, labels.act, labels.code, labels.section, labels.chapter_title, *self.section)
        return " ".join(part for part in named if part)

    def located(self, quote: Span) -> SourceLocation | None:
        """The position of `text[quote]` in the original file; None if cleaning inserted it."""
        return self.origin.locate(self.text, quote)
