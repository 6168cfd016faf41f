"""Sparse vectors of terms, so that the dot product of a question's and a passage's is BM25.

A passage's weights are written once, without the inverse document frequency (IDF); that is counted when a question is
asked, and goes into the question's weights. A server could apply it itself, but each replica of a shard with its own
counts, including deleted passages: then two nodes of a cluster rank differently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log1p
from zlib import crc32

from footnotary.domain.chunk import Chunk
from footnotary.index.qdrant_points import Sparse
from footnotary.index.records import chunk_row
from footnotary.index.searched import searched_terms
from footnotary.text.tokens import content_terms

_K1, _B = 1.2, 0.75
# A passage's weights are written once, so the average length is fixed in advance: terms of a typical section.
USUAL_TERMS = 120
WORK_BOOST = 0.5


def weights(chunk: Chunk) -> Sparse:
    """The BM25 weights of a passage's terms without the IDF, which goes into the question's weights."""
    title = chunk.labels.title or (chunk.section[-1] if chunk.section else "")
    section = str(chunk_row(chunk)["f_section"])
    total: dict[int, float] = {}
    for field_name, boost, terms in (
        ("", 1.0, searched_terms(chunk.text, title, section)),
        ("work", WORK_BOOST, content_terms(" ".join(filter(None, (chunk.labels.act, chunk.labels.code))))),
    ):
        usual = USUAL_TERMS if not field_name else 8
        for term, times in Counter(terms).items():
            length = 1 - _B + _B * len(terms) / usual
            at = dimension(field_name, term)
            total[at] = total.get(at, 0.0) + boost * times * (_K1 + 1) / (times + _K1 * length)
    return Sparse(sorted(total), [total[at] for at in sorted(total)])


def asked_dimensions(terms: Sequence[str]) -> Counter[int]:
    """A question's dimensions, and how often each occurs."""
    return Counter(dimension(name, term) for term in terms for name in ("", "work"))


def asked_weights(asked: Mapping[int, int], passages: int, holding: Mapping[int, int]) -> Sparse:
    """A question's weights: the IDF of each term; a term given twice counts twice.

    `holding` is the number of passages with each dimension; dimensions without passages are left out.
    """
    found = sorted(at for at in asked if holding[at])
    return Sparse(found, [asked[at] * _rarity(holding[at], passages) for at in found])


def _rarity(holding: int, passages: int) -> float:
    return log1p((max(passages, holding) - holding + 0.5) / (holding + 0.5))


def dimension(field_name: str, term: str) -> int:
    """A term's dimension: among a million terms, fewer than one in four thousand collide."""
    return crc32(f"{field_name}\0{term}".encode("utf-8", "surrogatepass"))
