"""`ingest`: documents in, with a bar on a terminal and a report at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

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
