"""Prefers passages of documents in force to those of their predecessors and successors."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import cache

from footnotary.domain.evidence import Hit
from footnotary.domain.query import Scope
from footnotary.domain.validity import ValidityCalendar
from footnotary.ports import Store

# A passage in force that is less than half as relevant is about something else, and replaces nothing.
_MIN_REPLACEMENT_RATIO = 0.5


def load_calendar(scope: Scope, store: Store) -> ValidityCalendar:
    """The status of the project's documents on the day in question; if the scope has no day, nothing is known."""
    return (
        ValidityCalendar({}, date.min)
        if scope.as_of is None
        else ValidityCalendar(store.validities(scope.project), scope.as_of)
    )


def restrict_to_in_force(scope: Scope, calendar: ValidityCalendar) -> Scope:
    """The scope without the documents that are not in force."""
    without = scope.filters.without | calendar.not_in_force()
    return replace(scope, filters=replace(scope.filters, without=without))


def with_validity_status(hits: Iterable[Hit], calendar: ValidityCalendar) -> Iterator[Hit]:
    """The hits, each with the standing of its document."""
    standing = cache(calendar.standing)
    for hit in hits:
        known = standing(hit.chunk.document_id)
        yield hit if known is None else replace(hit, standing=known)


def prefer_in_force(hits: Iterable[Hit], calendar: ValidityCalendar) -> Iterator[Hit]:
    """The dated hits in order, without those not in force that a hit in force of the same lineage replaces.

    A hit replaces another if it is at least half as relevant. A provision that the question names is replaced only by
    one that it also names: a question about a section of the old act gets that section.
    """
    if not calendar.not_in_force():  # the usual case, in which the hits can stay lazy
        yield from hits
        return
    every = tuple(hits)
    lineage = cache(calendar.lineage)
    for hit in every:
        kin = frozenset[str]() if hit.is_in_force else lineage(hit.chunk.document_id)
        if not any(_replaces(other, hit) for other in every if other.chunk.document_id in kin and other.is_in_force):
            yield hit


def _replaces(one: Hit, other: Hit) -> bool:
    return one.score >= _MIN_REPLACEMENT_RATIO * other.score and (one.via == "reference" or other.via != "reference")
