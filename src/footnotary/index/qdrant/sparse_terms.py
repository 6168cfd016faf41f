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
from footnotary.index.indexed_terms import indexed_terms
from footnotary.index.qdrant.point_types import SparseVector
from footnotary.index.sqlite.row_serialization import chunk_row
from footnotary.text.tokens import content_terms

_K1, _B = 1.2, 0.75
# A passage's weights are written once, so the average length is fixed in advance: terms of a typical section.
TYPICAL_PASSAGE_TERMS = 120
WORK_BOOST = 0.5


def passage_term_weights(chunk: Chunk) -> SparseVector:
    """The BM25 weights of a passage's terms without the IDF, which goes into the question's weights."""
    title = chunk.labels.title or (chunk.section[-1] if chunk.section else "")
    section = str(chunk_row(chunk)["f_section"])
    total: dict[int, float] = {}
    for field_name, boost, terms in (
        ("", 1.0, indexed_terms(chunk.text, title, section)),
        ("work", WORK_BOOST, content_terms(" ".join(filter(None, (chunk.labels.act, chunk.labels.code))))),
    ):
        usual = TYPICAL_PASSAGE_TERMS if not field_name else 8
        for term, times in Counter(terms).items():
            length = 1 - _B + _B * len(terms) / usual
            at = term_dimension(field_name, term)
            total[at] = total.get(at, 0.0) + boost * times * (_K1 + 1) / (times + _K1 * length)
    return SparseVector(sorted(total), [total[at] for at in sorted(total)])


def question_dimensions(terms: Sequence[str]) -> Counter[int]:
    """A question's dimensions, and how often each occurs."""
    return Counter(term_dimension(name, term) for term in terms for name in ("", "work"))


def question_term_weights(asked: Mapping[int, int], passages: int, holding: Mapping[int, int]) -> SparseVector:
    """A question's weights: the IDF of each term; a term given twice counts twice.

    `holding` is the number of passages with each dimension; dimensions without passages are left out.
    """
    found = sorted(at for at in asked if holding[at])
    return SparseVector(found, [asked[at] * _inverse_document_frequency(holding[at], passages) for at in found])


def _inverse_document_frequency(holding: int, passages: int) -> float:
    return log1p((max(passages, holding) - holding + 0.5) / (holding + 0.5))


def term_dimension(field_name: str, term: str) -> int:
    """A term's dimension: among a million terms, fewer than one in four thousand collide."""
    return crc32(f"{field_name}\0{term}".encode("utf-8", "surrogatepass"))
