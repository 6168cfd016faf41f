"""`show`: what a citation points at, in words and as a picture of the page, also where it has been replaced since."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.cli.documents import calendar_today, find_document, in_words, moment, require_project
from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, note, say
from footnotary.domain.identity import Span
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.domain.chunk import Chunk
    from footnotary.domain.document import Located
    from footnotary.domain.layout import Box, Layout
    from footnotary.domain.validity import Standing
    from footnotary.index.embedded_store import EmbeddedStore
    from footnotary.ports import FormerVersion, StoredDocument
    from footnotary.settings import Settings


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage as one version of its document has it; `former` is that version where it is not the present one."""

    chunk: Chunk
    document: StoredDocument
    former: FormerVersion | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage, the words of it that are meant, and where they stand.

    `others` are the readings of the same id in other versions that say something else.
    """

    chunk: Chunk
    document: StoredDocument
    words: Span
    layout: Layout | None
    former: FormerVersion | None
    others: tuple[Reading, ...]
    standing: Standing | None

    @property
    def place(self) -> Located | None:
        return self.chunk.located(self.words)

    @property
    def page(self) -> int | None:
        place = self.place
        return place.page if place and place.page is not None else self.chunk.page

    @property
    def boxes(self) -> tuple[tuple[int, Box], ...]:
        return self.layout.boxes(self.words.shifted(self.chunk.span.start)) if self.layout else ()


def run_show(
    cited: str,
    *,
    home: Path | None,
    project: str | None,
    quote: str | None,
    version: str | None,
    image: Path | None,
    as_json: bool,
) -> Exit:
    """Prints the source of a citation, and draws it where an image is asked for."""
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings, read_only=True) as store:
        shown = _found(store, settings.project, cited, quote, version)
    if image is not None:
        _draw(shown, settings, image)
    if as_json:
        emit_json(_record(shown, settings.project) | ({"image": str(image)} if image else {}))
    else:
        _say(shown, settings.project)
        if image is not None:
            note(f"page image: {image}")
    return Exit.OK


def quoted(quote: str, text: str) -> Span | None:
    """Where a quote stands in a text, its blanks and line ends written in whatever way."""
    words = quote.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return Span(*found.span()) if found else None


def _found(store: EmbeddedStore, project: str, cited: str, quote: str | None, version: str | None) -> Shown:
    readings = _readings(store, project, cited)
    if not readings:
        require_project(store, project)
        raise UsageError(
            f"there is no passage {cited!r} in project {project!r}",
            hint="the ids of a document: footnotary documents show DOCUMENT",
        )
    meant = readings if version is None else _of_version(readings, version, cited)
    placed = ((reading, _words(reading.chunk, quote)) for reading in meant)
    reading, words = next(((reading, words) for reading, words in placed if words is not None), (meant[0], None))
    if words is None:
        raise UsageError(
            f"these words do not stand in {reading.chunk.id}: {quote!r}",
            hint=f"read it first: footnotary show {reading.chunk.id}",
        )
    document, is_present = reading.document, reading.former is None
    return Shown(
        reading.chunk,
        document,
        words,
        store.layout(project, document.id) if is_present else None,
        reading.former,
        tuple(other for other in readings if other.chunk.digest != reading.chunk.digest),
        calendar_today(store, project).standing(document.id) if is_present else None,
    )


def _readings(store: EmbeddedStore, project: str, cited: str) -> list[Reading]:
    """The passage with that id in the present version and in former ones, the latest first."""
    readings: list[Reading] = []
    for chunk in store.chunks(project, [cited]):
        if document := find_document(store, project, chunk.document_id):
            readings.append(Reading(chunk, document))
    known_as = readings[0].chunk.id if readings else cited
    former = store.former_chunks(project, known_as)
    return readings + [Reading(one.chunk, one.version.document, one.version) for one in former]


def _of_version(readings: Sequence[Reading], version: str, cited: str) -> list[Reading]:
    meant = [reading for reading in readings if reading.document.sha256.startswith(version.strip().lower())]
    hashes = dict.fromkeys(reading.document.sha256 for reading in meant or readings)
    if len(hashes) > 1 or not meant:
        raise UsageError(
            f"{version!r} names {'several versions' if meant else 'no version'} of passage {cited!r}",
            hint=f"these have one: {', '.join(sha256[:12] for sha256 in hashes)}",
        )
    return meant


def _words(chunk: Chunk, quote: str | None) -> Span | None:
    return Span(0, len(chunk.text)) if quote is None else quoted(quote, chunk.text)


def _draw(shown: Shown, settings: Settings, image: Path) -> None:
    from footnotary.domain.layout import Layout
    from footnotary.ingest.original import read_original
    from footnotary.ingest.uploads import Uploads
    from footnotary.render.page_image import page_image, require_pages
    from footnotary.wiring import tenant_folder

    document = shown.document
    require_pages(document.media_type)
    if shown.former is not None:
        raise UsageError(
            "there is no page image: where words stand on the page is kept for the present version only",
            hint="leave --image out",
        )
    origin = Uploads.of_tenant(tenant_folder(settings)).original(settings.project, document.path)
    data = read_original(origin, document.sha256, settings.max_file_mb * 1_000_000)
    drawn = page_image(data, document.media_type, shown.layout or Layout(), shown.boxes)
    try:
        image.write_bytes(drawn)
    except OSError as error:
        raise UsageError(f"{image} cannot be written: {error.strerror}", hint="choose another file") from None


def _source(shown: Shown) -> str:
    from footnotary.render.markers import full_source

    labels, title = shown.chunk.labels, shown.document.title
    source = full_source(labels, shown.page, title)
    # Of a plain document the labels know nothing, and a page alone names no source.
    return source if shown.page is None or full_source(labels, None, "") else f"{title}, {source}"


def _say(shown: Shown, project: str) -> None:
    chunk, document = shown.chunk, shown.document
    say(f"[{chunk.id}] {_source(shown)}")
    if shown.former is not None:
        say(f"superseded: {_fate(shown.former)}")
    say()
    say(shown.words.of(chunk.text))
    say()
    say(f"document: {document.id} ({document.path})")
    if shown.page is not None:
        label = shown.layout.label(shown.page) if shown.layout else None
        say(f"page: {shown.page}" + (f", printed as {label}" if label and label != str(shown.page) else ""))
    for where in _places(shown.place):
        say(f"place: {where}")
    say(f"sha256: {document.sha256}")
    if known := in_words(shown.standing):
        say(f"standing: {known}")
    for other in shown.others:
        when = (
            f"it read otherwise until {moment(other.former.retired_at)}" if other.former else "it reads otherwise now"
        )
        say(f"{when}: footnotary show {other.chunk.id} -p {project} --version {other.document.sha256[:12]}")


def _fate(version: FormerVersion) -> str:
    when = moment(version.retired_at)
    if version.successor is None:
        return f"the document was deleted on {when}; this is what it said"
    return f"this version was replaced on {when} by the one with sha256 {version.successor}"


def _places(place: Located | None) -> list[str]:
    if place is None:
        return ["put in by cleaning: it stands nowhere in the original"]
    if place.page is not None:
        return [f"page {at.page}, characters {at.chars.start}-{at.chars.end}" for at in (place, *place.onward)]
    inside = f", bytes {place.bytes.start}-{place.bytes.end}" if place.bytes else ""
    return [f"characters {place.chars.start}-{place.chars.end}{inside}"]


def _record(shown: Shown, project: str) -> dict[str, Any]:
    from footnotary.render.record import place_record, standing_record

    chunk, document, words, place, former = shown.chunk, shown.document, shown.words, shown.place, shown.former
    return {
        "id": chunk.id,
        "aliases": list(chunk.aliases),
        "project": project,
        "source": _source(shown),
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
        "source_span": place and place_record(place),
        "boxes": [
            {"page": page, "left": box.left, "bottom": box.bottom, "right": box.right, "top": box.top}
            for page, box in shown.boxes
        ],
        "validity": standing_record(shown.standing),
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
