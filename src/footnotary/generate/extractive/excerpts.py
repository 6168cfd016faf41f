"""Extends chosen sentences so that they can be read alone: verbatim runs of a chunk with the context they need."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from footnotary.domain.evidence import Hit
from footnotary.domain.identity import Span
from footnotary.domain.query import Facet
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.sentence_roles import is_proviso
from footnotary.text.sentences.negated_lists import item_mark
from footnotary.text.sentences.split_lists import follows_directly, list_continues
from footnotary.text.tokens import terms_of
from footnotary.text.totals import is_called_total, says_total

# In characters: a longer table or list is not given whole for one row or item.
_MAX_RUN = 2000
_MAX_UNDER_HEADING = 400
_MAX_BACK = 2
_CELLS_OF_FORM = 2
_MAX_HEADING_WORDS = 4
# Stands for every word for a total: to "total revenue" the row "Consolidated" is the answer.
_TOTAL = "total"

_Units = Mapping[str, Sequence[CandidateSentence]]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A verbatim run of a hit's chunk that becomes one claim."""

    hit: Hit
    span: Span

    @classmethod
    def of(cls, candidate: CandidateSentence) -> "Excerpt":
        return cls(candidate.hit, _own_span(candidate))

    @property
    def text(self) -> str:
        return self.span.of(self.hit.chunk.text)

    @property
    def place(self) -> int:
        """Where it begins in its document."""
        return self.hit.chunk.span.start + self.span.start

    def is_within(self, other: "Excerpt") -> bool:
        same = self.hit.chunk.id == other.hit.chunk.id
        return same and other.span.start <= self.span.start and self.span.end <= other.span.end


def excerpts_of(
    chosen: Sequence[CandidateSentence], passages: Sequence[CandidateSentence], facet: Facet
) -> list[Excerpt]:
    """The chosen sentences, readable alone: sources in the order in which they were chosen, each in reading order.

    A row has the header of its table, an entry the heading that says what it is about, an item its list (a step all
    steps), and a sentence that begins with a pronoun the one before it. A list or table of which most is chosen is
    whole. Runs that overlap are one excerpt.
    """
    units: dict[str, list[CandidateSentence]] = {}
    for passage in passages:
        units.setdefault(passage.hit.chunk.id, []).append(passage)
    sources = list(dict.fromkeys(candidate.hit.chunk.id for candidate in chosen))
    placed: dict[Excerpt, int] = {}
    for candidate in chosen:
        rank = sources.index(candidate.hit.chunk.id)
        own = Excerpt(candidate.hit, _extended(candidate, units, chosen, facet))
        for excerpt in (*_linked(candidate, own, units), own):
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


def _own_span(candidate: CandidateSentence) -> Span:
    """The place of its text, without the mark of a list item."""
    return Span(candidate.span.end - len(candidate.text), candidate.span.end)


def _extended(candidate: CandidateSentence, units: _Units, chosen: Sequence[CandidateSentence], facet: Facet) -> Span:
    own = units[candidate.hit.chunk.id]
    if candidate.is_labelled_row:
        rows = [row for row in _run(candidate, own, _are_rows) if row.is_labelled_row]
        if _are_mostly_chosen(rows, chosen):
            return _within(_MAX_RUN, Span(_own_span(rows[0]).start, rows[-1].span.end), candidate)
        return _own_span(candidate)
    if candidate.is_row and _is_form(_run(candidate, own, _are_rows)):
        return _own_span(candidate)
    if candidate.is_row:
        return _within(_MAX_RUN, Span(_run(candidate, own, _are_rows)[0].span.start, candidate.span.end), candidate)
    if is_proviso(candidate.text) or is_proviso(candidate.after):
        return _with_provisos(candidate, own)
    if candidate.is_item:
        items = _run(candidate, own, _are_items)
        is_complete = candidate.is_sentence or candidate.has_nested_items
        whole = facet.type == "procedure" or not is_complete or _are_mostly_chosen(items, chosen)
        if len(items) > 1 and whole:
            return _within(_MAX_RUN, Span(_list_start(items[0], own), items[-1].span.end), candidate)
    elif not candidate.is_sentence:
        return _under_heading(candidate, own, facet)
    return Span(_antecedent_start(candidate, own), candidate.span.end)


def _are_mostly_chosen(run: Sequence[CandidateSentence], chosen: Sequence[CandidateSentence]) -> bool:
    """Whether more than half of the items or rows answer, and more than one: without the rest, they seem to be all."""
    given = sum(each in chosen for each in run)
    return given > 1 and 2 * given > len(run)


def _is_form(rows: Sequence[CandidateSentence]) -> bool:
    """Whether rows are the lines of a form, "Interest rate | 4.25%": two cells each, and no headings in the first."""
    cells = [row.text.strip("| ").split(" | ") for row in rows]
    value = cells[0][-1]
    is_value = any(char.isdigit() for char in value) or len(value.split()) > _MAX_HEADING_WORDS
    return is_value and all(len(row) == _CELLS_OF_FORM for row in cells)


def _within(limit: int, span: Span, candidate: CandidateSentence) -> Span:
    return span if len(span) <= limit else _own_span(candidate)


