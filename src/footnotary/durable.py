"""Durable and private writes: files and folders that survive a power loss and that only their owner can read."""

import os
from pathlib import Path

PRIVATE_FILE_MODE = 0o600
PRIVATE_FOLDER_MODE = 0o700


def fsync_path(path: Path) -> None:
    """Flushes a file's content, or a folder's entries, to disk; durable when it returns."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_durable_folder(path: Path) -> None:
    """Creates a folder and its missing parents, private ones; durable when it returns."""
    for folder in make_private_folder(path):
        fsync_path(folder.parent)


def make_private_folder(path: Path) -> list[Path]:
    """Creates a folder and its missing parents with mode 0700, whatever the umask; returns those it created."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        try:
            folder.mkdir(mode=PRIVATE_FOLDER_MODE)
        except FileExistsError:  # another process was first
            if not folder.is_dir():
                raise
    if not missing:
        path.mkdir(exist_ok=True)  # raises where a file has that name
    return missing


def make_private_file(path: Path) -> None:
    """Creates an empty file with mode 0600 unless it exists. The extra files of an SQLite database get its mode."""
    os.close(open_private(path, os.O_RDWR | os.O_CREAT))


def open_private(path: str | Path, flags: int) -> int:
    """`os.open` for a file that only its owner may read; fits as the `opener` of `open`."""
    return os.open(path, flags | os.O_CLOEXEC, PRIVATE_FILE_MODE)


def tighten_files(folder: Path) -> None:
    """Gives the files of a private folder mode 0600, for libraries that create files themselves."""
    for entry in os.scandir(folder):
        if entry.is_file(follow_symlinks=False):
            try:
                Path(entry.path).chmod(PRIVATE_FILE_MODE)
            except FileNotFoundError:  # a file that the library has just removed
                continue
