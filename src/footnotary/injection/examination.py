"""Examines passages once, at ingest: prompt injection, and what a passage says about itself."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from footnotary.domain.chunk import Chunk, Flag
from footnotary.injection.declarations import declared_flags
from footnotary.injection.detection import IsInjection, instruction_spans


def examine(chunks: Iterable[Chunk], is_injection: IsInjection | None = None, threads: int = 1) -> tuple[Chunk, ...]:
    """The passages of one document with their flags. Raises what `is_injection` raises.

    A classifier that lets other threads run while it reads is called for `threads` passages at the same time.
    """
    passages = tuple(chunks)
    flags_of = partial(_injections, is_injection=is_injection)
    if is_injection is None or threads < 2 or len(passages) < 2:
        injections = [*map(flags_of, passages)]
    else:
        with ThreadPoolExecutor(max_workers=min(threads, len(passages))) as readers:
            injections = [*readers.map(flags_of, passages)]
    return tuple(
        replace(chunk, flags=(*declared, *found))
        for chunk, declared, found in zip(passages, declared_flags(passages), injections, strict=True)
    )


def _injections(chunk: Chunk, is_injection: IsInjection | None) -> tuple[Flag, ...]:
    return tuple(Flag("injection", span) for span in instruction_spans(chunk.text, is_injection))


def flagged_texts(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """The text of injected instructions, in order, each on one line: for reports."""
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
