"""Completes the rows or items that were chosen of a table or list, if the question asks for all of it."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from footnotary.domain.chunk import Chunk
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.extension import MAX_RUN, are_items, run_of
from footnotary.text.question_forms import RequestedList, requested_list
from footnotary.text.tokens import terms_of, words

_FEWEST = 2


def with_whole_lists(
    chosen: Sequence[CandidateSentence],
    passages: Sequence[CandidateSentence],
    question: str,
    *,
    is_certain: bool,
) -> list[CandidateSentence]:
    """The chosen sentences, with all rows or items of their table or list if the question asks for all of them.

    It does, if it is in the plural, and no word of it distinguishes some rows or items from the others: each is in the
    headings or in all of them. The word for what the items are, "rules", may be missing, unless one sentence alone
    `is_certain` to answer. A table or list that is too long to be given stays as chosen.
    """
    request = requested_list(question)
    if request is None:
        return list(chosen)
    completed: list[CandidateSentence] = []
    for candidate in chosen:
        whole = _list_of(candidate, passages)
        fits = sum(len(each.text) for each in whole) <= MAX_RUN
        if not fits or not _is_asked_for(request, whole, is_certain=is_certain):
            whole = [candidate]
        completed += [each for each in whole if each not in completed]
    return completed


def _list_of(candidate: CandidateSentence, passages: Sequence[CandidateSentence]) -> list[CandidateSentence]:
    """The rows of a candidate's table, which may run over passages, or the items of its list; else only itself."""
    chunk = candidate.hit.chunk
    if candidate.is_labelled_row:
        rows = [row for row in passages if row.is_labelled_row and _is_same_table(row, candidate)]
        return sorted(rows, key=lambda row: row.hit.chunk.span.start + row.span.start)
    if candidate.is_item:
        own = [each for each in passages if each.hit.chunk.id == chunk.id]
        return run_of(candidate, own, are_items)
    return [candidate]


def _is_same_table(row: CandidateSentence, other: CandidateSentence) -> bool:
    one, two = row.hit.chunk, other.hit.chunk
    is_same_section = one.document_id == two.document_id and one.section == two.section
    return is_same_section and _label(row.cells[0]) == _label(other.cells[0])


def _label(cell: str) -> str:
    return cell.partition(": ")[0]


def _is_asked_for(request: RequestedList, run: Sequence[CandidateSentence], *, is_certain: bool) -> bool:
    if len(run) < _FEWEST:
        return False
    first = run[0]
    headings = _terms_of_all(_headings(first.hit.chunk))
    in_some = _terms_of_all(each.text for each in run)
    in_all = in_some.intersection(*(terms_of(each.text) for each in run))
    named, predicate = terms_of(request.name), terms_of(request.predicate)
    unnamed = named - headings - in_all
    if not predicate <= headings or not unnamed.isdisjoint(in_some):
        return False
    if first.is_labelled_row:
        return bool(named) and not unnamed
    kind = terms_of(" ".join(takewhile(terms_of, words(request.name.removeprefix("the ")))))
    is_about_section = not named.isdisjoint(terms_of(first.title))
    return is_about_section and (not unnamed or (unnamed <= kind and not is_certain))


def _headings(chunk: Chunk) -> Iterable[str]:
    return (part for part in (chunk.labels.act, *chunk.section, chunk.labels.title) if part)


def _terms_of_all(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(terms_of, texts))
