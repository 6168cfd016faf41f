"""The textbook tutor's search under the names its document uses: vectors, a store that is a folder, retrieval."""

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from footnotary.compat.tutor_checks import tutor_profile
from footnotary.compat.tutor_pipeline import CleanedText, TextbookChunk, TextbookPassage
from footnotary.domain.identity import Span
from footnotary.domain.query import Filters, Scope
from footnotary.errors import BackendError, UsageError
from footnotary.gate.intent import understand
from footnotary.index.manifest import Manifest, require_matching_manifest
from footnotary.ingest.chunking.chunk_builder import build_chunks, text_to_embed
from footnotary.ingest.chunking.semantic_ids import resolve_id_collisions
from footnotary.ingest.document_registry import DocumentRegistry
from footnotary.ports import Embedder, Vector, Vectors
from footnotary.retrieve.hybrid_search import retrieve
from footnotary.wiring import FolderStore, create_folder_store, open_embedder, open_folder_store

_PROJECT = "textbooks"
_TRUTH = "truth.db"


@dataclass(frozen=True, slots=True)
class Embeddings(Sequence[Vector]):
    """One vector per chunk, in order, and which embedder they are of: vectors of two do not compare."""

    vectors: Vectors = field(repr=False)
    model: str

    @property
    def shape(self) -> tuple[int, ...]:
        return self.vectors.shape

    def __len__(self) -> int:
        return len(self.vectors)

    def __iter__(self) -> Iterator[Vector]:
        return iter(self.vectors)

    def __getitem__(self, at: int) -> Vector:  # pyright: ignore[reportIncompatibleMethodOverride] (rows only)
        return self.vectors[at]


class EmbeddingGenerator:
    """Turns chunks into vectors with a shipped embedder, "default" or "fast", or one from a folder of weights."""

    def __init__(self, model: str = "default") -> None:
        self.embedder: Embedder = open_embedder(model)

    def embed_chunks(self, chunks: Sequence[TextbookPassage]) -> Embeddings:
        """One vector per chunk, in order; the same chunk gives the same vector every time."""
        texts = [text_to_embed(chunk.passage) for chunk in chunks]
        return Embeddings(self.embedder.embed_passages(texts), self.embedder.name)


@dataclass(slots=True)
class _AddedDocument:
    """The chunks added of one document so far; later ones are added to them."""

    cleaned: CleanedText
    vectors: dict[Span, Vector]


