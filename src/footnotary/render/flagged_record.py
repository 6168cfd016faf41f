"""What was flagged in passages when they were ingested, for JSON."""

from collections.abc import Iterable
from typing import Any

from footnotary.domain.chunk import Chunk

Record = dict[str, Any]


def flags_record(chunk: Chunk) -> list[Record] | None:
    """The flagged parts of a passage, in characters of its text; None if it was never examined."""
    if chunk.flags is None:
        return None
    return [
        {"kind": f.kind, "start": f.span.start, "end": f.span.end, "text": f.span.of(chunk.text)} for f in chunk.flags
    ]


def flagged_records(chunks: Iterable[Chunk]) -> list[Record]:
    """The flagged parts of passages, each with the id of its passage."""
    return [{"id": chunk.id, **record} for chunk in chunks for record in flags_record(chunk) or ()]


def cleared_records(chunks: Iterable[Chunk]) -> list[Record]:
    """The parts of passages whose flag a person has cleared, each with the id of its passage."""
    return [
        {"id": chunk.id, "start": span.start, "end": span.end, "text": span.of(chunk.text)}
        for chunk in chunks
        for span in chunk.cleared
    ]
