"""A store with some passages hidden, to test what happens when the source of an answer is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Filters, Reference
from footnotary.ports import ScoredId, Store, Vector

# One section may be split into many passages, and a document into more: all of them are hidden.
_EXTRA_HITS = 50
_WIDENING_FACTOR = 4


class PassageHidingStore:
    """A read-only `Store` that never returns the passages with one of these names.

    A name is a passage's id or alias, the id of its section (`IPC_420` hides `IPC_420_0` and `IPC_420_1`), or the id
    of its document.
    """

    def __init__(self, store: Store, names: Iterable[str]) -> None:
        self._store = store
        self._names = frozenset(names)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def lexical(self, project: str, terms: Sequence[str], k: int, filters: Filters) -> Sequence[ScoredId]:
        return self._first(project, k, lambda most: self._store.lexical(project, terms, most, filters))

    def dense(self, project: str, vector: Vector, k: int, filters: Filters) -> Sequence[ScoredId]:
        return self._first(project, k, lambda most: self._store.dense(project, vector, most, filters))

    def lexical_and_dense(
        self, project: str, terms: Sequence[str], vector: Vector, k: int, filters: Filters
    ) -> tuple[Sequence[ScoredId], Sequence[ScoredId]]:
        return self.lexical(project, terms, k, filters), self.dense(project, vector, k, filters)

    def lookup(self, project: str, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        found = self._store.lookup(project, reference, filters)
        there = {chunk.id for chunk in self.chunks(project, found)}
        return [cited for cited in found if cited in there]

    def chunks(self, project: str, ids: Sequence[SemanticId]) -> Sequence[Chunk]:
        return [chunk for chunk in self._store.chunks(project, ids) if self._names.isdisjoint(passage_names(chunk))]

    def _first(self, project: str, k: int, search: Callable[[int], Sequence[ScoredId]]) -> list[ScoredId]:
        """The first `k` that are not hidden: the search is widened until there are `k`, or nothing more is found."""
        most = k + _EXTRA_HITS
        while True:
            found = search(most)
            left = self._without_hidden(project, found)
            if len(left) >= k or len(found) < most:
                return left[:k]
            most *= _WIDENING_FACTOR

    def _without_hidden(self, project: str, found: Sequence[ScoredId]) -> list[ScoredId]:
        there = {chunk.id for chunk in self.chunks(project, [scored.id for scored in found])}
        return [scored for scored in found if scored.id in there]


def passage_names(chunk: Chunk) -> tuple[str, ...]:
    """All names of a passage: its id, its section's id, its aliases, its document's id."""
    section, _, ordinal = chunk.id.rpartition("_")
    own = (chunk.id, section) if section and ordinal.isdigit() else (chunk.id,)
    return tuple(dict.fromkeys((*own, *chunk.aliases, chunk.document_id)))