class VectorStore:
    """Chunks and their vectors, in a folder of their own.

    A new store lasts as long as the object does; `save` writes it to a folder. From then on, and in a store that was
    loaded, additions are stored at once.
    """

    def __init__(self) -> None:
        self._store: FolderStore | None = None
        self._is_read_only = False
        self._added: dict[tuple[str, str], _AddedDocument] = {}
        self._discard = weakref.finalize(self, _no_op)

    def add_chunks(self, chunks: Sequence[TextbookChunk], embeddings: Embeddings) -> None:
        """Adds chunks; a changed version of a file replaces the earlier one.

        An id that another book has already is made unique by the rule of the corpus, so a chunk that is found may
        have another id than the one that was added. Raises `UsageError` if chunks and vectors do not match.
        """
        if len(chunks) != len(embeddings):
            raise UsageError(
                f"there are {len(chunks)} chunks and {len(embeddings)} embeddings", hint="embed the same chunks"
            )
        if not chunks:
            return
        store = self._writable(Manifest(embeddings.model, embeddings.shape[1]))
        changed: dict[tuple[str, str], _AddedDocument] = {}
        for chunk, vector in zip(chunks, embeddings, strict=True):
            source = chunk.cleaned.document.source
            key = (source.path, source.sha256)
            changed[key] = self._added.setdefault(key, _AddedDocument(chunk.cleaned, {}))
            changed[key].vectors[chunk.passage.span] = vector
        for added in changed.values():
            _put(store, added)

    def get_num_chunks(self) -> int:
        return sum(document.chunks for document in self._store.documents(_PROJECT)) if self._store else 0

    def save(self, path: str | Path) -> None:
        """Saves the store at `path`, a folder whatever its suffix; an earlier store there is replaced.

        Raises `UsageError` if the store is empty, or `path` is something else than a store.
        """
        target, store = Path(path).resolve(), self._store
        if store is None:
            raise UsageError("the store is empty", hint="add chunks before you save it")
        if target == store.folder:
            return
        if target.exists() and not (target / _TRUTH).is_file():
            raise UsageError(f"{target} exists and is not a store", hint="name another path")
        store.close()  # the files of an open store must not be copied
        try:
            _copy_folder(store.folder, target)
        except OSError as error:
            self._hold(open_folder_store(store.folder, read_only=self._is_read_only), self._is_read_only)
            raise BackendError(f"{target} cannot be written: {error}", hint="check permissions and space") from error
        self._discard()
        self._hold(open_folder_store(target, read_only=True), is_read_only=True)

    @classmethod
    def load(cls, path: str | Path) -> "VectorStore":
        """The store that was saved at `path`. Raises `UsageError` where there is none."""
        loaded = cls()
        loaded._hold(open_folder_store(Path(path).resolve(), read_only=True), is_read_only=True)
        return loaded

    def open_for(self, embedder: Embedder) -> FolderStore | None:
        """The engine's store, None while it is empty. Raises `IndexMismatch` if another embedder filled it."""
        if self._store is not None:
            _require_fit(self._store, Manifest(embedder.name, embedder.dimensions))
        return self._store

    def _writable(self, wanted: Manifest) -> FolderStore:
        store = self._store
        if store is None:
            folder = Path(tempfile.mkdtemp(prefix="footnotary-"))
            store = self._hold(create_folder_store(folder, wanted.embedder, wanted.dimensions), temporary=folder)
        _require_fit(store, wanted)
        if self._is_read_only:
            self._discard()
            store = self._hold(open_folder_store(store.folder))
        return store

    def _hold(self, store: FolderStore, is_read_only: bool = False, temporary: Path | None = None) -> FolderStore:
        """Works with `store` from now on, and closes it when this object goes."""
        self._store, self._is_read_only = store, is_read_only
        self._discard = weakref.finalize(self, _discard, store, temporary)
        return store


@dataclass(frozen=True, slots=True)
class RetrievedChunk(TextbookPassage):
    """A chunk that was found; `confidence` is the probability that it is about the question."""

    confidence: float


class RetrievalPipeline:
    """Hybrid search, lexical and dense, within one class and subject."""

    def __init__(self, store: VectorStore, embedding_generator: EmbeddingGenerator) -> None:
        self._store = store
        self._embedder = embedding_generator.embedder

    def retrieve(self, query: str, class_number: int | None = None, subject: str | None = None) -> list[RetrievedChunk]:
        """The best chunks, best first, none from another class or subject than the one asked for.

        Raises `IndexMismatch` where the store's vectors are another embedder's.
        """
        store = self._store.open_for(self._embedder)
        if store is None:
            return []
        scope = Scope(_PROJECT, filters=Filters(class_number=class_number, subject=subject))
        found = retrieve(understand(query, scope, tutor_profile()), store, self._embedder, tutor_profile().retrieval)
        return [RetrievedChunk(hit.chunk, hit.score) for hit in found.hits]


def _put(store: FolderStore, added: _AddedDocument) -> None:
    cleaned = added.cleaned
    known = DocumentRegistry(store.documents(_PROJECT))
    document = replace(cleaned.document, id=known.id_for(cleaned.document.source.path, cleaned.document.id))
    is_stored = known.get(document.id) is not None
    units = resolve_id_collisions(cleaned.units, document.id, partial(store.owners, _PROJECT), is_stored=is_stored)
    chunks = [chunk for chunk in build_chunks(document, units) if chunk.span in added.vectors]
    vectors = np.stack([added.vectors[chunk.span] for chunk in chunks])
    store.put(_PROJECT, document, chunks, vectors, units[0].code)


def _require_fit(store: FolderStore, wanted: Manifest) -> None:
    require_matching_manifest(store.folder / _TRUTH, store.manifest, wanted)


def _copy_folder(folder: Path, target: Path) -> None:
    """Replaces `target` by a copy of `folder`, atomically."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as staging:
        new, old = Path(staging) / "new", Path(staging) / "old"
        shutil.copytree(folder, new)
        if target.exists():
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise


def _no_op() -> None:
    pass


def _discard(store: FolderStore, temporary: Path | None) -> None:
    store.close()
    if temporary is not None:
        shutil.rmtree(temporary, ignore_errors=True)
