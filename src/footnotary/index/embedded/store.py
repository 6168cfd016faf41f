"""The default store: one folder per tenant, no server.

`truth.db`, the catalog, holds everything (`sqlite.catalog`). Under `derived/`, each project has a lexical index and a
vector matrix that can be deleted at any time (`derived_indexes`). A search reads the project's revision from the
catalog, asks for both indexes at that revision, and resolves the chunk numbers they find to ids in the catalog again:
nothing is found that is not there.

One process writes at a time: `put` and `delete` hold `write.lock` for their transaction, wait for it for a moment,
and raise `StoreLocked` after that. Readers never need that lock. Updating the derived indexes has its own lock, which
any process may take and none depends on; `derived_indexes` gives the reasons.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from threading import Lock

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import Document
from footnotary.domain.identity import SemanticId
from footnotary.domain.query import Filters, Reference
from footnotary.domain.validity import Validity
from footnotary.durable import make_durable_folder
from footnotary.errors import BackendError, StoreCorrupt, UsageError
from footnotary.index.embedded.derived_indexes import DerivedIndexes
from footnotary.index.embedded.derived_state import IndexSnapshot
from footnotary.index.embedded.search import EmbeddedSearch
from footnotary.index.embedded.store_check import check_store
from footnotary.index.embedded.stored_documents import StoredDocumentReader
from footnotary.index.manifest import Manifest, require_matching_manifest
from footnotary.index.sqlite.catalog import CATALOG_REPAIR_HINT, SqliteCatalog
from footnotary.index.sqlite.changes import Revision
from footnotary.index.sqlite.embedder_switch import VectorLookup
from footnotary.index.validation import unit_vector, validate_document
from footnotary.index.writer_lock import WriterLock
from footnotary.ports import PutResult, ScoredId, Vector, Vectors

_REVISION_CACHE_SIZE = 64
# Below this the exact scan takes a few milliseconds.
DEFAULT_ANN_MIN_CHUNKS = 200_000


def _now() -> datetime:
    return datetime.now(UTC)


class EmbeddedStore(StoredDocumentReader):
    """A `Store` in a folder; threads may share it, and so may processes.

    With `read_only` nothing in the folder is written. `lock_wait_s` is how long a writer waits for another one, and a
    reader for another process that is updating the derived indexes. `now` is the clock for the times at which versions
    are stored and replaced. A project with `ann_min_chunks` passages or more is searched with an ANN index.
    """

    def __init__(
        self,
        folder: Path,
        embedder_name: str,
        dimensions: int,
        *,
        read_only: bool = False,
        lock_wait_s: float = 2.0,
        now: Callable[[], datetime] = _now,
        ann_min_chunks: int = DEFAULT_ANN_MIN_CHUNKS,
    ) -> None:
        self.folder = folder
        self.manifest = Manifest(embedder_name, dimensions)
        self._read_only = read_only
        self._lock_wait_s = lock_wait_s
        self._now = now
        self._ann_min_chunks = ann_min_chunks
        self._writing = WriterLock(folder, read_only=read_only, wait_s=lock_wait_s)
        catalog = SqliteCatalog(folder / "truth.db", read_only=read_only)
        super().__init__(catalog, dimensions)
        self._catalog = catalog
        self._derived: dict[int, DerivedIndexes] = {}
        self._bulk: list[str] = []
        self._guard = Lock()
        self._search = EmbeddedSearch(self._catalog, self._indexes)
        self._fitting = lru_cache(_REVISION_CACHE_SIZE)(self._fitting_at)
        try:
            self._open(self.manifest)
        except BaseException:
            self._catalog.close()
            raise

    @staticmethod
    def as_built(folder: Path, *, read_only: bool = False) -> "EmbeddedStore":
        """The store in a folder, whichever embedder it was built with: for uses that need no new vectors.

        Raises `UsageError` if there is none.
        """
        catalog = SqliteCatalog(folder / "truth.db", read_only=True)
        try:
            built = catalog.manifest()
        finally:
            catalog.close()
        if built is None:
            raise UsageError(
                f"there is no store in {folder}", hint="ingest documents first, or name another data directory"
            )
        return EmbeddedStore(folder, built.embedder, built.dimensions, read_only=read_only)

    def close(self) -> None:
        self._search.close()
        for derived in self._derived.values():
            derived.close()
        self._catalog.close()
        self._derived.clear()

    # -- changes -------------------------------------------------------------------------------------------------

    def put(self, project: str, document: Document, chunks: Sequence[Chunk], vectors: Vectors, code: str) -> PutResult:
        validate_document(project, document, chunks, vectors, self._dimensions)
        rows = [row.tobytes() for row in vectors.astype("<f4")]
        with self._writing.held():
            self._require_fit()
            result = self._catalog.put(project, document, chunks, rows, code, self._now())
        self._settle(project)
        return result

    def switch_embedder(self, to: Manifest, vector_of: VectorLookup) -> int:
        """Replaces all vectors with another embedder's, or none; close this store afterwards.

        Returns the number of passages. Raises `StoreLocked` if `vector_of` has no vector for a passage.
        """
        with self._writing.held():
            return self._catalog.switch_embedder(to, vector_of)

    def delete(self, project: str, document_id: str, *, keep_history: bool = False) -> bool:
        with self._writing.held():
            deleted = self._catalog.delete(project, document_id, self._now(), keep_history=keep_history)
        if deleted:
            self._settle(project)
        return deleted

    def delete_project(self, project: str) -> int:
        """Deletes everything in a project at once, with all history; returns the number of documents, including
        former ones."""
        with self._writing.held():
            deleted = self._catalog.delete_project(project, self._now())
        if deleted:
            self._settle(project)
        return deleted

    def set_validity(self, project: str, document_id: str, validity: Validity) -> bool:
        with self._writing.held():
            changed = self._catalog.set_validity(project, document_id, validity, self._now())
        if changed:
            self._settle(project)
        return changed

    @contextmanager
    def bulk(self, project: str) -> Generator[None]:
        """For many documents: each is durable when its `put` returns, the derived indexes are updated once, at the end.

        A search meanwhile finds everything put so far; it only has to update the indexes first.
        """
        self._bulk.append(project)
        try:
            yield
        finally:
            self._bulk.remove(project)
            self._settle(project, is_last=True)

    # -- searches ------------------------------------------------------------------------------------------------

    def lexical(self, project: str, terms: Sequence[str], k: int, filters: Filters) -> Sequence[ScoredId]:
        found = self._catalog.find(project)
        return () if found is None else self._search.lexical(*found, terms, k, filters)

    def dense(self, project: str, vector: Vector, k: int, filters: Filters) -> Sequence[ScoredId]:
        question = unit_vector(vector, self._dimensions)
        found = self._found_fitting(project)
        return () if found is None else self._search.dense(*found, question, k, filters)

    def lexical_and_dense(
        self, project: str, terms: Sequence[str], vector: Vector, k: int, filters: Filters
    ) -> tuple[Sequence[ScoredId], Sequence[ScoredId]]:
        """The results of `lexical` and `dense`, computed in parallel in a large project."""
        question = unit_vector(vector, self._dimensions)
        found = self._found_fitting(project)
        return ((), ()) if found is None else self._search.both(*found, terms, question, k, filters)

    def lookup(self, project: str, reference: Reference, filters: Filters) -> Sequence[SemanticId]:
        found = self._catalog.find(project)
        return () if found is None else self._search.lookup(*found, reference, filters)

    # -- checks --------------------------------------------------------------------------------------------------

    def check(self, deep: bool = False) -> list[str]:
        """The problems found, as text; empty if there are none. `deep` reads every passage and every vector."""
        return check_store(self._catalog, self._snapshot, self._dimensions, deep=deep)

    # -- internals -----------------------------------------------------------------------------------------------

    def _open(self, settings: Manifest) -> None:
        path = self._catalog.path
        if self._read_only and not path.exists():
            raise UsageError(
                f"there is no store in {self.folder}", hint="ingest documents first, or name another data directory"
            )
        try:
            make_durable_folder(self.folder)
            built = self._catalog.manifest()
            if built is None:
                built = self._created(settings)
        except OSError as error:
            raise BackendError(
                f"{self.folder} cannot be used as a store: {error}",
                hint="check the folder's permissions and free disk space",
            ) from error
        require_matching_manifest(path, built, settings)
        if built.schema < settings.schema and not self._read_only:
            with self._writing.held():
                self._catalog.upgrade(settings.schema)

    def _created(self, settings: Manifest) -> Manifest:
        """Creates the catalog, unless another process was first."""
        if any((self.folder / "derived").glob("*/state.json")):
            raise StoreCorrupt(
                f"{self._catalog.path} is empty or missing, but indexes derived from it exist",
                hint=CATALOG_REPAIR_HINT,
            )
        with self._writing.held():
            built = self._catalog.manifest()
            if built is None:
                self._catalog.create(settings)
                built = settings
        return built

    def _found_fitting(self, project: str) -> tuple[int, Revision] | None:
        """The project's number and revision. Raises if it was re-embedded since this store was opened: then its
        vectors are from another embedder."""
        found = self._catalog.find(project)
        if found is not None:
            self._fitting(*found)
        return found

    def _fitting_at(self, number: int, revision: Revision) -> None:  # noqa: ARG002 (part of the cache key)
        self._require_fit()

    def _require_fit(self) -> None:
        require_matching_manifest(self._catalog.path, self._catalog.manifest() or self.manifest, self.manifest)

    def _settle(self, project: str, *, is_last: bool = False) -> None:
        found = None if project in self._bulk else self._catalog.find(project)
        if found is not None:
            self._indexes(found[0]).settle(is_last=is_last)

    def _indexes(self, number: int) -> DerivedIndexes:
        with self._guard:
            if number not in self._derived:
                self._derived[number] = DerivedIndexes(
                    self.folder / "derived" / str(number),
                    number,
                    self._catalog,
                    self._dimensions,
                    read_only=self._read_only,
                    patience_s=self._lock_wait_s,
                    ann_min_chunks=self._ann_min_chunks,
                )
            return self._derived[number]

    def _snapshot(self, number: int, revision: Revision) -> IndexSnapshot:
        return self._indexes(number).at(revision)
