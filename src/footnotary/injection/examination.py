"""Examines passages once, at ingest: prompt injection, and what a passage says about itself."""

from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

from footnotary.domain.chunk import Chunk, Flag
from footnotary.domain.identity import Span
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


def with_cleared(chunks: Iterable[Chunk], texts: Collection[str]) -> tuple[Chunk, ...]:
    """The passages with the injection flags of exactly these texts cleared, and all others set.

    Texts are compared as `flagged_texts` and `cleared_texts` give them.
    """
    return tuple(_with_cleared(chunk, texts) for chunk in chunks)


def _with_cleared(chunk: Chunk, texts: Collection[str]) -> Chunk:
    if chunk.flags is None:
        return chunk
    found = sorted({*(flag.span for flag in chunk.flags if flag.kind == "injection"), *chunk.cleared})
    cleared = tuple(span for span in found if _on_one_line(chunk, span) in texts)
    others = (flag for flag in chunk.flags if flag.kind != "injection")
    flags = (*others, *(Flag("injection", span) for span in found if span not in cleared))
    return replace(chunk, flags=flags, cleared=cleared)


def cleared_texts(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """The text of what a person has found harmless, in order, each on one line."""
    return tuple(_on_one_line(chunk, span) for chunk in chunks for span in chunk.cleared)


def _on_one_line(chunk: Chunk, span: Span) -> str:
    return " ".join(span.of(chunk.text).split())


def flagged_texts(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """The text of injected instructions, in order, each on one line: for reports."""
    return tuple(
        _on_one_line(chunk, flag.span) for chunk in chunks for flag in chunk.flags or () if flag.kind == "injection"
    )


def declared_kinds(chunks: Iterable[Chunk]) -> tuple[str, ...]:
    """What passages say of themselves, each kind once: for reports."""
    kinds = (flag.kind for chunk in chunks for flag in chunk.flags or () if flag.kind != "injection")
    return tuple(dict.fromkeys(kinds))
