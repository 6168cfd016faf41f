"""Words as sparse vectors: what BM25 makes of a passage, but for the rarity of words, which the server knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from zlib import crc32

from footnotary.domain.chunk import Chunk
from footnotary.index.qdrant_points import Sparse
from footnotary.index.records import chunk_row
from footnotary.index.searched import searched_terms
from footnotary.text.tokens import content_terms

_K1, _B = 1.2, 0.75
# A passage's weights are written once, so what is long for one is settled beforehand: terms of a usual section.
USUAL_TERMS = 120
WORK_BOOST = 0.5


def weights(chunk: Chunk) -> Sparse:
    """What BM25 makes of a passage's terms but for their rarity, which the server knows."""
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


def asked_weights(terms: Sequence[str]) -> Sparse:
    """A question's terms; one given twice counts twice."""
    counted = Counter(dimension(name, term) for term in terms for name in ("", "work"))
    return Sparse(sorted(counted), [float(counted[at]) for at in sorted(counted)])


def dimension(field_name: str, term: str) -> int:
    """A term's dimension: two of a million terms that fall into one are rarer than one in four thousand."""
    return crc32(f"{field_name}\0{term}".encode("utf-8", "surrogatepass"))
