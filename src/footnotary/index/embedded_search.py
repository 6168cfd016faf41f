"""How the embedded store searches a project as of a mark: by words, by meaning and by provision, within filters."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Filters, Reference
from footnotary.index.derived import DerivedIndexes
from footnotary.index.matching import clause_first, provision, unwanted, wanted
from footnotary.index.sqlite_catalog import SqliteCatalog
from footnotary.index.sqlite_changes import Mark
from footnotary.ports import Scored, Vector

_REMEMBERED_FILTERS = 64


class EmbeddedSearch:
    """Finds by the derived indexes and names by the truth; what filters come to is remembered for a mark."""

    def __init__(self, catalog: SqliteCatalog, indexes: Callable[[int], DerivedIndexes]) -> None:
        self._catalog = catalog
        self._indexes = indexes
        self._works = lru_cache(_REMEMBERED_FILTERS)(self._works_at)
        self._asked = lru_cache(_REMEMBERED_FILTERS)(self._asked_at)
        self._allowed = lru_cache(_REMEMBERED_FILTERS)(self._allowed_at)

    def lexical(self, number: int, mark: Mark, terms: Sequence[str], k: int, filters: Filters) -> Sequence[Scored]:
        asked = self._asked(number, mark, filters)
        if not all(asked.values()):
            return ()
        derived = self._indexes(number)
        try:
            hits = derived.at(mark).lexicon.search(terms, k, asked, unwanted(filters))
        except ValueError:  # damaged files that opened all the same
            derived.distrust()
            hits = derived.at(mark).lexicon.search(terms, k, asked, unwanted(filters))
        return self._ranked(hits, k)

    def dense(self, number: int, mark: Mark, vector: Vector, k: int, filters: Filters) -> Sequence[Scored]:
        allowed = self._allowed(number, mark, filters) if filters.any else None
        try:
            hits = self._indexes(number).at(mark).matrix.search(vector, k, allowed)
        except ValueError:  # a damaged first pass
            hits = self._indexes(number).without_first_pass(mark).matrix.search(vector, k, allowed)
        return self._ranked(hits, k)

    def lookup(self, number: int, mark: Mark, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        asked = provision(reference, filters, self._works(number, mark))
        if asked is None or not all(asked.values()):
            return ()
        rows = self._catalog.provision(number, asked, unwanted(filters))
        return [row[2] for row in sorted(rows, key=lambda row: (clause_first(reference.clause, row[3]), *row[:3]))]

    def _works_at(self, number: int, mark: Mark) -> tuple[str, ...]:  # noqa: ARG002 (what is remembered is for a mark)
        return tuple(self._catalog.works(number))

    def _asked_at(self, number: int, mark: Mark, filters: Filters) -> dict[str, tuple[str, ...]]:
        return wanted(filters, self._works(number, mark) if filters.act is not None else ())

    def _allowed_at(self, number: int, mark: Mark, filters: Filters) -> NDArray[np.int64]:
        asked = self._asked(number, mark, filters)
        return np.array(self._catalog.numbers(number, asked, unwanted(filters)), np.int64)

    def _ranked(self, found: Sequence[tuple[int, float]], k: int) -> list[Scored]:
        ids = self._catalog.ids([number for number, _ in found])
        hits = [Scored(ids[number], score) for number, score in found if number in ids]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]
