"""`show`: the source of a citation, as text and as a page image, also from a former version of the document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.cli.dates import format_time, status_text
from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.output import note, print_json, say
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.app.source_lookup import ResolvedSource
    from footnotary.domain.document import SourceLocation
    from footnotary.ports import FormerVersion
    from footnotary.settings import Settings


def run_show(
    cited: str,
    *,
    home: Path | None,
    project: str | None,
    quote: str | None,
    version: str | None,
    image: Path | None,
    as_json: bool,
) -> ExitCode:
    """Prints the source of a citation, and writes the page image if requested."""
    from footnotary.app.source_lookup import find_source, source_record
    from footnotary.settings import load_settings
    from footnotary.wiring import opened_store

    settings = load_settings({"home": home, "project": project})
    with opened_store(settings, read_only=True) as store:
        shown = find_source(store, settings.project, cited, quote=quote, version=version)
    if image is not None:
        _write_page_image(shown, settings, image)
    if as_json:
        print_json(source_record(shown, settings.project) | ({"image": str(image)} if image else {}))
    else:
        _print_source(shown, settings.project)
        if image is not None:
            note(f"page image: {image}")
    return ExitCode.OK


def _write_page_image(shown: ResolvedSource, settings: Settings, image: Path) -> None:
    from footnotary.domain.layout import Layout
    from footnotary.ingest.original import read_original
    from footnotary.ingest.uploads import UploadStore
    from footnotary.render.page_image import render_page_image, require_pages
    from footnotary.wiring import tenant_folder

    document = shown.document
    require_pages(document.media_type)
    if shown.former is not None:
        raise UsageError(
            "no page image: page positions are stored for the current version only",
            hint="omit --image",
        )
    origin = UploadStore.of_tenant(tenant_folder(settings)).original(settings.project, document.path)
    data = read_original(origin, document.sha256, settings.max_file_mb * 1_000_000)
    drawn = render_page_image(data, document.media_type, shown.layout or Layout(), shown.boxes)
    try:
        image.write_bytes(drawn)
    except OSError as error:
        raise UsageError(f"{image} cannot be written: {error.strerror}", hint="choose another file") from None


def _print_source(shown: ResolvedSource, project: str) -> None:
    chunk, document = shown.chunk, shown.document
    say(f"[{chunk.id}] {shown.name}")
    if shown.former is not None:
        say(f"superseded: {_superseded_text(shown.former)}")
    say()
    say(shown.words.of(chunk.text))
    say()
    say(f"document: {document.id} ({document.path})")
    if shown.page is not None:
        label = shown.layout.label(shown.page) if shown.layout else None
        say(f"page: {shown.page}" + (f", printed as {label}" if label and label != str(shown.page) else ""))
    for where in _place_texts(shown.place):
        say(f"place: {where}")
    say(f"sha256: {document.sha256}")
    if known := status_text(shown.standing):
        say(f"status: {known}")
    for other in shown.others:
        when = f"different text until {format_time(other.former.retired_at)}" if other.former else "different text now"
        say(f"{when}: footnotary show {other.chunk.id} -p {project} --version {other.document.sha256[:12]}")


def _superseded_text(version: FormerVersion) -> str:
    when = format_time(version.retired_at)
    if version.successor is None:
        return f"the document was deleted on {when}; this is its last text"
    return f"this version was replaced on {when} by the one with sha256 {version.successor}"


def _place_texts(place: SourceLocation | None) -> list[str]:
    from footnotary.cli.questions.cell_ranges import with_cell_ranges

    if place is None:
        return ["inserted by text cleaning: not in the original"]
    if place.page is not None:
        return [f"page {at.page}, characters {at.chars.start}-{at.chars.end}" for at in (place, *place.onward)]
    if place.place is not None:
        parts = (place, *place.onward)
        return list(with_cell_ranges((at.place or "", f"characters {at.chars.start}-{at.chars.end}") for at in parts))
    inside = f", bytes {place.bytes.start}-{place.bytes.end}" if place.bytes else ""
    return [f"characters {place.chars.start}-{place.chars.end}{inside}"]
