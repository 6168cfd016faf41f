"""`watch`: keeps a project in step with a folder, until Ctrl-C."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from footnotary.cli.exit_codes import ExitCode
from footnotary.cli.library.ingest import ingest_progress_bars
from footnotary.cli.output import counted, note, say
from footnotary.errors import UsageError

if TYPE_CHECKING:
    from footnotary.app.watched_folder import FolderState, SyncReport, WatchedFolder


def run_watch(
    folder: Path, home: Path | None, project: str | None, embedder: str | None, *, interval_s: float, once: bool
) -> ExitCode:
    """Syncs, and then again whenever the folder has changed and rested for one interval. `once` syncs and ends."""
    from footnotary.app.watched_folder import WatchedFolder
    from footnotary.settings import load_settings
    from footnotary.wiring import opened

    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", hint="name the folder to watch")
    settings = load_settings({"home": home, "project": project, "embedder": embedder})
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # both end it between two documents
    with opened(settings) as open_:
        watched = WatchedFolder(folder, settings.project, open_.corpus)
        try:
            report = _sync(watched, watched.state())
            if once or report.is_interrupted:
                return ExitCode.FAILURE if report.is_interrupted or _has_failed(report) else ExitCode.OK
            note(f"watching {folder} for project {settings.project!r}, every {interval_s:g} s; Ctrl-C ends it")
            follow(watched, interval_s)
        except KeyboardInterrupt:
            pass
    note("ended: what is listed above is indexed")
    return ExitCode.OK


def follow(watched: WatchedFolder, interval_s: float, sleep: Callable[[float], None] = time.sleep) -> None:
    """Syncs after every change, once the folder has been the same for an interval: files arrive piece by piece."""
    before = watched.state()
    while True:
        sleep(interval_s)
        now = watched.state()
        if now == before and watched.differs(now) and _sync(watched, now).is_interrupted:
            return
        before = now


def _sync(watched: WatchedFolder, state: FolderState) -> SyncReport:
    with ingest_progress_bars() as progress:
        report = watched.sync(state, progress)
    at = datetime.now().astimezone().strftime("%H:%M:%S")
    for document in report.deleted:
        say(f"{at} deleted {document}")
    if report.ingested is not None:
        for what, entries in (("added", report.ingested.added), ("replaced", report.ingested.replaced)):
            for entry in entries:
                say(f"{at} {what} {entry.document_id} ({counted(entry.chunks, 'passage')})")
        if report.ingested.unchanged:
            note(f"{len(report.ingested.unchanged)} unchanged")
        for left in report.ingested.failed:
            note(f"{left.path}: {left.reason}: {left.message}" + (f" ({left.hint})" if left.hint else ""))
    if report.emptied:
        note(
            f"{watched.folder} has no documents any more, so nothing was deleted: if that is meant, use "
            "`footnotary documents delete`; otherwise check that it is mounted"
        )
    return report


def _has_failed(report: SyncReport) -> bool:
    return report.ingested is not None and bool(report.ingested.failed)
