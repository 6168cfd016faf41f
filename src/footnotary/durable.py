"""Durable writes: files and folders that must survive a power loss."""

import os
from pathlib import Path


def fsync_path(path: Path) -> None:
    """Flushes a file's content, or a folder's entries, to disk; durable when it returns."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_durable_folder(path: Path) -> None:
    """Creates a folder and its missing parents; durable when it returns."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for folder in missing:
        fsync_path(folder.parent)
