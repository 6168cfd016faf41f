"""`documents`: lists a project's documents, shows one with its versions, or deletes one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.app.source_lookup import require_project, unknown_document_error
from footnotary.cli.dates import format_time, status_text
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say

if TYPE_CHECKING:
    from footnotary.domain.validity import ValidityCalendar, ValidityStatus
    from footnotary.ports import FormerVersion, ManagedStore, StoredDocument


def list_documents(home: Path | None, project: str | None, *, as_json: bool) -> ExitCode:
    """One line per document: id, passages, media type, start of its sha256, title; if any document has effective dates,
    also those and its status today."""
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings, read_only=True) as store:
        require_project(store, settings.project)
        documents = store.documents(settings.project)
        calendar = calendar_for_today(store, settings.project)
    standings = [calendar.standing(document.id) for document in documents]
    if as_json:
        records = [document_record(*pair) for pair in zip(documents, standings, strict=True)]
        print_json({"project": settings.project, "documents": records})
        return ExitCode.OK
    table = [("document", "passages", "media type", "sha256", "effective", "status", "trust", "title")]
    for d, standing in zip(documents, standings, strict=True):
        table.append(
            (
                d.id,
                str(d.chunks),
                d.media_type,
                d.sha256[:12],
                _effective_range(standing),
                status_text(standing),
                d.validity.trust or "",
                d.title,
            )
        )
    if not any(standings):
        table = [row[:4] + row[7:] for row in table]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return ExitCode.OK


def show_document(document_id: str, home: Path | None, project: str | None, *, as_json: bool) -> ExitCode:
    """Shows a document, its versions, and the ids of its passages in reading order.

    For a document that was deleted with its history kept, only the history.
    """
    from footnotary.render.flagged_record import cleared_records, flagged_records
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings, read_only=True) as store:
        former = store.former_versions(settings.project, document_id)
        document = find_document(store, settings.project, document_id)
        if document is None:
            if not former:
                require_project(store, settings.project)
                raise unknown_document_error(store, settings.project, document_id)
            return _show_deleted(document_id, former, settings.project, as_json=as_json)
        passages = store.passage_ids(settings.project, document_id)
        chunks = store.chunks(settings.project, passages)
        flagged, cleared = flagged_records(chunks), cleared_records(chunks)
        layout = store.layout(settings.project, document_id)
        characters = len(store.document_text(settings.project, document_id))
        standing = calendar_for_today(store, settings.project).standing(document_id)
    pages = len(layout.pages) if layout else None
    if as_json:
        more = {"project": settings.project, "pages": pages, "characters": characters, "passage_ids": passages}
        more |= {"flagged": flagged, "cleared": cleared}
        history = {"former_versions": [version_record(version) for version in former]}
        print_json(document_record(document, standing) | more | history)
        return ExitCode.OK
    for name, value in (
        ("document", document.id),
        ("title", document.title),
        ("file", document.path),
        ("media type", document.media_type),
        ("sha256", document.sha256),
        ("stored", document.stored_at and format_time(document.stored_at)),
        ("effective", _effective_range(standing) or None),
        ("supersedes", "; ".join(document.validity.supersedes) or None),
        ("status", status_text(standing) or None),
        ("trust", document.validity.trust),
        ("pages", pages),
        ("characters", characters),
        ("passages", len(passages)),
    ):
        if value is not None:
            say(f"{name + ':':<12}{value}")
    for passage in passages:
        say(f"  {passage}")
    for heading, found in (("flagged, no answer is drafted from it:", flagged), ("flag cleared:", cleared)):
        if found:
            say(heading)
        for one in found:
            say(f"  {one['id']}: {' '.join(one['text'].split())}")
    _show_former_versions(former)
    return ExitCode.OK


def clear_flag(
    document_id: str, sentence: str, home: Path | None, project: str | None, *, undo: bool, as_json: bool
) -> ExitCode:
    """Clears the injection flag of a sentence, or sets it again."""
    from footnotary.app.cleared_flags import set_cleared
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings) as store:
        changed = set_cleared(store, settings.project, document_id, sentence, cleared=not undo)
    if as_json:
        print_json({"project": settings.project, "document": document_id, "cleared": not undo, "sentences": changed})
    else:
        say(f"{'flag set again' if undo else 'flag cleared'} in {document_id}: {' '.join(sentence.split())}")
    return ExitCode.OK


def delete_document(
    document_id: str, home: Path | None, project: str | None, *, keep_history: bool, as_json: bool
) -> ExitCode:
    """Deletes a document from the project, with its former versions unless `keep_history`; the file stays."""
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings) as store:
        document = find_document(store, settings.project, document_id)
        former = store.former_versions(settings.project, document_id)
        if not store.delete(settings.project, document_id, keep_history=keep_history):
            require_project(store, settings.project)
            raise unknown_document_error(store, settings.project, document_id)
    if as_json:
        record = document and document_record(document, None)
        erased = 0 if keep_history else len(former)
        print_json({"project": settings.project, "deleted": record, "former_versions_erased": erased})
        return ExitCode.OK
    what = f"{_plural(document.chunks, 'passage')} " if document else ""
    if former and not keep_history:
        what += f"{'and ' if what else ''}{_plural(len(former), 'former version')} "
    say(f"deleted {document_id!r} with {what}from project {settings.project!r}")
    if keep_history:
        note("its text is kept for old citations: footnotary show ID")
    if document:
        note(f"the file itself was not deleted: {document.path}")
    return ExitCode.OK


def document_record(document: StoredDocument, standing: ValidityStatus | None) -> dict[str, Any]:
    """A document as JSON data."""
    from footnotary.render.outcome_record import validity_record

    return {
        "id": document.id,
        "sha256": document.sha256,
        "path": document.path,
        "title": document.title,
        "code": document.code,
        "passages": document.chunks,
        "media_type": document.media_type,
        "stored_at": document.stored_at and document.stored_at.isoformat(),
        "validity": validity_record(standing),
        "trust": document.validity.trust,
    }


def version_record(version: FormerVersion) -> dict[str, Any]:
    """A former version as JSON data."""
    from footnotary.render.former_version_record import former_version_record

    return document_record(version.document, None) | former_version_record(version)


def calendar_for_today(store: ManagedStore, project: str, today: Callable[[], date] = date.today) -> ValidityCalendar:
    """The calendar of a project's documents, for today."""
    from footnotary.domain.validity import ValidityCalendar

    return ValidityCalendar(store.validities(project), today())


