"""Word overlap: what a claim has in common with texts."""

from collections.abc import Sequence
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.injection.rules import instruction_spans
from footnotary.text.number_words import HUNDREDS, SCALES, SMALL
from footnotary.text.tokens import stem, terms_of

_PROVISIONS = ("section", "clause", "subsection", "paragraph", "chapter")


def heading_text(chunk: Chunk) -> str:
    """What the passage is known by, beside its own words: act, section, title and headings above it.

    A heading that gives an order names nothing, and is left out.
    """
    return " ".join(heading for heading in heading_texts(chunk) if not _orders(heading))


def heading_texts(chunk: Chunk) -> tuple[str, ...]:
    """Each heading by itself, orders too."""
    labels = chunk.labels
    named = (labels.act, labels.code, labels.section and f"section {labels.section}", labels.title, labels.court)
    return (*(part for part in named if part), *chunk.section)


@lru_cache(maxsize=1024)
def _orders(heading: str) -> bool:
    return bool(instruction_spans(heading))


def overlap(claim: str, texts: Sequence[str]) -> float:
    """The share of a claim's content words that stand in the texts."""
    return _overlap(claim, tuple(texts))


# Several checks ask it of the same claim and sources.
@lru_cache(maxsize=512)
def _overlap(claim: str, texts: tuple[str, ...]) -> float:
    said = _keys(claim)
    # Most claims are copied, and for those no passage need be read.
    if said and any(find_whole_words(claim, text) >= 0 for text in texts):
        return 1.0
    held = frozenset[str]().union(*(_keys(text) for text in texts))
    return len(said & held) / len(said) if said else 0.0


def chunk_overlap(claim: str, chunk: Chunk) -> float:
    """The share of a claim's content words that stand in a chunk or its headings."""
    return overlap(claim, (chunk.text, heading_text(chunk)))


def find_whole_words(claim: str, text: str) -> int:
    """Where a claim stands in a text as it is, its first and last words whole; -1 where it does not."""
    at = text.find(claim)
    while at >= 0:
        before, after = text[max(at - 1, 0) : at], text[at + len(claim) : at + len(claim) + 1]
        if not before.isalnum() and not after.isalnum():
            return at
        at = text.find(claim, at + 1)
    return at


@lru_cache(maxsize=1024)
def _keys(text: str) -> frozenset[str]:
    # A number in words may be in digits there; whether it or the section is the right one is a check's business.
    return terms_of(text) - _uncounted()


@lru_cache(maxsize=1)
def _uncounted() -> frozenset[str]:
    return frozenset(stem(word) for word in (*SMALL, *SCALES, *HUNDREDS, *_PROVISIONS))
