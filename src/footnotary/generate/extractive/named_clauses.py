"""Finds the passages of a clause that a question names: "section 3(2)(b)" is narrower than section 3."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import Span
from footnotary.domain.query import Reference
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.text.references.provision_numbers import provision_key

_MARK = re.compile(r"\(([0-9]{1,3}[A-Za-z]?|[A-Za-z]{1,4})\)")
# A mark opens a clause at the start of a line or after one of these; in "under sub-section (2)" it only refers to one.
_BEFORE_CLAUSE = ("\n", ".", ";", ":", "—", "–", "-", "; and", "; or")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


def passages_of_clauses(
    passages: Sequence[CandidateSentence], references: Sequence[Reference]
) -> list[CandidateSentence]:
    """The passages that are part of a named clause, found by the sections' own marks; empty where there are none.

    An item of a list is found only in the chunk that also has its introduction: after "No keeper shall" it means the
    opposite of what it says alone.
    """
    by_section: dict[tuple[str, str], list[Chunk]] = {}
    for passage in passages:
        chunk = passage.hit.chunk
        section = by_section.setdefault((chunk.document_id, provision_key(chunk.labels.section or "")), [])
        if passage.hit.via == "reference" and chunk not in section:
            section.append(chunk)
    ranges: list[tuple[str, Span]] = []
    for (document, section), chunks in by_section.items():
        ordered = sorted(chunks, key=lambda chunk: chunk.span.start)
        begins = bool(ordered) and ordered[0].id.endswith("_0")  # a later chunk may continue a list
        marks = [mark for n, chunk in enumerate(ordered) for mark in _marks(chunk, n)]
        for reference in references:
            if reference.clause is not None and provision_key(reference.section) == section:
                found = _range(_MARK.findall(reference.clause.casefold()), marks, 0 if begins else None)
                ranges += [] if found is None else [(document, found)]
    return [passage for passage in passages if any(_touches(passage, document, span) for document, span in ranges)]


def _touches(passage: CandidateSentence, document: str, span: Span) -> bool:
    """Whether a passage shares text with the span of a document; the mark before it is not its text."""
    chunk = passage.hit.chunk
    end = chunk.span.start + passage.span.end
    return document == chunk.document_id and end - len(passage.text) < span.end and span.start < end


@dataclass(frozen=True, slots=True)
class _ClauseMark:
    """Where a clause opens in its document, in which chunk of its section, and its label."""

    place: int
    chunk: int
    label: str


def _marks(chunk: Chunk, number: int) -> Iterator[_ClauseMark]:
    last = -1
    for match in _MARK.finditer(chunk.text):
        before = chunk.text[: match.start()].rstrip(" \t")
        if not before or before.endswith(_BEFORE_CLAUSE) or len(before) == last:
            last = match.end()
            yield _ClauseMark(chunk.span.start + match.start(), number, match[1].casefold())


def _range(parts: Sequence[str], marks: Sequence[_ClauseMark], chunk: int | None) -> Span | None:
    """From the start of the clause to the start of the next of its kind; None where it is not found.

    `chunk` is the first one of the section, if it is present.
    """
    start, end = -1, sys.maxsize
    for part in parts:
        opens = next((mark for mark in marks if start < mark.place < end and mark.label == part), None)
        if opens is None or (opens.chunk != chunk and not part[0].isdigit()):
            return None
        end = next((m.place for m in marks if opens.place < m.place < end and _follows(m.label, part)), end)
        start, chunk = opens.place, opens.chunk
    return Span(start, end) if parts else None


def _follows(mark: str, part: str) -> bool:
    """Whether a mark is the next one of the same kind as `part`."""
    if part[0].isdigit():
        return mark[0].isdigit() and mark != part
    if part in _ROMAN[:-1] and mark == _ROMAN[_ROMAN.index(part) + 1]:
        return True
    return mark == chr(ord(part[0]) + 1) or (len(mark) > 1 and mark[:-1] == part and mark not in _ROMAN)
