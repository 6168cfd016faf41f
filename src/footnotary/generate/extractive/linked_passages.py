"""The parts of a chosen list or definition in neighbouring chunks, and the sentence before that a pronoun refers to."""

from collections.abc import Iterator, Mapping, Sequence

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.extension import are_items, run_of
from footnotary.text.sentences.split_lists import follows_directly, is_split_list, list_is_open

Units = Mapping[str, Sequence[CandidateSentence]]
Place = tuple[Hit, Span]


def linked_places(candidate: CandidateSentence, own: Span, units: Units) -> Iterator[Place]:
    """The places that a candidate needs besides its `own` one, in other chunks or around it.

    An item of a list has the list's parts in the chunks before and after; a definition has all that belongs to it:
    items, provisos and explanations.
    """
    here = units[candidate.hit.chunk.id]
    before, after = _neighbours(candidate.hit, units)
    items = run_of(candidate, here, are_items)
    first = candidate
    if items[0].position == 0 and items[0].is_item and not candidate.is_definition and _end_open(before):
        own = Span(items[0].span.start, items[-1].span.end)
        yield candidate.hit, own
        while last := _end_open(before):
            items = [last] if last.is_definition else run_of(last, before, are_items)
            first = items[0]
            yield first.hit, Span(first.span.start, last.span.end)
            goes_on = first.position == 0 and first.is_item and not first.is_definition
            before = _neighbours(first.hit, units)[0] if goes_on else ()
    elif candidate.position == 0 and before and candidate.refers_back and candidate.heading is None:
        yield before[-1].hit, before[-1].text_span
    if first.is_definition and first.hit.chunk.kind == "definition":
        yield from _definition_places(first, units)
        return
    while after and own.end == here[-1].span.end and list_is_open(here[-1].text) and _is_next_item(after[0]):
        here = after
        items = run_of(here[0], here, are_items)
        own = Span(here[0].span.start, items[-1].span.end)
        yield here[0].hit, own
        after = _neighbours(here[0].hit, units)[1]


def _definition_places(first: CandidateSentence, units: Units) -> Iterator[Place]:
    """The whole definition that begins with a unit, by chunk; editors' notes are no part of it."""
    units_here = units[first.hit.chunk.id][first.position :]
    start = first.text_span.start
    while units_here:
        ends = (n for n, unit in enumerate(units_here) if unit.role == "note" or (n and unit.is_definition))
        own = units_here[: next(ends, len(units_here))]
        if not own:
            return
        hit = own[0].hit
        yield hit, Span(start, own[-1].span.end)
        after = _neighbours(hit, units)[1]
        goes_on = len(own) == len(units_here) and after and is_split_list(hit.chunk, after[0].hit.chunk)
        units_here = after if goes_on else ()
        start = 0


def _end_open(units: Sequence[CandidateSentence]) -> CandidateSentence | None:
    """The last unit of a chunk, if it ends before an item of a list."""
    last = units[-1] if units else None
    return last if last and (list_is_open(last.text) or last.is_incomplete) else None


def _is_next_item(candidate: CandidateSentence) -> bool:
    return candidate.is_item and not candidate.is_definition


def _neighbours(hit: Hit, units: Units) -> tuple[Sequence[CandidateSentence], Sequence[CandidateSentence]]:
    """The candidates of the chunks directly before and after a hit's, if they were retrieved."""
    chunk = hit.chunk
    before: Sequence[CandidateSentence] = ()
    after: Sequence[CandidateSentence] = ()
    for own in units.values():
        other = own[0].hit.chunk
        before = own if follows_directly(other, chunk) else before
        after = own if follows_directly(chunk, other) else after
    return before, after
