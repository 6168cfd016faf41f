"""Search in the embedded store at one revision of a project: lexical, dense and by provision, within filters."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Filters, Reference
from footnotary.errors import BackendError
from footnotary.index.embedded.derived_indexes import DerivedIndexes
from footnotary.index.label_matching import (
    allowed_facet_keys,
    clause_sort_key,
    excluded_document_keys,
    provision_facet_keys,
)
from footnotary.index.sqlite.catalog import SqliteCatalog
from footnotary.index.sqlite.changes import Revision
from footnotary.ports import ScoredId, Vector

_FILTER_CACHE_SIZE = 64
_MAX_ATTEMPTS = 10


class EmbeddedSearch:
    """Searches the derived indexes and resolves ids in the catalog; filter results are cached per revision.

    Safe to share between threads. Starts its own threads for combined searches of large projects, until `close`.
    """

    def __init__(self, catalog: SqliteCatalog, indexes: Callable[[int], DerivedIndexes]) -> None:
        self._catalog = catalog
        self._indexes = indexes
        self._works = lru_cache(_FILTER_CACHE_SIZE)(self._works_at)
        self._asked = lru_cache(_FILTER_CACHE_SIZE)(self._asked_at)
        self._allowed = lru_cache(_FILTER_CACHE_SIZE)(self._allowed_at)
        self._cores = os.cpu_count() or 1
        self._executor = ThreadPoolExecutor(self._cores, "by-words")

    def close(self) -> None:
        """Ends its threads after their current work."""
        self._executor.shutdown()

    def lexical(
        self, number: int, revision: Revision, terms: Sequence[str], k: int, filters: Filters
    ) -> Sequence[ScoredId]:
        asked = self._asked(number, revision, filters)
        if not all(asked.values()):
            return ()
        derived = self._indexes(number)

        def found(revision: Revision) -> tuple[Revision, Sequence[tuple[int, float]]]:
            held = derived.at(revision)
            try:
                return held.revision, held.lexicon.search(terms, k, asked, excluded_document_keys(filters))
            except ValueError:  # damaged files that opened all the same
                derived.invalidate()
                held = derived.at(revision)
                return held.revision, held.lexicon.search(terms, k, asked, excluded_document_keys(filters))

        return self._named(number, revision, k, found)

    def dense(self, number: int, revision: Revision, vector: Vector, k: int, filters: Filters) -> Sequence[ScoredId]:
        derived = self._indexes(number)

        def found(revision: Revision) -> tuple[Revision, Sequence[tuple[int, float]]]:
            held = derived.at(revision)
            allowed = self._allowed_in(number, held.revision, filters) if filters.any else None
            try:
                return held.revision, held.matrix.search(vector, k, allowed)
            except ValueError:  # a damaged ANN index
                held = derived.without_ann_index(revision)
                allowed = self._allowed_in(number, held.revision, filters) if filters.any else None
                return held.revision, held.matrix.search(vector, k, allowed)

        return self._named(number, revision, k, found)

    def both(
        self, number: int, revision: Revision, terms: Sequence[str], vector: Vector, k: int, filters: Filters
    ) -> tuple[Sequence[ScoredId], Sequence[ScoredId]]:
        """The results of `lexical` and `dense`: computed in parallel in a large project, where each takes milliseconds.

        Both release the interpreter lock while they work. Raises what either raises, and leaves nothing running.
        """
        begun = self._begun(number, revision, terms, k, filters)
        if begun is None:
            return self.lexical(number, revision, terms, k, filters), self.dense(number, revision, vector, k, filters)
        try:
            by_meaning = self.dense(number, revision, vector, k, filters)
        except BaseException:
            if not begun.cancel():
                begun.exception()
            raise
        # If it is still queued behind other callers, it is faster to run it here.
        by_words = self.lexical(number, revision, terms, k, filters) if begun.cancel() else begun.result()
        return by_words, by_meaning

    def _begun(
        self, number: int, revision: Revision, terms: Sequence[str], k: int, filters: Filters
    ) -> Future[Sequence[ScoredId]] | None:
        """The lexical search, started in another thread; None if that is no gain or not possible."""
        if self._cores < 2 or self._indexes(number).at(revision).matrix.first is None:
            return None
        try:
            return self._executor.submit(self.lexical, number, revision, terms, k, filters)
        except RuntimeError:  # closed meanwhile (the search itself reports that), or no more threads available
            return None

    def lookup(self, number: int, revision: Revision, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        asked = provision_facet_keys(reference, filters, self._works(number, revision))
        if asked is None or not all(asked.values()):
            return ()
        rows = self._catalog.provision(number, asked, excluded_document_keys(filters))
        return [row[2] for row in sorted(rows, key=lambda row: (clause_sort_key(reference.clause, row[3]), *row[:3]))]

    def _works_at(self, number: int, revision: Revision) -> tuple[str, ...]:  # noqa: ARG002 (part of the cache key)
        return tuple(self._catalog.works(number))

    def _asked_at(self, number: int, revision: Revision, filters: Filters) -> dict[str, tuple[str, ...]]:
        return allowed_facet_keys(filters, self._works(number, revision) if filters.act is not None else ())

    def _allowed_at(self, number: int, revision: Revision, filters: Filters) -> NDArray[np.int64]:
        asked = self._asked(number, revision, filters)
        return np.array(self._catalog.numbers(number, asked, excluded_document_keys(filters)), np.int64)

    def _allowed_in(self, number: int, revision: Revision, filters: Filters) -> NDArray[np.int64]:
        """The chunks the filters allow in indexes at `revision`, and everything deleted from the catalog since.

        Whether a deleted chunk was allowed is no longer known; if it is found, it is recognized as deleted.
        """
        allowed = self._allowed(number, revision, filters)
        gone = self._catalog.removed_since(number, revision)
        return np.union1d(allowed, np.array(gone, np.int64)) if gone else allowed

    def _named(
        self,
        number: int,
        revision: Revision,
        k: int,
        found: Callable[[Revision], tuple[Revision, Sequence[tuple[int, float]]]],
    ) -> list[ScoredId]:
        """The results of `found` at a revision, with the ids from the catalog.

        If one of the chunks was deleted from the catalog meanwhile, the search runs again: a document that is being
        replaced is found in its old or new version and never missed in between. Raises `BackendError` after too many
        attempts.
        """
        for _ in range(_MAX_ATTEMPTS):
            at, hits = found(revision)
            ids = self._catalog.ids([chunk for chunk, _ in hits])
            revision = self._catalog.revision(number)
            if len(ids) == len(hits) or revision == at:
                named = [ScoredId(ids[chunk], score) for chunk, score in hits if chunk in ids]
                return sorted(named, key=lambda hit: (-hit.score, hit.id))[:k]
        raise BackendError("the project changed faster than it could be searched", hint="try again", retryable=True)
