"""`documents`: what a project holds, one document of it, and taking one out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, note, say
from footnotary.errors import UnknownProject, UsageError

if TYPE_CHECKING:
    from footnotary.index.embedded_store import EmbeddedStore
    from footnotary.ports import StoredDocument


def list_documents(home: Path | None, project: str | None, *, as_json: bool) -> Exit:
    """One line per document: id, passages, media type, the beginning of its sha256, title."""
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings, read_only=True) as store:
        require_project(store, settings.project)
        documents = store.documents(settings.project)
    if as_json:
        emit_json({"project": settings.project, "documents": [document_record(document) for document in documents]})
        return Exit.OK
    rows = [(d.id, str(d.chunks), d.media_type, d.sha256[:12], d.title) for d in documents]
    table = [("document", "passages", "media type", "sha256", "title"), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(5)]
    for row in table:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return Exit.OK


def show_document(document_id: str, home: Path | None, project: str | None, *, as_json: bool) -> Exit:
    """Everything known of a document, and the ids its passages are cited by, in reading order."""
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings, read_only=True) as store:
        document = require_document(store, settings.project, document_id)
        passages = store.passage_ids(settings.project, document_id)
        layout = store.layout(settings.project, document_id)
        characters = len(store.document_text(settings.project, document_id))
    pages = len(layout.pages) if layout else None
    if as_json:
        more = {"project": settings.project, "pages": pages, "characters": characters, "passage_ids": passages}
        emit_json(document_record(document) | more)
        return Exit.OK
    for name, value in (
        ("document", document.id),
        ("title", document.title),
        ("file", document.path),
        ("media type", document.media_type),
        ("sha256", document.sha256),
        ("pages", pages),
        ("characters", characters),
        ("passages", len(passages)),
    ):
        if value is not None:
            say(f"{name + ':':<12}{value}")
    for passage in passages:
        say(f"  {passage}")
    return Exit.OK


def delete_document(document_id: str, home: Path | None, project: str | None, *, as_json: bool) -> Exit:
    """Takes a document out of the project; the file itself is left alone."""
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings) as store:
        document = require_document(store, settings.project, document_id)
        if not store.delete(settings.project, document_id):
            raise _no_document(document_id, settings.project)  # another process was first
    if as_json:
        emit_json({"project": settings.project, "deleted": document_record(document)})
    else:
        passages = f"{document.chunks} passage{'' if document.chunks == 1 else 's'}"
        say(f"deleted {document.id!r} with {passages} from project {settings.project!r}")
        note(f"the file was left alone: {document.path}")
    return Exit.OK


def document_record(document: StoredDocument) -> dict[str, Any]:
    """A document for programs."""
    record = asdict(document)
    return {**record, "passages": record.pop("chunks")}


def require_project(store: EmbeddedStore, project: str) -> None:
    """Raises `UnknownProject`, naming those there are."""
    known = store.projects()
    if project not in known:
        raise UnknownProject(
            f"there is no project {project!r}",
            hint=f"known are {', '.join(known)}" if known else "index something first: footnotary ingest PATH",
        )


def require_document(store: EmbeddedStore, project: str, document_id: str) -> StoredDocument:
    """The document with that id. Raises `UnknownProject`, and `UsageError` where the project has none such."""
    require_project(store, project)
    found = next((document for document in store.documents(project) if document.id == document_id), None)
    if found is None:
        raise _no_document(document_id, project)
    return found


def _no_document(document_id: str, project: str) -> UsageError:
    return UsageError(
        f"there is no document {document_id!r} in project {project!r}",
        hint=f"see what is there: footnotary documents list -p {project}",
    )
