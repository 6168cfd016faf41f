"""Splits a document's units into citable chunks."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document, OffsetMap
from footnotary.domain.identity import Span, sha256_hex
from footnotary.errors import DocumentError
from footnotary.ingest.chunking.semantic_ids import mint_ids
from footnotary.ingest.chunking.splitting import split_unit
from footnotary.ingest.structure.outline import Unit

_MAX_CHUNKS = 200_000


def require_citable_size(chunks: Sequence[Chunk]) -> None:
    """Raises `DocumentError` for a document of more passages than are indexed."""
    if len(chunks) > _MAX_CHUNKS:
        raise DocumentError(
            f"the document has {len(chunks):,} passages; the limit is {_MAX_CHUNKS:,}",
            reason="too_large",
            hint="split the document",
        )


def build_chunks(document: Document, units: Sequence[Unit]) -> tuple[Chunk, ...]:
    """The chunks of `document` in reading order, ids unique; together they cover every unit."""
    cut = [split_unit(document.text, unit.block) for unit in units]
    names = mint_ids(units, [len(spans) for spans in cut])
    pages = [block for block in document.blocks if block.kind == "page"]
    page_starts = [block.span.start for block in pages]
    chunks: list[Chunk] = []
    for unit, spans, named in zip(units, cut, names, strict=True):
        for place, ((span, kind), name) in enumerate(zip(spans, named.ids, strict=True)):
            text = span.of(document.text)
            origin = _offset_map_of(document, span)
            turned = bisect_right(page_starts, span.start)
            page = pages[turned - 1].page if turned else unit.block.page
            chunks.append(
                Chunk(
                    id=name,
                    document_id=document.id,
                    text=text,
                    span=span,
                    section=unit.block.path,
                    page=origin.segments[0].page or page if origin.segments else page,
                    digest=sha256_hex(text),
                    labels=unit.block.labels,
                    kind=kind,
                    origin=origin,
                    aliases=(named.alias,) if named.alias and place == 0 else (),
                )
            )
    return tuple(chunks)


def text_to_embed(chunk: Chunk) -> str:
    """The text to embed: the passage, preceded by the section title if the passage does not start with it."""
    title = chunk.labels.title
    if not title or title in chunk.text[: len(title) + 40]:
        return chunk.text
    return f"{title}\n{chunk.text}"


def _offset_map_of(document: Document, span: Span) -> OffsetMap:
    """The offset map of one passage, from the few segments around it."""
    segments = document.offsets.segments
    first = max(bisect_right(segments, span.start, key=lambda segment: segment.start) - 1, 0)
    last = bisect_left(segments, span.end, key=lambda segment: segment.start)
    near = OffsetMap(segments[first:last], document.offsets.encoding)
    return near.cut(document.text, span)
