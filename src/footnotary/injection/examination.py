"""Examines passages once, at ingest: what in them instructs the system that answers, and not the reader."""

from collections.abc import Iterable
from dataclasses import replace

from footnotary.domain.chunk import Chunk, Flag
from footnotary.injection.rules import Tells, instruction_spans


def examine(chunks: Iterable[Chunk], is_injection: Tells | None = None) -> tuple[Chunk, ...]:
    """The passages with their flags. Raises what `is_injection` raises."""
    return tuple(
        replace(chunk, flags=tuple(Flag("injection", span) for span in instruction_spans(chunk.text, is_injection)))
        for chunk in chunks
    )


def flagged_texts(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """The flagged text of passages, in order, each on one line: for reports."""
    return tuple(" ".join(flag.span.of(chunk.text).split()) for chunk in chunks for flag in chunk.flags or ())
