"""Finding and reading files: never outside the folder named, never a device, never more than allowed."""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from footnotary.errors import DocumentError

# In a folder or an archive, files under these names are documents; named by itself, any file may be one. Other files
# there are source code, logs and settings.
_SUFFIXES = frozenset(
    "|.txt|.text|.md|.markdown|.htm|.html|.xhtml|.jsonl|.ndjson|.json|.pdf|.docx|.zip|.png|.jpg|.jpeg|.tif|.tiff".split(
        "|"
    )
)


@dataclass(frozen=True, slots=True)
class Found:
    """A file to take in: `name` is its path below the folder that was named, or its own name.

    `is_named` says that the caller named the file itself, not a folder around it. `outside` is where a link leads
    that leaves the folder; such a file is not read.
    """

    path: Path
    name: str
    is_named: bool
    outside: str | None = None

    @property
    def is_document(self) -> bool:
        """Whether, met in a folder, it goes by a name that documents have."""
        return self.is_named or has_name_of_document(self.name)


def has_name_of_document(name: str) -> bool:
    return PurePath(name).suffix.lower() in _SUFFIXES


def find_files(paths: Sequence[Path]) -> tuple[Found, ...]:
    """The files named, and those in the folders named in order of their paths; hidden ones are passed over."""
    found: list[Found] = []
    for path in paths:
        if path.is_dir():
            found.extend(_walk(path, path.resolve()))
        else:
            found.append(Found(path, path.name, True))
    return tuple(found)


def _walk(folder: Path, root: Path) -> list[Found]:
    waiting = [folder]
    files: list[Found] = []
    while waiting:
        here = waiting.pop()
        try:
            entries = list(os.scandir(here))
        except OSError:
            files.append(Found(here, here.relative_to(folder).as_posix(), False))  # reading it says why
            continue
        for entry in entries:
            path = Path(entry.path)
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
                continue
            target = path.resolve() if entry.is_symlink() else path
            if entry.is_symlink() and target.is_dir():
                continue  # a folder within the root is walked under its own name; one outside is not ours
            leaves = entry.is_symlink() and not target.is_relative_to(root)
            files.append(Found(path, path.relative_to(folder).as_posix(), False, str(target) if leaves else None))
    return sorted(files, key=lambda file: file.name)


def read_file(path: Path, max_bytes: int) -> bytes:
    """The whole of a regular file. Raises `DocumentError` for anything else, and for a file over the limit."""
    try:
        # Opening a pipe would wait for a writer for ever, so it is opened without waiting and then looked at.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise DocumentError(
                    "it is no regular file", reason="not_a_file", hint="name a file or a folder of files"
                )
            data = file.read(max_bytes + 1) if status.st_size <= max_bytes else b""
            size = max(status.st_size, len(data))
    except FileNotFoundError as error:
        raise DocumentError("there is no such file", reason="not_found", hint="check the path") from error
    except (OSError, ValueError) as error:
        no_file = not isinstance(error, PermissionError) and not _may_be_regular(path)
        raise DocumentError(
            f"it cannot be opened: {(isinstance(error, OSError) and error.strerror) or error}",
            reason="not_a_file" if no_file else "unreadable",
            hint="check that it is a file you may read",
        ) from error
    if size > max_bytes:
        raise DocumentError(
            f"it has {size:,} bytes, and the limit is {max_bytes:,}",
            reason="too_large",
            hint="split it, or raise max_file_mb in the settings",
        )
    return data


def _may_be_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return True
