"""Claims that only do what a passage orders: an instruction to whoever answers states nothing, and supports nothing."""

from collections.abc import Sequence
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.text.instructions import instruction_spans
from footnotary.text.normalise import plain_key
from footnotary.text.tokens import terms_of
from footnotary.verify.overlap import headings_of


def obeys_its_sources(claim: str, chunks: Sequence[Chunk]) -> bool:
    """Whether a claim says something that its sources hold only as an order to say it.

    It does where it stands word for word in an instruction and nowhere else, or has a content word that stands in an
    instruction and in nothing that the sources state.
    """
    parted = [_parted(text) for chunk in chunks for text in (chunk.text, *headings_of(chunk))]
    ordered = " ".join(part for part, _ in parted)
    if not ordered.strip():
        return False
    stated = "\n".join(part for _, part in parted)
    said = plain_key(claim)
    if said in plain_key(ordered) and said not in plain_key(stated):
        return True
    return bool((terms_of(claim) & terms_of(ordered)) - terms_of(stated))


@lru_cache(maxsize=512)
def _parted(text: str) -> tuple[str, str]:
    """What a text orders, and what it states."""
    ordered, stated, at = list[str](), list[str](), 0
    for span in instruction_spans(text):
        stated.append(text[at : span.start])
        ordered.append(span.of(text))
        at = span.end
    return " ".join(ordered), " ".join((*stated, text[at:]))
