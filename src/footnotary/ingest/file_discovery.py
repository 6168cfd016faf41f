"""Finds and reads files: never outside the given folder, never a device, never over the size limit."""

import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from footnotary.errors import DocumentError, UsageError

# In a folder or archive, only files with these suffixes are documents; the rest is source code, logs and settings. A
# file named explicitly may have any suffix.
_DOCUMENT_SUFFIXES = frozenset(
    "|.txt|.text|.md|.markdown|.htm|.html|.xhtml|.jsonl|.ndjson|.json|.pdf|.docx|.zip|.png|.jpg|.jpeg|.tif|.tiff"
    "|.xlsx|.xlsm|.csv|.tsv|.tab|.eml|.msg|.pptx|.epub".split("|")
)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to ingest: `name` is its path relative to the given folder, or its own name.

    `is_named`: the caller named the file itself, not a folder that contains it. `outside` is the target of a link that
    leaves the folder; such a file is not read.
    """

    path: Path
    name: str
    is_named: bool
    outside: str | None = None

    @property
    def has_document_name(self) -> bool:
        """Whether it was named explicitly, or has the suffix of a document."""
        return self.is_named or has_document_suffix(self.name)


def has_document_suffix(name: str) -> bool:
    return PurePath(name).suffix.lower() in _DOCUMENT_SUFFIXES


def list_paths(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """The paths a caller gave: one, which is never iterated as characters, or several. Raises `UsageError`."""
    if isinstance(paths, str | Path):
        return [Path(paths)]
    try:
        return [Path(path) for path in paths]
    except TypeError:
        raise UsageError(
            f"{paths!r} is neither a path nor a list of paths", hint="give a str, a Path or a list"
        ) from None


def find_files(paths: Sequence[Path]) -> tuple[FoundFile, ...]:
    """The given files, and those in the given folders sorted by path; hidden files are skipped."""
    found: list[FoundFile] = []
    for path in paths:
        if path.is_dir():
            found.extend(_walk(path, path.resolve()))
        else:
            found.append(FoundFile(path, path.name, True))
    return tuple(found)


def _walk(folder: Path, root: Path) -> list[FoundFile]:
    waiting = [folder]
    files: list[FoundFile] = []
    while waiting:
        here = waiting.pop()
        try:
            entries = list(os.scandir(here))
        except OSError:
            files.append(FoundFile(here, here.relative_to(folder).as_posix(), False))  # reading it gives the error
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
                continue  # a folder within the root is walked under its own name; one outside is skipped
            leaves = entry.is_symlink() and not target.is_relative_to(root)
            files.append(FoundFile(path, path.relative_to(folder).as_posix(), False, str(target) if leaves else None))
    return sorted(files, key=lambda file: file.name)


def read_file(path: Path, max_bytes: int) -> bytes:
    """The content of a regular file. Raises `DocumentError` for anything else, and for a file over the limit."""
    try:
        # Opening a pipe would block for ever without a writer, so it is opened non-blocking and then inspected.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise DocumentError(
                    "it is not a regular file", reason="not_a_file", hint="name a file or a folder of files"
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
            f"it has {size:,} bytes; the limit is {max_bytes:,}",
            reason="too_large",
            hint="split it, or raise max_file_mb in the settings",
        )
    return data


def _may_be_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return True
