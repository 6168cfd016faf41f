"""The original bytes of a document: read at ingest, and again to show what was cited."""

from dataclasses import dataclass
from pathlib import Path

from footnotary.domain.identity import sha256_hex
from footnotary.errors import DocumentError, UsageError
from footnotary.ingest.document_registry import TEXT_ORIGIN_PREFIX
from footnotary.ingest.file_discovery import FoundFile, read_file
from footnotary.ingest.file_type import sniff
from footnotary.ingest.member_lookup import read_file_within
from footnotary.ingest.uploads import UPLOAD_ORIGIN_PREFIX


@dataclass(frozen=True, slots=True)
class Original:
    """One file or text as ingested: its origin, name and bytes."""

    origin: str
    name: str
    data: bytes
    sha256: str


def original_from_file(file: FoundFile, max_bytes: int) -> Original:
    """A file from disk. Raises `DocumentError` if it must not be ingested."""
    if file.outside:
        raise DocumentError(f"it is a link to {file.outside}, outside of the folder", reason="outside_folder")
    data = read_file(file.path, max_bytes)
    if not file.has_document_name:
        raise DocumentError(
            f"files named *{file.path.suffix} are not ingested from a folder",
            reason="unsupported_type",
            hint="name the file itself to ingest it as text"
            if _is_text(data, file.name)
            else "convert it to PDF, DOCX, XLSX, PPTX, HTML, Markdown or plain text",
        )
    return Original(str(file.path.resolve()), file.name, data, sha256_hex(data))


def _is_text(data: bytes, name: str) -> bool:
    try:
        return sniff(data, name).encoding is not None
    except DocumentError:
        return False


def original_from_upload(name: str, file: Path, max_bytes: int) -> Original:
    """An uploaded file; its origin is the upload name, not its current path."""
    data = read_file(file, max_bytes)
    return Original(UPLOAD_ORIGIN_PREFIX + name, name, data, sha256_hex(data))


def original_from_text(name: str, text: str) -> Original:
    """A text in memory. Raises `DocumentError` if it cannot be encoded as UTF-8."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise DocumentError(
            f"{text[error.start]!r} at offset {error.start} is not a valid character",
            reason="wrong_encoding",
            hint="the text has half of a surrogate pair; decode it again",
        ) from error
    return Original(TEXT_ORIGIN_PREFIX + name, name, data, sha256_hex(data))


def read_original(origin: str, sha256: str, max_bytes: int) -> bytes:
    """The original bytes of a document, extracted from its archive or message if it came in one.

    Raises `UsageError` if they are gone or no longer have that hash, `DocumentError` if they cannot be read.
    """
    if origin.startswith(TEXT_ORIGIN_PREFIX):
        raise UsageError("the document was ingested as text: there is no file to show", hint="ingest the file itself")
    data = _read_if_exists(Path(origin), max_bytes)
    if data is None:
        raise UsageError(
            f"the original file {origin} no longer exists", hint="restore it, or ingest it from its new path"
        )
    if sha256_hex(data) != sha256:
        raise UsageError(
            f"the original file {origin} has changed since it was ingested: its sha256 is not {sha256[:12]}…",
            hint="ingest it again, or restore the earlier version",
        )
    return data


def has_changed(origin: str, sha256: str, max_bytes: int) -> bool:
    """Whether the original file of a document still exists and its content has changed."""
    if origin.startswith((TEXT_ORIGIN_PREFIX, UPLOAD_ORIGIN_PREFIX)):
        return False
    try:
        data = _read_if_exists(Path(origin), max_bytes)
    except (DocumentError, OSError, ValueError):
        return False  # it cannot be read, so it replaces nothing
    return data is not None and sha256_hex(data) != sha256


def _read_if_exists(path: Path, max_bytes: int) -> bytes | None:
    if path.is_file():
        return read_file(path, max_bytes)
    holder = next((above for above in path.parents if above.is_file()), None)
    if holder is None:
        return None
    name = path.relative_to(holder).as_posix()
    return read_file_within(read_file(holder, max_bytes), holder.name, name, max_bytes)
