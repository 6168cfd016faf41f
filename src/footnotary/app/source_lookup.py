"""Looks up what a citation points at: the passage, its text and location, in the current or a superseded version."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from typing import Any

from footnotary.domain.chunk import Chunk
from footnotary.domain.document import SourceLocation
from footnotary.domain.identity import Span
from footnotary.domain.layout import Box, Layout
from footnotary.domain.validity import ValidityCalendar, ValidityStatus
from footnotary.errors import UnknownProject, UnknownSource, UsageError
from footnotary.index.label_matching import fold_label
from footnotary.ports import FormerVersion, ManagedStore, Store, StoredDocument
from footnotary.render.citation_styles import full_source_name
from footnotary.render.flagged_record import flags_record
from footnotary.render.outcome_record import location_record, validity_record

_MOST_NEAR = 3


@dataclass(frozen=True, slots=True)
class PassageVersion:
    """A passage in one version of its document; `former` is that version unless it is the current one."""

    chunk: Chunk
    document: StoredDocument
    former: FormerVersion | None = None


@dataclass(frozen=True, slots=True)
class ResolvedSource:
    """A passage, the cited words in it, and their location.

    `others` are passages with the same id in other versions whose text differs.
    """

    chunk: Chunk
    document: StoredDocument
    words: Span
    layout: Layout | None
    former: FormerVersion | None
    others: tuple[PassageVersion, ...]
    standing: ValidityStatus | None

    @property
    def place(self) -> SourceLocation | None:
        return self.chunk.located(self.words)

    @property
    def page(self) -> int | None:
        place = self.place
        return place.page if place and place.page is not None else self.chunk.page

    @property
    def boxes(self) -> tuple[tuple[int, Box], ...]:
        return self.layout.boxes(self.words.shifted(self.chunk.span.start)) if self.layout else ()

    @property
    def name(self) -> str:
        """The source as a person would cite it."""
        return full_source_name(self.chunk.labels, self.page, self.chunk.document_id, self.chunk.section)


def find_source(
    store: Store,
    project: str,
    cited: str,
    *,
    quote: str | None = None,
    version: str | None = None,
    today: Callable[[], date] = date.today,
) -> ResolvedSource:
    """The passage with this id, in the given version or else in the latest one that contains the quote.

    Raises `UnknownProject`, `UnknownSource` if there is no such passage, and `UsageError` if the passage has no such
    version or does not contain the quote.
    """
    readings = _passage_versions(store, project, cited)
    if not readings:
        require_project(store, project)
        raise UnknownSource(
            f"there is no passage {cited!r} in project {project!r}",
            hint="list the ids of a document: footnotary documents show DOCUMENT",
        )
    meant = readings if version is None else _filter_by_version(readings, version, cited)
    placed = ((reading, _quote_span(reading.chunk, quote)) for reading in meant)
    reading, words = next(((reading, words) for reading, words in placed if words is not None), (meant[0], None))
    if words is None:
        raise UsageError(
            f"{reading.chunk.id} does not contain this quote: {quote!r}",
            hint=f"read the passage: footnotary show {reading.chunk.id}",
        )
    document, is_present = reading.document, reading.former is None
    calendar = ValidityCalendar(store.validities(project), today())
    return ResolvedSource(
        reading.chunk,
        document,
        words,
        store.layout(project, document.id) if is_present else None,
        reading.former,
        tuple(other for other in readings if other.chunk.digest != reading.chunk.digest),
        calendar.standing(document.id) if is_present else None,
    )


def source_record(shown: ResolvedSource, project: str) -> dict[str, Any]:
    """A source as JSON-compatible data."""
    chunk, document, words, place, former = shown.chunk, shown.document, shown.words, shown.place, shown.former
    return {
        "id": chunk.id,
        "aliases": list(chunk.aliases),
        "project": project,
        "source": shown.name,
        "text": chunk.text,
        "quote": words.of(chunk.text),
        "chunk_hash": chunk.digest,
        "section_path": list(chunk.section),
        "document": document.id,
        "document_sha256": document.sha256,
        "path": document.path,
        "media_type": document.media_type,
        "page": shown.page,
        "page_label": shown.layout.label(shown.page) if shown.layout and shown.page else None,
        "chunk_span": {"start": words.start, "end": words.end, "unit": "characters"},
        "source_span": place and location_record(place),
        "boxes": [
            {"page": page, "left": box.left, "bottom": box.bottom, "right": box.right, "top": box.top}
            for page, box in shown.boxes
        ],
        "validity": validity_record(shown.standing),
        "flagged": flags_record(chunk),
        "superseded": former
        and {"at": former.retired_at.isoformat(), "by": former.successor, "was_deleted": former.successor is None},
        "other_versions": [
            {
                "document_sha256": other.document.sha256,
                "chunk_hash": other.chunk.digest,
                "superseded_at": other.former and other.former.retired_at.isoformat(),
            }
            for other in shown.others
        ],
    }


def require_project(store: Store, project: str) -> None:
    """Raises `UnknownProject`, listing the existing projects, if there is no such project."""
    known = store.projects()
    if project not in known:
        choice = f"choose one with --project: {', '.join(known)}"
        hint = choice if known else "index something first: footnotary ingest PATH"
        raise UnknownProject(f"there is no project {project!r}", hint=hint)


def require_document(store: ManagedStore, project: str, document_id: str) -> None:
    """Raises `UsageError`, naming similar documents, if no document of the project has this id, ignoring case."""
    if store.passage_ids(project, document_id):
        return
    if not any(fold_label(one.id) == fold_label(document_id) for one in store.documents(project)):
        raise unknown_document_error(store, project, document_id)


def unknown_document_error(store: ManagedStore, project: str, document_id: str) -> UsageError:
    """The error for an unknown document; its hint names up to three documents with a similar id."""
    known = {fold_label(one.id): one.id for one in store.documents(project)}
    near = get_close_matches(fold_label(document_id), known, n=_MOST_NEAR)
    near += [key for key in sorted(known) if fold_label(document_id) in key and key not in near]
    meant = f"did you mean {' or '.join(repr(known[key]) for key in near[:_MOST_NEAR])}? " if near else ""
    return UsageError(
        f"there is no document {document_id!r} in project {project!r}",
        hint=f"{meant}list the documents: footnotary documents list -p {project}",
    )


def find_quote(quote: str, text: str) -> Span | None:
    """The span of a quote in a text; any white space matches any other."""
    words = quote.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return Span(*found.span()) if found else None


def _passage_versions(store: Store, project: str, cited: str) -> list[PassageVersion]:
    """The passage with that id in the current version and in superseded ones, latest first."""
    readings: list[PassageVersion] = []
    for chunk in store.chunks(project, [cited]):
        document = next((d for d in store.documents(project) if d.id == chunk.document_id), None)
        if document is not None:
            readings.append(PassageVersion(chunk, document))
    known_as = readings[0].chunk.id if readings else cited
    former = store.former_chunks(project, known_as)
    return readings + [PassageVersion(one.chunk, one.version.document, one.version) for one in former]


def _filter_by_version(readings: Sequence[PassageVersion], version: str, cited: str) -> list[PassageVersion]:
    meant = [reading for reading in readings if reading.document.sha256.startswith(version.strip().lower())]
    hashes = dict.fromkeys(reading.document.sha256 for reading in meant or readings)
    if len(hashes) > 1 or not meant:
        raise UsageError(
            f"{version!r} matches {'several versions' if meant else 'no version'} of passage {cited!r}",
            hint=f"choose from {', '.join(sha256[:12] for sha256 in hashes)}",
        )
    return meant


def _quote_span(chunk: Chunk, quote: str | None) -> Span | None:
    return Span(0, len(chunk.text)) if quote is None else find_quote(quote, chunk.text)
