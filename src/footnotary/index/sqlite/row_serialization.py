"""Serialization of documents and chunks for the catalog, and back without loss."""

import json
import sys
import zlib
from array import array
from dataclasses import fields
from itertools import accumulate, pairwise
from typing import Any, Literal, cast

from footnotary.domain.chunk import Chunk, Flag
from footnotary.domain.document import BlockKind, Labels, OffsetMap, Segment
from footnotary.domain.identity import Span
from footnotary.domain.layout import Layout, Page
from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity, parse_day
from footnotary.index.label_matching import FACETS, facet_keys

FACET_COLUMNS = tuple(f"f_{name}" for name in FACETS)
_CLEARED = "cleared"
_LABEL_DEFAULTS = tuple((field.name, field.default) for field in fields(Labels))
# `json.dumps` with options makes an encoder for every value.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
READ_COLUMNS = ("id", "start", "stop", "page", "kind", "digest", "section", "labels", "origin", "text", "flags")


def chunk_row(chunk: Chunk) -> dict[str, str | int | None]:
    """A chunk's row in the table of chunks, by column."""
    return {
        "id": chunk.id,
        **{f"f_{name}": key for name, key in facet_keys(chunk).items()},
        "start": chunk.span.start,
        "stop": chunk.span.end,
        "page": chunk.page,
        "kind": chunk.kind,
        "digest": chunk.digest,
        "section": to_json(chunk.section),
        "labels": labels_json(chunk.labels),
        "origin": offsets_json(chunk.origin),
        "text": chunk.text,
        "flags": _flags_json(chunk),
    }


def chunk_from_row(row: tuple[Any, ...], document_id: str, aliases: tuple[str, ...]) -> Chunk:
    """The chunk whose `READ_COLUMNS` these are."""
    id_, start, stop, page, kind, digest, section, labels, origin, text, flags = row
    return Chunk(
        id=id_,
        document_id=document_id,
        text=text,
        span=Span(start, stop),
        section=tuple(json.loads(section)),
        page=page,
        digest=digest,
        labels=labels_from_json(labels),
        kind=cast(BlockKind, kind),
        origin=offsets_from_json(origin),
        aliases=aliases,
        flags=_flags_from_json(flags),
        cleared=_cleared_from_json(flags),
    )


def _flags_json(chunk: Chunk) -> str | None:
    """None if the passage was never examined; what was cleared follows what is flagged."""
    if chunk.flags is None:
        return None
    flagged = [(flag.kind, flag.span.start, flag.span.end) for flag in chunk.flags]
    return to_json([*flagged, *((_CLEARED, span.start, span.end) for span in chunk.cleared)])


def _flags_from_json(text: str | None) -> tuple[Flag, ...] | None:
    if text is None:
        return None
    return tuple(Flag(kind, Span(start, end)) for kind, start, end in json.loads(text) if kind != _CLEARED)


def _cleared_from_json(text: str | None) -> tuple[Span, ...]:
    return tuple(Span(start, end) for kind, start, end in json.loads(text or "[]") if kind == _CLEARED)


def labels_json(labels: Labels) -> str:
    """Only values that differ from the default: a thousand chunks of one act repeat these."""
    return to_json({name: value for name, bare in _LABEL_DEFAULTS if (value := getattr(labels, name)) != bare})


def labels_from_json(text: str) -> Labels:
    return Labels(**json.loads(text))


def validity_json(validity: Validity) -> str | None:
    """None if nothing is known, and the person who ingested it gave nothing either."""
    if validity == UNKNOWN_VALIDITY:
        return None
    first, last = validity.effective_from, validity.effective_to
    said = (first and first.isoformat(), last and last.isoformat(), validity.supersedes, sorted(validity.given))
    return to_json(said if validity.trust is None else (*said, validity.trust))


def validity_from_json(text: str | None) -> Validity:
    if text is None:
        return UNKNOWN_VALIDITY
    first, last, supersedes, given, *trust = json.loads(text)
    return Validity(first and parse_day(first), last and parse_day(last), tuple(supersedes), frozenset(given), *trust)


def offsets_json(offsets: OffsetMap) -> str:
    """A page, or the name of a part, is only written where there is one."""
    return to_json([offsets.encoding, [_segment_values(segment) for segment in offsets.segments]])


def _segment_values(s: Segment) -> tuple[int | str | None, ...]:
    if s.place is not None:
        return (s.start, s.length, s.char, s.byte, s.page, s.place)
    return (s.start, s.length, s.char, s.byte) if s.page is None else (s.start, s.length, s.char, s.byte, s.page)


def offsets_from_json(text: str) -> OffsetMap:
    encoding, segments = json.loads(text)
    return OffsetMap(tuple(Segment(*segment) for segment in segments), encoding)


def layout_blob(layout: Layout | None) -> bytes | None:
    """The positions of a document's words, packed: about six bytes a word."""
    if layout is None:
        return None
    head = to_json([len(layout), [(p.width, p.height, p.rotation, p.label) for p in layout.pages]]).encode()
    columns: list[bytes] = []
    # Column by column, starts as deltas, corners in hundredths of a point: that compresses well.
    starts = layout.numbers[0::3]
    columns.append(_to_little_endian(array("I", (b - a for a, b in pairwise((0, *starts))))))
    columns.append(_to_little_endian(layout.numbers[1::3]))
    columns.append(_to_little_endian(layout.numbers[2::3]))
    for corner in range(4):
        columns.append(_to_little_endian(array("i", (round(x * 100) for x in layout.corners[corner::4]))))
    columns.append(layout.confidences.tobytes())
    return len(head).to_bytes(4, "little") + head + zlib.compress(b"".join(columns), 6)


def layout_from_blob(blob: bytes | None) -> Layout | None:
    if blob is None:
        return None
    size = int.from_bytes(blob[:4], "little")
    count, pages = json.loads(blob[4 : 4 + size])
    packed = zlib.decompress(blob[4 + size :])
    numbers, corners = array("I", bytes(12 * count)), array("f", bytes(16 * count))
    columns = [packed[4 * count * i : 4 * count * (i + 1)] for i in range(7)]
    numbers[0::3] = array("I", accumulate(_from_little_endian("I", columns[0])))
    numbers[1::3] = _from_little_endian("I", columns[1])
    numbers[2::3] = _from_little_endian("I", columns[2])
    for corner in range(4):
        corners[corner::4] = array("f", (x / 100 for x in _from_little_endian("i", columns[3 + corner])))
    confidences = array("b", packed[28 * count :])
    return Layout(tuple(Page(*page) for page in pages), numbers, corners, confidences)


def _to_little_endian(column: "array[int]") -> bytes:
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def _from_little_endian(kind: Literal["I", "i"], data: bytes) -> "array[int]":
    column = array(kind, data)
    if sys.byteorder == "big":
        column.byteswap()
    return column


def to_json(value: object) -> str:
    return _ENCODER.encode(value)
