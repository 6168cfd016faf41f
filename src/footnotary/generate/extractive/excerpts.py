"""Extends chosen sentences so that they can be read alone: verbatim runs of a chunk with the context they need."""

from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.domain.query import Facet
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.extension import extended_span, without_other_items
from footnotary.generate.extractive.linked_passages import linked_places
from footnotary.text.sentences.split_lists import begins_with_rest
from footnotary.text.tokens import terms_of
from footnotary.text.totals import is_called_total, says_total

# Stands for every word for a total: to "total revenue" the row "Consolidated" is the answer.
_TOTAL = "total"

# A longer definition is not given: without all its passages, it would be another one.
_MAX_LINKED = 8


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A verbatim run of a hit's chunk that becomes one claim."""

    hit: Hit
    span: Span

    @classmethod
    def of(cls, candidate: CandidateSentence) -> "Excerpt":
        return cls(candidate.hit, candidate.text_span)

    @property
    def text(self) -> str:
        return self.span.of(self.hit.chunk.text)

    @property
    def place(self) -> int:
        """Where it begins in its document."""
        return self.hit.chunk.span.start + self.span.start

    def goes_on_from(self, other: "Excerpt") -> bool:
        """Whether it is the rest of a list or definition that another excerpt begins."""
        return begins_with_rest(self.text, self.hit.chunk, other.hit.chunk)

    def is_within(self, other: "Excerpt") -> bool:
        same = self.hit.chunk.id == other.hit.chunk.id
        return same and other.span.start <= self.span.start and self.span.end <= other.span.end


def excerpts_of(
    chosen: Sequence[CandidateSentence],
    passages: Sequence[CandidateSentence],
    facet: Facet,
    *,
    whole_lists: bool = False,
) -> list[Excerpt]:
    """The chosen sentences, readable alone: sources in the order in which they were chosen, each in reading order.

    Each has what it needs of its chunk, and the parts of its list or definition in the chunks around; none, if these
    are too many. Runs that overlap are one excerpt.
    """
    units: dict[str, list[CandidateSentence]] = {}
    for passage in passages:
        units.setdefault(passage.hit.chunk.id, []).append(passage)
    if not whole_lists:
        chosen = without_other_items(chosen, units, facet)
    sources = list(dict.fromkeys(candidate.hit.chunk.id for candidate in chosen))
    placed: dict[Excerpt, int] = {}
    for candidate in chosen:
        rank = sources.index(candidate.hit.chunk.id)
        own = extended_span(candidate, units[candidate.hit.chunk.id], chosen, facet, whole_lists=whole_lists)
        linked = [Excerpt(hit, span) for hit, span in linked_places(candidate, own, units)]
        if len(linked) > _MAX_LINKED:
            return []
        for excerpt in (*linked, Excerpt(candidate.hit, own)):
            placed[excerpt] = min(rank, placed.get(excerpt, rank))
    merged: list[Excerpt] = []
    for excerpt in sorted(placed, key=lambda e: (placed[e], e.hit.chunk.document_id, e.place, -e.span.end)):
        last = merged[-1] if merged else None
        if any(excerpt.is_within(other) for other in merged):
            continue
        if last and last.hit.chunk.id == excerpt.hit.chunk.id and excerpt.span.start < last.span.end:
            merged[-1] = Excerpt(last.hit, Span(last.span.start, max(last.span.end, excerpt.span.end)))
        else:
            merged.append(excerpt)
    return merged


def with_best_rows(
    chosen: Sequence[CandidateSentence], passages: Sequence[CandidateSentence], facet: Facet
) -> list[CandidateSentence]:
    """The chosen sentences, with a table row replaced by a row of its document that matches the question better.

    The better row has all the question words of the other, and more: for "total revenue" the row of the total is the
    answer, not the row of one segment.
    """
    asked, is_total_asked = set(facet.terms), says_total(facet.text)

    def words_held(row: CandidateSentence) -> set[str]:
        name = row.text.strip("| ").split(" | ")[0]
        return asked & terms_of(row.text) | ({_TOTAL} if is_total_asked and is_called_total(name) else set())

    rows = [(row, words_held(row)) for row in passages if row.is_labelled_row]
    best: list[CandidateSentence] = []
    for candidate in chosen:
        if candidate.is_labelled_row:
            own, document = words_held(candidate), candidate.hit.chunk.document_id
            better = [(row, held) for row, held in rows if held > own and row.hit.chunk.document_id == document]
            candidate = max(better, key=lambda one: len(one[1]), default=(candidate, own))[0]
        if candidate not in best:
            best.append(candidate)
    return best