def _are_rows(one: CandidateSentence, other: CandidateSentence) -> bool:
    return one.is_row and other.is_row


def _are_items(one: CandidateSentence, other: CandidateSentence) -> bool:
    marks = [item_mark(each.span.of(each.hit.chunk.text)) for each in (one, other)]
    return marks[0] != "" and marks[0] == marks[1]


def _are_entries(one: CandidateSentence, other: CandidateSentence) -> bool:
    return not any(each.is_sentence or each.is_row or each.is_item for each in (one, other))


def _run(
    candidate: CandidateSentence,
    own: Sequence[CandidateSentence],
    alike: Callable[[CandidateSentence, CandidateSentence], bool],
) -> list[CandidateSentence]:
    """A candidate with its neighbours of the same kind, without a heading between them."""
    first = last = candidate.position
    while first > 0 and own[first].heading is None and alike(own[first - 1], candidate):
        first -= 1
    while last + 1 < len(own) and own[last + 1].heading is None and alike(own[last + 1], candidate):
        last += 1
    return list(own[first : last + 1])


def _list_start(first: CandidateSentence, own: Sequence[CandidateSentence]) -> int:
    """Where a list begins: with the heading above it, or else with the sentence before it.

    The title of a section of law is a marginal note: the citation names it, and the subsections are read without it.
    """
    if first.heading is not None:
        is_note = first.hit.chunk.labels.section is not None and first.is_sentence
        return first.span.start if is_note else first.heading.start
    return _own_span(own[first.position - 1]).start if first.position else first.span.start


def _under_heading(candidate: CandidateSentence, own: Sequence[CandidateSentence], facet: Facet) -> Span:
    """An entry with its heading and the entries between them, if the heading adds question words."""
    heading = _run(candidate, own, _are_entries)[0].heading
    if heading is None:
        return candidate.span
    lacking = set(facet.terms) - terms_of(candidate.text)
    if lacking.isdisjoint(terms_of(heading.of(candidate.hit.chunk.text))):
        return candidate.span
    return _within(_MAX_UNDER_HEADING, Span(heading.start, candidate.span.end), candidate)


def _with_provisos(candidate: CandidateSentence, own: Sequence[CandidateSentence]) -> Span:
    """A rule with the provisos below it, which say when it does not hold: neither is true alone."""
    first = last = candidate.position
    while first > 0 and is_proviso(own[first].text):
        first -= 1
    while is_proviso(own[last].after):
        last += 1
    return _within(_MAX_RUN, Span(_antecedent_start(own[first], own), own[last].span.end), candidate)


def _antecedent_start(candidate: CandidateSentence, own: Sequence[CandidateSentence]) -> int:
    """Where the sentence begins that an initial pronoun refers to, or else the candidate's own text."""
    for _ in range(_MAX_BACK):
        if not candidate.refers_back or candidate.heading is not None or candidate.position == 0:
            break
        candidate = own[candidate.position - 1]
    return _own_span(candidate).start


def _linked(candidate: CandidateSentence, own: Excerpt, units: _Units) -> Iterator[Excerpt]:
    """The parts of the same list in neighbouring chunks, or the sentence before that a pronoun refers to."""
    here = units[candidate.hit.chunk.id]
    before, after = _neighbours(candidate.hit, units)
    items = _run(candidate, here, _are_items)
    begins_within = items[0].position == 0 and items[0].is_item and not candidate.is_definition
    if begins_within and before and (list_continues(before[-1].text) or before[-1].is_incomplete):
        yield Excerpt(candidate.hit, Span(items[0].span.start, items[-1].span.end))
        own = Excerpt(candidate.hit, Span(items[0].span.start, items[-1].span.end))
        while before and (list_continues(before[-1].text) or before[-1].is_incomplete):
            items = _run(before[-1], before, _are_items)
            yield Excerpt(items[0].hit, Span(items[0].span.start, items[-1].span.end))
            goes_on = items[0].position == 0 and items[0].is_item and not items[-1].is_definition
            before = _neighbours(items[0].hit, units)[0] if goes_on else ()
    elif candidate.position == 0 and before and candidate.refers_back and candidate.heading is None:
        yield Excerpt.of(before[-1])
    while after and own.span.end == here[-1].span.end and list_continues(own.text) and _is_next_item(after[0]):
        here = after
        items = _run(here[0], here, _are_items)
        own = Excerpt(here[0].hit, Span(here[0].span.start, items[-1].span.end))
        yield own
        after = _neighbours(own.hit, units)[1]


def _is_next_item(candidate: CandidateSentence) -> bool:
    return candidate.is_item and not candidate.is_definition


def _neighbours(hit: Hit, units: _Units) -> tuple[Sequence[CandidateSentence], Sequence[CandidateSentence]]:
    """The candidates of the chunks directly before and after a hit's, if they were retrieved."""
    chunk = hit.chunk
    before: Sequence[CandidateSentence] = ()
    after: Sequence[CandidateSentence] = ()
    for own in units.values():
        other = own[0].hit.chunk
        before = own if follows_directly(other, chunk) else before
        after = own if follows_directly(chunk, other) else after
    return before, after
