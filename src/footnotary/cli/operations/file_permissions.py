"""Finds files of a data directory that other users of the machine can read, and makes them private."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from footnotary.durable import PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE

# What the product makes in a data directory; anything else there belongs to someone else.
_OWN_FOLDERS = ("tenants", "heads", "models", "workers")
_OWN_FILES = ("keys.db*", "signing.key", "workers.lock")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def exposed_paths(home: Path) -> list[Path]:
    """The folders and files in `home` that are not private, parents first; a shared folder such as /tmp is left out."""
    if not home.is_dir():
        return []
    return [path for path in _own_paths(home) if _is_exposed(path)]


def tighten(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Makes paths private; returns those that were changed and those that belong to another user."""
    changed: list[Path] = []
    left: list[Path] = []
    for path in paths:
        try:
            path.chmod(PRIVATE_FOLDER_MODE if path.is_dir() else PRIVATE_FILE_MODE)
            changed.append(path)
        except FileNotFoundError:
            continue
        except OSError:
            left.append(path)
    return changed, left


def _own_paths(home: Path) -> Iterator[Path]:
    if not home.stat().st_mode & stat.S_ISVTX:
        yield home
    for pattern in _OWN_FILES:
        yield from sorted(home.glob(pattern))
    for name in _OWN_FOLDERS:
        for folder, folders, files in os.walk(home / name):
            folders.sort()
            yield Path(folder)
            yield from (Path(folder) / file for file in sorted(files))


def _is_exposed(path: Path) -> bool:
    try:
        seen = path.lstat()
    except FileNotFoundError:
        return False
    if stat.S_ISREG(seen.st_mode):
        # The base of an adapter is a hard link to the user's own file, whose mode is theirs to choose.
        return bool(seen.st_mode & _OTHERS) and not (path.suffix == ".gguf" and seen.st_nlink > 1)
    return stat.S_ISDIR(seen.st_mode) and bool(seen.st_mode & _OTHERS)
