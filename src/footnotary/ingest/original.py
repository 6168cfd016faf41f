"""The bytes a document is made from: as they come in, and read again to show what was cited."""

from dataclasses import dataclass
from pathlib import Path

from footnotary.domain.identity import sha256_hex
from footnotary.errors import DocumentError, UsageError
from footnotary.ingest.archive import opened, read_member
from footnotary.ingest.files import Found, read_file
from footnotary.ingest.known import IN_MEMORY
from footnotary.ingest.uploads import UPLOAD


@dataclass(frozen=True, slots=True)
class Original:
    """One file or text as it came: where from, under which name, and its bytes."""

    origin: str
    name: str
    data: bytes
    sha256: str


def from_file(file: Found, max_bytes: int) -> Original:
    """A file that was named or met in a folder. Raises `DocumentError` where it is none to take in."""
    if file.outside:
        raise DocumentError(f"it is a link to {file.outside}, outside of the folder", reason="outside_folder")
    data = read_file(file.path, max_bytes)
    if not file.is_document:
        raise DocumentError(
            f"files named *{file.path.suffix} are no documents",
            reason="unsupported_type",
            hint="name the file itself to take it in as text",
        )
    return Original(str(file.path.resolve()), file.name, data, sha256_hex(data))


def from_upload(name: str, file: Path, max_bytes: int) -> Original:
    """A file that was handed over under a name: where it lies now says nothing of where it came from."""
    data = read_file(file, max_bytes)
    return Original(UPLOAD + name, name, data, sha256_hex(data))


def from_text(name: str, text: str) -> Original:
    """A text in memory. Raises `DocumentError` where it is no text that can be written down."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DocumentError(
            f"{text[error.start]!r} at {error.start} is no character",
            reason="wrong_encoding",
            hint="the text has half of a surrogate pair; decode it again",
        ) from error
    return Original(IN_MEMORY + name, name, data, sha256_hex(data))


def read_original(origin: str, sha256: str, max_bytes: int) -> bytes:
    """The bytes a document was made from, out of its archive where it came in one.

    Raises `UsageError` where they are gone or no longer have that hash, `DocumentError` where they cannot be read.
    """
    if origin.startswith(IN_MEMORY):
        raise UsageError("it was given as text: there is no file to show", hint="ingest the file itself")
    data = _found(Path(origin), max_bytes)
    if data is None:
        raise UsageError(
            f"the original file {origin} is no longer there", hint="put it back, or ingest it from where it is now"
        )
    if sha256_hex(data) != sha256:
        raise UsageError(
            f"the original file {origin} has changed since it was ingested: its sha256 is not {sha256[:12]}…",
            hint="ingest it again, or put the earlier version back",
        )
    return data


def has_changed(origin: str, sha256: str, max_bytes: int) -> bool:
    """Whether the file a document was made from is there and now holds something else."""
    if origin.startswith((IN_MEMORY, UPLOAD)):
        return False
    try:
        data = _found(Path(origin), max_bytes)
    except (DocumentError, OSError, ValueError):
        return False  # it cannot be read, and so takes nobody's place
    return data is not None and sha256_hex(data) != sha256


def _found(path: Path, max_bytes: int) -> bytes | None:
    if path.is_file():
        return read_file(path, max_bytes)
    holder = next((above for above in path.parents if above.is_file()), None)
    if holder is None:
        return None
    name = path.relative_to(holder).as_posix()
    with opened(read_file(holder, max_bytes)) as archive:
        member = next((info for info in archive.infolist() if Path(info.filename) == Path(name)), None)
        return None if member is None else read_member(archive, member, max_bytes)
