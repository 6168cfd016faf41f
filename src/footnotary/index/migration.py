"""Migration from one store to another, document by document: resumable, and verified by counts and hashes."""

from dataclasses import dataclass

from footnotary.domain.identity import sha256_hex
from footnotary.errors import InvariantError, UnknownProject, UsageError
from footnotary.index.sqlite.changes import content_digest
from footnotary.ports import ManagedStore, StoredDocument


@dataclass(frozen=True, slots=True)
class MigrationResult:
    """The content of the target now: this run copied `copied` of its documents, earlier runs the others.

    `former` counts the versions that stay in the source: only current versions can be copied.
    """

    project: str
    documents: int
    copied: int
    passages: int
    former: int
    digest: str


def migrate(source: ManagedStore, target: ManagedStore, project: str) -> MigrationResult:
    """Copies a project's documents with their passages and vectors; the source is not changed.

    Documents copied by an earlier run are skipped, so that an interrupted run can be repeated. Every document is read
    back and compared by hashes of its text, its passages and its vectors; at the end both stores must have the same
    counts and the same digest. Raises `InvariantError` if they do not, `UsageError` if the target holds documents that
    the source does not: nothing is ever deleted.
    """
    listed = source.documents(project)
    if not listed:
        raise UnknownProject(f"there is no project {project!r} to copy", hint="name one with --project")
    held = {document.id: document for document in target.documents(project)}
    if unmatched := sorted(held.keys() - {document.id for document in listed}):
        raise UsageError(
            f"the target has documents in project {project!r} that the source does not have: "
            f"{', '.join(unmatched[:5])}",
            hint="delete them there, or copy into an empty project",
        )
    copied = 0
    for document in listed:
        if not _is_copy(document, held.get(document.id)):
            _copy_document(source, target, project, document.id)
            copied += 1
    now, digest = target.documents(project), source.index_digest(project)
    passages = sum(document.chunks for document in now)
    if digest != target.index_digest(project) or passages != sum(document.chunks for document in listed):
        raise InvariantError(
            f"source and target do not have the same content in project {project!r}",
            hint="run it again while nothing writes to the source; if that does not help, copy into an empty project",
        )
    former = sum(len(source.former_versions(project, document.id)) for document in listed)
    return MigrationResult(project, len(now), copied, passages, former, digest)


def _is_copy(document: StoredDocument, held: StoredDocument | None) -> bool:
    """Whether the target has it; documents are written completely or not at all, so comparing metadata is enough."""
    fields = ("sha256", "path", "title", "code", "chunks", "media_type", "validity")
    return held is not None and all(getattr(document, name) == getattr(held, name) for name in fields)


def _copy_document(source: ManagedStore, target: ManagedStore, project: str, document_id: str) -> None:
    document, chunks, vectors, code = source.stored(project, document_id)
    target.put(project, document, chunks, vectors, code)
    if _fingerprint(source, project, document_id) != _fingerprint(target, project, document_id):
        raise InvariantError(
            f"document {document_id!r} differs between source and target",
            hint="run it again while nothing writes to the source; please report it if that does not help",
        )


def _fingerprint(store: ManagedStore, project: str, document_id: str) -> tuple[str, ...]:
    document, chunks, vectors, code = store.stored(project, document_id)
    numbers = sha256_hex(vectors.astype("<f4").tobytes())
    return document.source.sha256, sha256_hex(document.text), content_digest(chunks), numbers, code
