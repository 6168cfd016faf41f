"""Examines passages once, at ingest: what instructs the system that answers, and what says of itself it is no fact."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from footnotary.domain.chunk import Chunk, Flag
from footnotary.injection.declarations import declared_flags
from footnotary.injection.rules import Tells, instruction_spans


def examine(chunks: Iterable[Chunk], is_injection: Tells | None = None) -> tuple[Chunk, ...]:
    """The passages of one document with their flags. Raises what `is_injection` raises."""
    passages = tuple(chunks)
    return tuple(
        replace(chunk, flags=(*declared, *_injections(chunk, is_injection)))
        for chunk, declared in zip(passages, declared_flags(passages), strict=True)
    )


def _injections(chunk: Chunk, is_injection: Tells | None) -> Iterator[Flag]:
    return (Flag("injection", span) for span in instruction_spans(chunk.text, is_injection))


def flagged_texts(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """What instructs the system that answers, in order, each on one line: for reports."""
    return tuple(
        " ".join(flag.span.of(chunk.text).split())
        for chunk in chunks
        for flag in chunk.flags or ()
        if flag.kind == "injection"
    )


def declared_kinds(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """What passages say of themselves, each kind once: for reports."""
    kinds = (flag.kind for chunk in chunks for flag in chunk.flags or () if flag.kind != "injection")
    return tuple(dict.fromkeys(kinds))
