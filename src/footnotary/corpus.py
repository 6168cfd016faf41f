"""The ingest pipeline: file → Document → Chunks → vectors → store, one transaction per document."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from footnotary.domain.chunk import Chunk
from footnotary.domain.validity import UNKNOWN_VALIDITY, Validity
from footnotary.errors import DocumentError, IndexMismatch, InvariantError, UnknownProject, UsageError
from footnotary.ingest.chunking.chunk_builder import build_chunks, require_citable_size, text_to_embed
from footnotary.ingest.chunking.semantic_ids import resolve_id_collisions
from footnotary.ingest.document_builder import parse_document
from footnotary.ingest.document_registry import DocumentRegistry, stored_document
from footnotary.ingest.file_discovery import FoundFile, find_files, list_paths
from footnotary.ingest.original import has_changed, original_from_file, original_from_text, original_from_upload
from footnotary.ingest.prefetch import FilePrefetcher, IngestJob, PrefetchedFile
from footnotary.ingest.progress import FileProgressReporter, IngestProgressCallback
from footnotary.ingest.project_names import require_project_name
from footnotary.ingest.report import (
    IngestedDocument,
    IngestOutcome,
    IngestReport,
    IngestStep,
    IngestTally,
    RejectedFile,
)
from footnotary.ingest.sandbox.worker_pool import ParserPool
from footnotary.ingest.trust_rules import TrustRule, with_trust_rules
from footnotary.ingest.validity_dates import require_documents, resolve_validity
from footnotary.injection.examination import cleared_texts, declared_kinds, flagged_texts, with_cleared
from footnotary.ports import Embedder, ReadableStore, Store, StoredDocument, Vectors

__all__ = ["Corpus", "IngestReport", "IngestStep", "IngestedDocument", "RejectedFile"]

_EMBEDDING_BATCH_SIZE = 512
_SKIPPED_REASONS = frozenset({"unsupported_type", "not_a_file", "outside_folder"})


@runtime_checkable
class _BulkStore(Protocol):
    """A store that writes many documents faster in a bulk transaction."""

    def bulk(self, project: str) -> AbstractContextManager[None]: ...


class Corpus:
    """The documents of a store's projects: ingest, list, delete.

    A document is identified by its id, and its content by the hash of the file: an unchanged document is not touched,
    a changed one replaces its earlier version atomically. Citations of the earlier version still resolve.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        *,
        max_bytes: int = 64_000_000,
        workers: Callable[[], ParserPool] = ParserPool,
        examine: Callable[[Sequence[Chunk]], tuple[Chunk, ...]] | None = None,
    ) -> None:
        """`examine` flags what in passages instructs the system that answers; without it they stay unexamined."""
        self._store = store
        self._embedder = embedder
        self._max_bytes = max_bytes
        self._workers = workers
        self._examine = examine

    def ingest(
        self,
        paths: str | Path | Sequence[str | Path],
        project: str,
        *,
        given: Validity = UNKNOWN_VALIDITY,
        trust: Sequence[TrustRule] = (),
        progress: IngestProgressCallback | None = None,
    ) -> IngestReport:
        """Ingests files, folders and zip archives of them: one path or several.

        A file that cannot be read is reported and does not stop the others, even if its parser hangs or crashes.

        The validity `given` applies to every document and takes precedence over what the files say, also when they are
        ingested again; so does the level of `trust` that matches a file. Raises `UsageError` if it names a document
        that is not in the project.

        Ctrl-C stops between two documents' transactions; the report then says `interrupted`. Raises for problems that
        concern all documents: a store that is locked or was built by another embedder.
        """
        found = find_files(list_paths(paths))
        return self.ingest_files(found, project, given=given, trust=trust, progress=progress)

    def ingest_files(
        self,
        files: Sequence[FoundFile],
        project: str,
        *,
        given: Validity = UNKNOWN_VALIDITY,
        trust: Sequence[TrustRule] = (),
        progress: IngestProgressCallback | None = None,
    ) -> IngestReport:
        """Ingests files that were found already, like `ingest`."""
        jobs = [
            IngestJob(str(file.path), partial(original_from_file, file, self._max_bytes), file.is_named)
            for file in files
        ]
        return self._ingest_jobs(jobs, project, given, progress, trust)

    def ingest_text(
        self,
        name: str,
        text: str,
        project: str,
        *,
        given: Validity = UNKNOWN_VALIDITY,
        progress: IngestProgressCallback | None = None,
    ) -> IngestReport:
        """Ingests a text under a name; a Markdown suffix selects Markdown. The same name again replaces it."""
        return self._ingest_jobs(
            [IngestJob(name, partial(original_from_text, name, text), True)], project, given, progress
        )

    def ingest_upload(
        self,
        name: str,
        file: Path,
        project: str,
        *,
        given: Validity = UNKNOWN_VALIDITY,
        progress: IngestProgressCallback | None = None,
    ) -> IngestReport:
        """Ingests an uploaded file under a name, whatever its path; the same name again replaces it."""
        job = IngestJob(name, partial(original_from_upload, name, file, self._max_bytes), True)
        return self._ingest_jobs([job], project, given, progress)

    def projects(self) -> Sequence[str]:
        """The names of the projects."""
        return tuple(self._store.projects())

    def documents(self, project: str) -> Sequence[StoredDocument]:
        """The documents of a project in order of id. Raises `UnknownProject`."""
        self._require_project(project)
        return self._store.documents(project)

    def examine(self, project: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Examines the passages of every document again, and stores what has changed.

        Yields each document's id and its flagged text. Raises `UnknownProject`, and `UsageError` without an examiner.
        """
        if self._examine is None or not isinstance(self._store, ReadableStore):
            raise UsageError("this corpus has no examiner", hint="open it with `footnotary.open_corpus`")
        for document in self.documents(project):
            whole, chunks, vectors, code = self._store.stored(project, document.id)
            examined = with_cleared(self._examine(chunks), cleared_texts(chunks))
            if tuple(chunks) != examined:
                self._store.put(project, whole, examined, vectors, code)
            yield document.id, flagged_texts(examined)

    def delete(self, project: str, document_id: str, *, keep_history: bool = False) -> bool:
        """Deletes a document; returns whether there was anything to delete. Raises `UnknownProject`.

        Its superseded versions are erased with it, even if the document itself is already gone, unless `keep_history`
        keeps them so that old citations still resolve.
        """
        if self._store.delete(project, document_id, keep_history=keep_history):
            return True
        self._require_project(project)  # after the attempt: a project may hold nothing but superseded versions
        return False

    def _ingest_jobs(
        self,
        jobs: Sequence[IngestJob],
        project: str,
        given: Validity,
        progress: IngestProgressCallback | None,
        trust: Sequence[TrustRule] = (),
    ) -> IngestReport:
        require_project_name(project, self._store.projects())
        given = given.as_given()
        started, tally = time.monotonic(), IngestTally()
        try:
            with self._bulk(project), self._workers() as workers:
                registry = DocumentRegistry(self._store.documents(project))
                require_documents(given.supersedes, registry, project)
                files = FilePrefetcher(jobs, workers, registry.has_content)
                for number, file in enumerate(files, start=1):
                    reporter = FileProgressReporter(progress, file.path, number, files)
                    said = with_trust_rules(given, trust, file.path)
                    self._ingest_file(file, project, registry, said, tally, reporter)
        except KeyboardInterrupt:
            tally.interrupted = True
        return tally.report(time.monotonic() - started)

    def _bulk(self, project: str) -> AbstractContextManager[None]:
        return self._store.bulk(project) if isinstance(self._store, _BulkStore) else nullcontext()

    def _ingest_file(
        self,
        file: PrefetchedFile,
        project: str,
        registry: DocumentRegistry,
        given: Validity,
        tally: IngestTally,
        report_progress: FileProgressReporter,
    ) -> None:
        """Ingests one file and records the outcome; raises only errors that concern every file."""
        report_progress("reading")
        try:
            outcome, entry = self._store_file(file, project, registry, given, report_progress)
            tally.add_ingested(outcome, entry)
            report_progress("done", entry.chunks, entry.chunks, outcome)
        except IndexMismatch:
            raise
        except (DocumentError, UsageError, InvariantError) as error:
            reason = error.reason if isinstance(error, DocumentError) else "not_storable"
            outcome: IngestOutcome = "skipped" if reason in _SKIPPED_REASONS and not file.is_named else "failed"
            tally.add_rejected(outcome, RejectedFile(file.path, reason, error.message, error.hint))
            report_progress("done", outcome=outcome)

    def _store_file(
        self,
        file: PrefetchedFile,
        project: str,
        registry: DocumentRegistry,
        given: Validity,
        report_progress: FileProgressReporter,
    ) -> tuple[IngestOutcome, IngestedDocument]:
        """The pipeline itself: unchanged documents stay, everything else goes from bytes to the store."""
        original = file.original
        document_id = registry.id_for(original.origin, original.name)
        stored, same = registry.get(document_id), registry.with_content(original.sha256)
        if stored and stored.sha256 == original.sha256:
            return self._update_validity(stored, project, registry, given), IngestedDocument(
                original.origin, document_id, stored.chunks
            )
        # If that other file has changed since, this file is the only copy of its earlier content.
        if same and not has_changed(same.path, same.sha256, self._max_bytes):
            if stored:  # the file no longer has its earlier content, and its new content is already stored
                self._store.delete(project, document_id, keep_history=True)
                registry.forget(document_id)
            outcome = self._update_validity(same, project, registry, given)
            return outcome, IngestedDocument(original.origin, same.id, same.chunks, duplicate_of=same.id)

        document, units, parsed = parse_document(file, document_id, partial(report_progress, "reading"))
        kept = stored.validity.kept() if stored else UNKNOWN_VALIDITY
        document = replace(document, validity=resolve_validity(document_id, registry, document.validity, kept, given))
        units = resolve_id_collisions(
            units, document_id, partial(self._store.owners, project), is_stored=stored is not None
        )
        chunks = build_chunks(document, units)
        require_citable_size(chunks)
        if self._examine is not None:
            chunks = with_cleared(self._examine(chunks), self._cleared_texts(project, stored))
        vectors = self._vectors(chunks, report_progress)
        outcome = self._store.put(project, document, chunks, vectors, units[0].code)
        registry.add(stored_document(document, units[0].code, len(chunks)))
        return outcome, IngestedDocument(
            original.origin,
            document_id,
            len(chunks),
            pages_without_text=parsed.pages_without_text,
            left_out=parsed.left_out,
            flagged=flagged_texts(chunks),
            declared=declared_kinds(chunks),
        )

    def _cleared_texts(self, project: str, document: StoredDocument | None) -> Sequence[str]:
        """What a person has found harmless in the stored version of a document."""
        if document is None or not isinstance(self._store, ReadableStore):
            return ()
        return cleared_texts(self._store.stored(project, document.id)[1])

    def _update_validity(
        self, document: StoredDocument, project: str, registry: DocumentRegistry, given: Validity
    ) -> IngestOutcome:
        """Updates a document's validity if what is given changes it; its passages stay as they are."""
        validity = resolve_validity(document.id, registry, document.validity, given)
        if validity == document.validity:
            return "unchanged"
        self._store.set_validity(project, document.id, validity)
        registry.add(replace(document, validity=validity))
        return "replaced"

    def _vectors(self, chunks: Sequence[Chunk], report_progress: FileProgressReporter) -> Vectors:
        texts = [text_to_embed(chunk) for chunk in chunks]
        batches: list[Vectors] = []
        for done in range(0, len(texts), _EMBEDDING_BATCH_SIZE):
            report_progress("embedding", done, len(texts))
            batches.append(self._embedder.embed_passages(texts[done : done + _EMBEDDING_BATCH_SIZE]))
        return np.concatenate(batches)

    def _require_project(self, project: str) -> None:
        if project not in self._store.projects():
            raise UnknownProject(f"there is no project {project!r}", hint="ingest a document first, or check the name")
