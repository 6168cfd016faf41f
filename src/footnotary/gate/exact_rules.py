"""Exact matching: a provision, law, clause or year that a question names must be the one cited."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Hit
from footnotary.domain.query import Facet
from footnotary.domain.verdict import Value
from footnotary.domain.work import Work
from footnotary.gate.provisions import is_provision, is_under, missing_clause

# Matches "2016" and both years of "2016–17" and "2016-2017", but no amount and no part of a longer number.
_YEAR = re.compile(r"(?<![\d.,$₹€£#-])(1[5-9]\d\d|20\d\d)(?:[–/-]((?:\d\d)?\d\d)(?!\d))?(?![\d%]|[.,]\d)")
_CENTURY = 100
_ACRONYM = re.compile(r"\b[A-Z]{3,8}\b")


@dataclass(frozen=True, slots=True)
class PartEvidence:
    """The hits for one part of a question; if there are none, what is missing and which hits came close.

    `values` are what was measured, by name.
    """

    hits: tuple[Hit, ...]
    missing: str = ""
    near: tuple[Hit, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])


def eligible_hits(sources: Sequence[Hit], facet: Facet) -> PartEvidence:
    """The sources that match the provision, law, clause or year a part names; all sources if it names none."""
    if facet.act is None and not facet.references:
        facet = replace(facet, act=_law_by_acronym(facet.text, sources))
    found = tuple(hit for hit in sources if is_named(hit.chunk, facet))
    if not found:
        return PartEvidence((), f"no passage is about {named_by(facet)}")
    if (clause := missing_clause(sources, facet)) is not None:
        return PartEvidence((), f"no passage is about section {clause}")
    asked = _years(facet)
    of_year = tuple(hit for hit in found if not asked or _may_be_of(hit.chunk, asked))
    return PartEvidence(of_year, "" if of_year else f"no passage is about {', '.join(map(str, sorted(asked)))}")


def _law_by_acronym(question: str, sources: Sequence[Hit]) -> str | None:
    """The acronym in a question that stands for the law of one of the sources: "RTI"."""
    if question.isupper():
        return None
    labels = [hit.chunk.labels for hit in sources if hit.chunk.labels.act]
    works = {Work(one.code or "", one.act or "", one.year or "") for one in labels}
    acronyms = _ACRONYM.findall(question)
    return next((acronym for acronym in acronyms if any(work.is_meant_by(acronym) for work in works)), None)


def is_named(chunk: Chunk, facet: Facet) -> bool:
    """Whether a chunk is the provision and of the law that a part names: section 42 is not section 420."""
    if facet.references and not any(is_provision(chunk, reference, facet) for reference in facet.references):
        return False
    return facet.act is None or is_under(chunk, facet.act)


def named_by(facet: Facet) -> str:
    """The provision, law or subject of a part, in words."""
    if facet.references:
        reference = facet.references[0]
        of = f" of {reference.act}" if reference.act else ""
        return f"section {reference.section}{reference.clause or ''}{of}"
    subject = ", ".join(key.term for key in facet.subject)
    return subject or facet.act or "anything: the question names nothing to look for"


def _may_be_of(chunk: Chunk, asked: frozenset[int]) -> bool:
    """Whether a passage may be about one of these years: it names the year, a range around it, or no year."""
    named = _years_in(f"{chunk.headings} {chunk.labels.year or ''}\n{chunk.text}")
    return not named or any(min(named) <= year <= max(named) for year in asked)


def _years(facet: Facet) -> frozenset[int]:
    """The years a part asks about; those in the names of laws are names."""
    text = facet.text
    for name in (facet.act, *(name for reference in facet.references for name in (reference.act, reference.section))):
        text = text.replace(name, "") if name else text
    return _years_in(text)


def _years_in(text: str) -> frozenset[int]:
    found: set[int] = set()
    for match in _YEAR.finditer(text):
        year = int(match.group(1))
        found.add(year)
        until = int(match.group(2) or 0)
        if until < _CENTURY:
            until += year - year % _CENTURY
        if year < until < year + _CENTURY:
            found.add(until)
    return frozenset(found)
