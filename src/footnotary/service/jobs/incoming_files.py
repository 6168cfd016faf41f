"""The files of uploads that wait to be indexed: removed when their job ends, or when no job will ever want them."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

_ABANDONED_AFTER_S = 3600.0


def remove_files(folder: Path, job_ids: Sequence[str]) -> None:
    """Removes the files of jobs, where they are still there."""
    for job_id in job_ids:
        (folder / job_id).unlink(missing_ok=True)


def remove_abandoned(folder: Path, wanted: Collection[str]) -> None:
    """Removes files whose client disconnected before they were accepted; recent ones may still be uploading."""
    for path, changed in _list_files(folder):
        if path.name not in wanted and time.time() - changed > _ABANDONED_AFTER_S:
            path.unlink(missing_ok=True)


def _list_files(folder: Path) -> list[tuple[Path, float]]:
    """The files in a folder and when each was last written; a file that disappears meanwhile is left out."""
    found: list[tuple[Path, float]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                if entry.is_file():
                    found.append((Path(entry.path), entry.stat().st_mtime))
    return found
