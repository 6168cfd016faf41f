"""Checks an Office or EPUB package before a library opens it: sizes, compression, and XML that defines entities."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from footnotary.errors import DocumentError, FootnotaryError, UsageError
from footnotary.ingest.parse.zip_archive import (
    MAX_TOTAL_BYTES,
    corrupt_file_error,
    limit_error,
    open_archive,
    read_member,
)

_Read = TypeVar("_Read")

_MAX_PART_BYTES = 100_000_000
_XML_SUFFIXES = (".xml", ".rels", ".vml")
# In any of the encodings that XML parsers detect by themselves: as it is, or with a zero byte next to each letter.
_DECLARATION = re.compile(
    rb"<\x00?!\x00?(?:D\x00?O\x00?C\x00?T\x00?Y\x00?P\x00?E|E\x00?N\x00?T\x00?I\x00?T\x00?Y)", re.I
)


def checked_parts(data: bytes) -> dict[str, bytes]:
    """The XML parts of a package by name. Raises `DocumentError` if anything in the package is unsafe to open.

    Every part is unpacked within our limits, so that a library that unpacks it again stays within them as well. A
    document type declaration is rejected: Office programs never write one, and it can read files or expand without end.
    """
    archive, total, parts = open_archive(data), 0, dict[str, bytes]()
    for info in archive.infolist():
        if info.is_dir():
            continue
        if info.flag_bits & 1:
            raise DocumentError("it is password-protected", reason="encrypted", hint="save it without a password")
        content = read_member(archive, info, _MAX_PART_BYTES)
        total += len(content)
        if total > MAX_TOTAL_BYTES:
            raise limit_error(f"the file unpacks to over {MAX_TOTAL_BYTES:,} bytes")
        if info.filename.lower().endswith(_XML_SUFFIXES):
            if _DECLARATION.search(content):
                raise DocumentError(
                    f"{info.filename} has a document type declaration, which can read files or expand without limit",
                    reason="unsafe_xml",
                    hint="open it in its program and save it again, if you trust it",
                )
            parts[info.filename] = content
    return parts


def import_library(module: str, package: str, kind: str) -> Any:
    """An optional library. Raises `UsageError` with the extra to install if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        raise UsageError(
            f"reading {kind} files needs {package}, which is not installed", hint="pip install 'footnotary[office]'"
        ) from error


def read_with_library(read: Callable[[], _Read], kind: str) -> _Read:
    """What a library reads; its errors become a `DocumentError` that says the file is corrupt."""
    try:
        return read()
    except (FootnotaryError, MemoryError):
        raise
    except Exception as error:  # these libraries raise whatever the missing or wrong part happens to cause
        raise corrupt_file_error(f"not a readable {kind} ({type(error).__name__}: {str(error)[:200]})") from error
