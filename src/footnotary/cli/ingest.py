"""`ingest`: documents in, with a bar on a terminal and a report at the end."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footnotary.cli.exits import Exit
from footnotary.cli.terminal import console, emit_json, note, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from footnotary.corpus import IngestReport, IngestStep


def run_ingest(
    paths: Sequence[Path], *, home: Path | None, project: str | None, embedder: str | None, as_json: bool
) -> Exit:
    """Indexes and reports; 1 where a document failed, after all others were taken in."""
    from footnotary.settings import load_settings
    from footnotary.wiring import opened

    settings = load_settings({"home": home, "project": project, "embedder": embedder})
    with opened(settings) as open_, _bar() as progress:
        report = open_.corpus.ingest(paths, settings.project, progress=progress)
    if as_json:
        emit_json(report_record(report))
    else:
        show_report(report, settings.project)
    if report.interrupted:
        note("interrupted: what is listed is safely indexed; run the same command to go on")
        return Exit.FAILURE
    return Exit.FAILURE if report.failed else Exit.OK


def show_report(report: IngestReport, project: str) -> None:
    """The report for people: totals on standard output, what went wrong on standard error."""
    counts = ", ".join(
        f"{len(entries)} {name}"
        for name, entries in (
            ("added", report.added),
            ("replaced", report.replaced),
            ("unchanged", report.unchanged),
            ("skipped", report.skipped),
            ("failed", report.failed),
        )
    )
    say(f"{counts}; {report.chunks} passages in project {project!r}, {report.seconds:.1f} s")
    for entry in report.unchanged:
        if entry.duplicate_of is not None and entry.duplicate_of != entry.document_id:
            note(f"same content: {entry.path} is {entry.duplicate_of}")
    for entry in (*report.added, *report.replaced):
        if entry.pages_without_text:
            note(f"{entry.path}: pages without text: {', '.join(map(str, entry.pages_without_text))}")
    for left in (*report.failed, *report.skipped):
        note(f"{left.path}: {left.reason}: {left.message}" + (f" ({left.hint})" if left.hint else ""))


def report_record(report: IngestReport) -> dict[str, Any]:
    """The report for programs."""
    return {**asdict(report), "chunks": report.chunks}


@contextmanager
def _bar() -> Generator[Callable[[IngestStep], None] | None]:
    """A bar over files and passages on a terminal; nothing elsewhere."""
    screen = console()
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as progress:
        files = progress.add_task("files")
        passages = progress.add_task("passages", total=None)

        def step(at: IngestStep) -> None:
            progress.update(files, total=at.total, completed=at.number - (at.stage != "done"))
            progress.update(passages, total=at.chunks_total or None, completed=at.chunks_done)

        yield step