def find_document(store: ManagedStore, project: str, document_id: str) -> StoredDocument | None:
    return next((document for document in store.documents(project) if document.id == document_id), None)


def _show_deleted(document_id: str, former: Sequence[FormerVersion], project: str, *, as_json: bool) -> ExitCode:
    if as_json:
        versions = [version_record(version) for version in former]
        print_json({"id": document_id, "project": project, "deleted": True, "former_versions": versions})
        return ExitCode.OK
    say(f"{'document:':<12}{document_id}")
    say(f"{'deleted:':<12}{format_time(former[0].retired_at)}; its text is kept for old citations")
    _show_former_versions(former)
    return ExitCode.OK


def _show_former_versions(former: Sequence[FormerVersion]) -> None:
    if former:
        say("former versions:")
    for version in former:
        fate = f"replaced by {version.successor[:12]}" if version.successor else "deleted"
        kept = _plural(version.document.chunks, "passage")
        say(f"  {version.document.sha256[:12]}  {fate} on {format_time(version.retired_at)}, {kept} kept")


def _effective_range(standing: ValidityStatus | None) -> str:
    if standing is None:
        return ""
    first, last = standing.validity.effective_from, standing.validity.effective_to
    if first and last:
        return f"{first} to {last}"
    return f"from {first}" if first else f"to {last}" if last else ""


def _plural(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
