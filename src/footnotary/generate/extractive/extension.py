"""Extends a chosen sentence within its chunk so that it can be read alone."""

import re
from collections.abc import Callable, Mapping, Sequence

from footnotary.domain.identity import Span
from footnotary.domain.query import Facet
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.sentence_roles import is_proviso
from footnotary.text.sentences.negated_lists import item_mark
from footnotary.text.stopwords import MODALS
from footnotary.text.tokens import terms_of, words

# In characters: a longer table or list is not given whole for one row or item.
MAX_RUN = 2000
_MAX_UNDER_HEADING = 400
_MAX_BACK = 2
_CELLS_OF_FORM = 2
_MAX_HEADING_WORDS = 4
_NAME_AND_FIGURE = re.compile(r"[^:\n]{1,60}:\s[^:\n]*\d")
# Words that are the verb of a clause wherever they stand, unless the clause only describes a noun: "cars that are old".
_VERBS = MODALS | frozenset("is are was were has have had does do".split())
_RELATIVE = frozenset("who whom whose which that where when if".split())


def extended_span(
    candidate: CandidateSentence,
    own: Sequence[CandidateSentence],
    chosen: Sequence[CandidateSentence],
    facet: Facet,
    *,
    whole_lists: bool = False,
) -> Span:
    """The place of a candidate with what it needs of its chunk, whose units are `own`.

    A row has the header of its table, an entry the heading that says what it is about, an item its list (a step all
    steps), and a sentence that begins with a pronoun the one before it. A list or table of which most is chosen is
    whole. An item that is a sentence, or that alone has words of the question, stays alone, unless `whole_lists`.
    """
    if candidate.is_labelled_row:
        rows = [row for row in run_of(candidate, own, _are_rows) if row.is_labelled_row]
        if _are_mostly_chosen(rows, chosen):
            return _within(MAX_RUN, Span(rows[0].text_span.start, rows[-1].span.end), candidate)
        return candidate.text_span
    if candidate.is_row and _is_form(run_of(candidate, own, _are_rows)):
        return candidate.text_span
    if candidate.is_row:
        return _within(MAX_RUN, Span(run_of(candidate, own, _are_rows)[0].span.start, candidate.span.end), candidate)
    if is_proviso(candidate.text) or is_proviso(candidate.after):
        return _with_provisos(candidate, own)
    if candidate.is_item:
        items = run_of(candidate, own, are_items)
        is_alone = not whole_lists and _is_named_alone(candidate, items, facet)
        is_complete = candidate.is_sentence or candidate.has_nested_items or is_alone
        whole = facet.type == "procedure" or not is_complete or _are_mostly_chosen(items, chosen)
        if len(items) > 1 and whole:
            return _within(MAX_RUN, Span(_list_start(items[0], own), items[-1].span.end), candidate)
    elif not candidate.is_sentence:
        return _under_heading(candidate, own, facet)
    return Span(_antecedent_start(candidate, own), candidate.span.end)


def without_other_items(
    chosen: Sequence[CandidateSentence], units: Mapping[str, Sequence[CandidateSentence]], facet: Facet
) -> list[CandidateSentence]:
    """The chosen units without items next to one that alone has words of the question; `units` are all, by chunk.

    "Child ticket: 3 euros" answers what a child pays, and "Adult ticket: 5 euros" adds nothing. Items with a full stop
    stay.
    """

    def is_beside(candidate: CandidateSentence) -> bool:
        if not candidate.is_item or candidate.is_sentence:
            return False
        items = run_of(candidate, units[candidate.hit.chunk.id], are_items)
        named = [item for item in items if item in chosen and _is_named_alone(item, items, facet)]
        return bool(named) and candidate not in named

    return [candidate for candidate in chosen if not is_beside(candidate)]


def _are_mostly_chosen(run: Sequence[CandidateSentence], chosen: Sequence[CandidateSentence]) -> bool:
    """Whether more than half of the items or rows answer, and more than one: without the rest, they seem to be all."""
    given = sum(each in chosen for each in run)
    return given > 1 and 2 * given > len(run)


def _is_named_alone(item: CandidateSentence, items: Sequence[CandidateSentence], facet: Facet) -> bool:
    """Whether an item below a heading states something, and has words of the question that no other item has.

    "Dogs" below "Not allowed" states nothing alone, nor does an item that a sentence introduces.
    """
    if (items[0].heading is None and items[0].position) or not (item.has_nested_items or _states_something(item.text)):
        return False
    held = set(facet.terms) & terms_of(item.text)
    return bool(held) and not any(held <= terms_of(other.text) for other in items if other is not item)


def _states_something(text: str) -> bool:
    """Whether a text without a full stop is a clause with a verb, or a name with a figure: "Child ticket: 3 euros"."""
    if _NAME_AND_FIGURE.match(text):
        return True
    said = words(text)
    verb = next((n for n, word in enumerate(said) if word in _VERBS), len(said))
    return verb < len(said) and _RELATIVE.isdisjoint(said[:verb])


def _is_form(rows: Sequence[CandidateSentence]) -> bool:
    """Whether rows are the lines of a form, "Interest rate | 4.25%": two cells each, and no headings in the first."""
    cells = [row.cells for row in rows]
    value = cells[0][-1]
    is_value = any(char.isdigit() for char in value) or len(value.split()) > _MAX_HEADING_WORDS
    return is_value and all(len(row) == _CELLS_OF_FORM and all(row) for row in cells)


def _within(limit: int, span: Span, candidate: CandidateSentence) -> Span:
    return span if len(span) <= limit else candidate.text_span


def _are_rows(one: CandidateSentence, other: CandidateSentence) -> bool:
    return one.is_row and other.is_row


def are_items(one: CandidateSentence, other: CandidateSentence) -> bool:
    marks = [item_mark(each.span.of(each.hit.chunk.text)) for each in (one, other)]
    return marks[0] != "" and marks[0] == marks[1]


def _are_entries(one: CandidateSentence, other: CandidateSentence) -> bool:
    return not any(each.is_sentence or each.is_row or each.is_item for each in (one, other))


def run_of(
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
    return own[first.position - 1].text_span.start if first.position else first.span.start


def _under_heading(candidate: CandidateSentence, own: Sequence[CandidateSentence], facet: Facet) -> Span:
    """An entry with its heading and the entries between them, if the heading adds question words."""
    heading = run_of(candidate, own, _are_entries)[0].heading
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
    return _within(MAX_RUN, Span(_antecedent_start(own[first], own), own[last].span.end), candidate)


def _antecedent_start(candidate: CandidateSentence, own: Sequence[CandidateSentence]) -> int:
    """Where the sentence begins that an initial pronoun refers to, or else the candidate's own text."""
    for _ in range(_MAX_BACK):
        if not candidate.refers_back or candidate.heading is not None or candidate.position == 0:
            break
        candidate = own[candidate.position - 1]
    return candidate.text_span.start
