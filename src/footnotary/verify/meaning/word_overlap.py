"""Word overlap: what a claim has in common with texts."""

from collections.abc import Sequence
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.injection.detection import instruction_spans
from footnotary.text.number_words import NUMBER_WORDS
from footnotary.text.tokens import stem, terms_of

_PROVISIONS = ("section", "clause", "subsection", "paragraph", "chapter")


def heading_text(chunk: Chunk) -> str:
    """The act, section, title and headings above a passage, without headings that are instructions."""
    return " ".join(heading for heading in heading_texts(chunk) if not _is_instruction(heading))


def heading_texts(chunk: Chunk) -> tuple[str, ...]:
    """Each heading by itself, instructions included."""
    labels = chunk.labels
    named = (labels.act, labels.code, labels.section and f"section {labels.section}", labels.title, labels.court)
    return (*(part for part in named if part), *chunk.section)


@lru_cache(maxsize=1024)
def _is_instruction(heading: str) -> bool:
    return bool(instruction_spans(heading))


def overlap(claim: str, texts: Sequence[str]) -> float:
    """The share of a claim's content words that occur in the texts."""
    return _overlap(claim, tuple(texts))


# Cached: several checks ask for the same claim and sources.
@lru_cache(maxsize=512)
def _overlap(claim: str, texts: tuple[str, ...]) -> float:
    said = _keys(claim)
    # Most claims are copied verbatim, and their words need not be compared.
    if said and any(find_whole_words(claim, text) >= 0 for text in texts):
        return 1.0
    held = frozenset[str]().union(*(_keys(text) for text in texts))
    return len(said & held) / len(said) if said else 0.0


def chunk_overlap(claim: str, chunk: Chunk) -> float:
    """The share of a claim's content words that occur in a chunk or its headings."""
    return overlap(claim, (chunk.text, heading_text(chunk)))


def find_whole_words(claim: str, text: str) -> int:
    """The position of a verbatim claim in a text, from whole word to whole word; -1 if it is not there."""
    at = text.find(claim)
    while at >= 0:
        before, after = text[max(at - 1, 0) : at], text[at + len(claim) : at + len(claim) + 1]
        if not before.isalnum() and not after.isalnum():
            return at
        at = text.find(claim, at + 1)
    return at


@lru_cache(maxsize=1024)
def _keys(text: str) -> frozenset[str]:
    # A number in words may be in digits there; other checks decide whether number and section are right.
    return terms_of(text) - _uncounted()


@lru_cache(maxsize=1)
def _uncounted() -> frozenset[str]:
    return frozenset(stem(word) for word in (*NUMBER_WORDS, *_PROVISIONS))
