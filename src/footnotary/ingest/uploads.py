"""Files that were handed over under a name: what a name may be, and where the original is kept.

The store knows such a document by the origin `upload:<name>`, never by a path of the machine: what citations, records
and bundles show of it is the name it was given, and a home that is moved takes its originals along.
"""

import unicodedata
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile, rmtree

from footnotary.domain.identity import sha256_hex
from footnotary.durable import make_folder, sync
from footnotary.errors import UsageError

UPLOAD = "upload:"  # how the origin of a document begins that was handed over

_MAX_NAME = 200
_JOINERS = "\u200c\u200d"  # invisible, and part of how Indian scripts are spelt
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
)


def upload_name(given: str) -> str:
    """The name as it is kept. Raises `UsageError` for one that is a path, empty, too long, or holds control characters.

    The message does not repeat the name: it goes back to whoever sent it, and into nothing else.
    """
    name = unicodedata.normalize("NFC", given.strip())
    if not name.strip("."):
        raise _no_name("it is empty")
    if len(name) > _MAX_NAME:
        raise _no_name(f"it has {len(name):,} characters, and the limit is {_MAX_NAME}")
    if "/" in name or "\\" in name:
        raise _no_name("it is a path")
    if any(unicodedata.category(char)[0] == "C" and char not in _JOINERS for char in name):
        raise _no_name("it holds control characters")
    if name.startswith(".") or name.split(".")[0].lower() in _RESERVED:
        raise _no_name("it is one that systems keep for themselves")
    return name


@dataclass(frozen=True, slots=True)
class Uploads:
    """Where a tenant's originals are kept: below `folder`, under digests, so that no name can lead elsewhere."""

    folder: Path

    @classmethod
    def of_tenant(cls, tenant_folder: Path) -> "Uploads":
        return cls(tenant_folder / "uploads")

    def kept(self, project: str, name: str) -> Path:
        return self.folder / sha256_hex(project)[:16] / sha256_hex(name)[:32]

    def original(self, project: str, origin: str) -> str:
        """The path of the file a document was made from; for a member of an archive, a path below the archive's."""
        if not origin.startswith(UPLOAD):
            return origin
        name, _, member = origin.removeprefix(UPLOAD).partition("/")
        path = self.kept(project, name)
        return str(path / member) if member else str(path)

    def keep(self, incoming: Path, project: str, name: str) -> None:
        """Puts a file where it is kept, in place of an earlier one; durable when it returns.

        The file stays where it came in as well, without taking room twice where the disk has links: whoever has not
        noted yet that it was dealt with may have to read it again.
        """
        kept = self.kept(project, name)
        make_folder(kept.parent)
        beside = kept.with_name(f"{kept.name}.new")
        beside.unlink(missing_ok=True)
        try:
            beside.hardlink_to(incoming)
        except OSError:
            copyfile(incoming, beside)
            sync(beside)
        beside.replace(kept)
        beside.unlink(missing_ok=True)  # of two links to one file, replacing one by the other leaves both
        sync(kept.parent)

    def forget(self, project: str, name: str) -> None:
        self.kept(project, name).unlink(missing_ok=True)

    def forget_all(self, project: str) -> None:
        rmtree(self.folder / sha256_hex(project)[:16], ignore_errors=True)


def _no_name(why: str) -> UsageError:
    return UsageError(f"this is no name for a document: {why}", hint="give it a plain file name, such as act-1948.pdf")
