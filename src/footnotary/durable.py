"""What must survive a loss of power."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Returns once what was written to a file, or the names made and changed in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(path: Path) -> None:
    """Makes a folder, and those above it that are missing; their names are on the disk when it returns."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    for folder in missing:
        sync(folder.parent)
