"""Uploaded files: valid names, and where the originals are kept.

The store identifies such a document by the origin `upload:<name>`, never by a local path: citations, records and
bundles show only its name, and a data directory that is moved keeps its originals.
"""

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile, rmtree

from footnotary.domain.identity import sha256_hex
from footnotary.durable import fsync_path, make_durable_folder, make_private_file
from footnotary.errors import UsageError

UPLOAD_ORIGIN_PREFIX = "upload:"  # origin prefix of uploaded documents

MAX_NAME_CHARS = 200
_JOINERS = "\u200c\u200d"  # invisible, and part of the spelling of Indian scripts
_RESERVED_NAMES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
)


def normalize_upload_name(given: str) -> str:
    """The normalised name. Raises `UsageError` if it is a path, empty, too long, or has control characters.

    The message does not repeat the name, so that the name goes nowhere else.
    """
    name = unicodedata.normalize("NFC", given.strip())
    if not name.strip("."):
        raise _invalid_name("it is empty")
    if len(given) > MAX_NAME_CHARS:
        raise _invalid_name(f"it has {len(given):,} characters; the limit is {MAX_NAME_CHARS}")
    if "/" in name or "\\" in name:
        raise _invalid_name("it is a path")
    if any(unicodedata.category(char)[0] == "C" and char not in _JOINERS for char in name):
        raise _invalid_name("it contains control characters")
    if name.startswith(".") or name.split(".")[0].lower() in _RESERVED_NAMES:
        raise _invalid_name("it is hidden or reserved by the operating system")
    return name


@dataclass(frozen=True, slots=True)
class UploadStore:
    """A tenant's uploaded originals: in `folder`, named by digests, so that no name can cause path traversal."""

    folder: Path

    @classmethod
    def of_tenant(cls, tenant_folder: Path) -> "UploadStore":
        return cls(tenant_folder / "uploads")

    def kept(self, project: str, name: str) -> Path:
        return self.folder / sha256_hex(project)[:16] / sha256_hex(name)[:32]

    def original(self, project: str, origin: str) -> str:
        """The path of a document's original; for a member of an archive, a path below the archive's."""
        if not origin.startswith(UPLOAD_ORIGIN_PREFIX):
            return origin
        name, _, member = origin.removeprefix(UPLOAD_ORIGIN_PREFIX).partition("/")
        path = self.kept(project, name)
        return str(path / member) if member else str(path)

    def keep(self, incoming: Path, project: str, name: str) -> None:
        """Stores an uploaded file, replacing an earlier one; durable when it returns.

        The incoming file stays as well, as a hard link where possible: a job that has not yet been marked as done may
        have to read it again.
        """
        kept = self.kept(project, name)
        make_durable_folder(kept.parent)
        adjacent = kept.with_name(f"{kept.name}.new")
        adjacent.unlink(missing_ok=True)
        try:
            adjacent.hardlink_to(incoming)
        except OSError:
            make_private_file(adjacent)
            copyfile(incoming, adjacent)
            fsync_path(adjacent)
        adjacent.replace(kept)
        adjacent.unlink(missing_ok=True)  # replacing one link by another to the same file leaves both
        fsync_path(kept.parent)

    def forget(self, project: str, name: str) -> None:
        self.kept(project, name).unlink(missing_ok=True)

    def forget_all(self, project: str) -> None:
        rmtree(self.folder / sha256_hex(project)[:16], ignore_errors=True)


def _invalid_name(why: str) -> UsageError:
    allowed = f"at most {MAX_NAME_CHARS} characters without a slash, not beginning with a dot, such as act-1948.pdf"
    return UsageError(f"invalid document name: {why}", hint=f"use a file name of {allowed}")
