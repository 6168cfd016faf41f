"""Zip files: member names and contents, within size limits and without path traversal."""

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from footnotary.errors import DocumentError
from footnotary.ingest.file_discovery import has_document_suffix
from footnotary.ingest.parsed_document import ArchiveMember

MAX_MEMBERS = 10_000
MAX_MEMBER_BYTES = 64_000_000
MAX_TOTAL_BYTES = 200_000_000
MAX_COMPRESSION_RATIO = 200  # prose compresses 3 to 10 times; deflate cannot exceed 1,032
_RATIO_EXEMPT_BYTES = 1_000_000

_DECOMPRESSION_ERRORS = (zlib.error, lzma.LZMAError, OSError)  # by compression method; bzip2 raises OSError
_END, _ENTRY = struct.Struct("<4s4H2LH"), struct.Struct("<4s6H3L5H2L")
_LINK, _DIRECTORY, _TYPE_MASK = 0o120000, 0o040000, 0o170000
_SYSTEM_FOLDERS = frozenset({"__MACOSX", "$RECYCLE.BIN", "System Volume Information"})
_SYSTEM_FILES = frozenset({"thumbs.db", "desktop.ini"})
_RESERVED_NAMES = frozenset(
    ["con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))]
)


@dataclass(frozen=True, slots=True)
class UnpackedArchive:
    """The files of an archive sorted by path; hidden and system files are skipped."""

    members: tuple[ArchiveMember, ...]


def list_zip_names(data: bytes) -> Iterator[str]:
    """The names in the central directory of a zip file, without unpacking anything; none if it is corrupt."""
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    if at < 0 or at + _END.size > len(data):
        return
    *_, size, offset, _ = _END.unpack_from(data, at)
    here, end = (offset, offset + size) if offset + size <= at else (0, 0)
    for _ in range(MAX_MEMBERS):
        if here + _ENTRY.size > end or not data.startswith(b"PK\x01\x02", here):
            return
        fields = _ENTRY.unpack_from(data, here)
        name, extra, comment = fields[10:13]
        yield data[here + _ENTRY.size : here + _ENTRY.size + name].decode("utf-8", "replace")
        here += _ENTRY.size + name + extra + comment


def unpack_archive(data: bytes) -> UnpackedArchive:
    """All files of an archive; one that cannot be read, or is not named like a document, does not stop the others.

    Raises `DocumentError` if the archive as a whole is corrupt or over a limit.
    """
    archive = open_archive(data)
    members: list[ArchiveMember] = []
    total, seen = 0, set[str]()
    for info in sorted(archive.infolist(), key=lambda info: info.filename):
        if info.is_dir() or _is_hidden(info.filename):
            continue
        wrong = _unsafe_name_reason(info) or ("it is a duplicate" if info.filename.casefold() in seen else None)
        seen.add(info.filename.casefold())
        if wrong:
            members.append(ArchiveMember(_printable_name(info.filename), reason="unsafe_path", message=wrong))
            continue
        if info.flag_bits & 1:
            members.append(ArchiveMember(info.filename, reason="encrypted", message="it is password-protected"))
            continue
        if not has_document_suffix(info.filename):  # other files, such as videos, are not unpacked
            members.append(ArchiveMember(info.filename))
            continue
        if info.file_size > MAX_MEMBER_BYTES:
            large = f"it has {info.file_size:,} bytes; the limit in an archive is {MAX_MEMBER_BYTES:,}"
            members.append(ArchiveMember(info.filename, reason="too_large", message=large))
            continue
        try:
            content = read_member(archive, info, MAX_MEMBER_BYTES)
        except DocumentError as error:
            if error.reason != "broken_file":  # a decompression bomb fails the whole archive
                raise
            members.append(ArchiveMember(info.filename, reason=error.reason, message=error.message))
            continue
        total += len(content)
        if total > MAX_TOTAL_BYTES:
            raise limit_error(f"the archive unpacks to over {MAX_TOTAL_BYTES:,} bytes")
        members.append(ArchiveMember(info.filename, content))
    if not members:
        raise DocumentError("the archive has no files", reason="no_text", hint="check that it is the right archive")
    return UnpackedArchive(tuple(members))


def open_archive(data: bytes) -> zipfile.ZipFile:
    """Opens an archive whose entries do not overlap and are not too many. Raises `DocumentError`."""
    if data.count(b"PK\x01\x02") > 2 * MAX_MEMBERS:
        raise limit_error(f"the archive has over {MAX_MEMBERS:,} entries")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
        raise corrupt_file_error(str(error)) from error
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS:
        raise limit_error(f"the archive has {len(entries):,} entries; the limit is {MAX_MEMBERS:,}")
    end = 0
    for info in sorted(entries, key=lambda info: info.header_offset):
        if info.header_offset < end:  # overlapping entries: the same data unpacked many times
            raise limit_error(f"entry {_printable_name(info.filename)} overlaps another")
        end = info.header_offset + 30 + info.compress_size
    return archive


def read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, max_bytes: int) -> bytes:
    """The content of a member, within limits whatever size its header declares. Raises `DocumentError`."""
    most = min(max_bytes, max(_RATIO_EXEMPT_BYTES, MAX_COMPRESSION_RATIO * info.compress_size))
    try:
        with archive.open(info) as file:
            content = file.read(most + 1)
    except (
        zipfile.BadZipFile,
        *_DECOMPRESSION_ERRORS,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
    ) as error:
        raise corrupt_file_error(f"{_printable_name(info.filename)}: {error}") from error
    if len(content) > most:
        packed = f"{info.compress_size:,} bytes of {_printable_name(info.filename)}"
        raise limit_error(f"{packed} unpack to over {most:,}")
    return content


def limit_error(seen: str) -> DocumentError:
    return DocumentError(seen, reason="parse_limit", hint="unpack it yourself if you trust it")


def corrupt_file_error(seen: str) -> DocumentError:
    return DocumentError(f"the file is corrupt: {seen}", reason="broken_file", hint="download or save it again")


def _is_hidden(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return (
        any(part in _SYSTEM_FOLDERS or (part.startswith(".") and part.strip(".")) for part in parts)
        or parts[-1].lower() in _SYSTEM_FILES
    )


def _unsafe_name_reason(info: zipfile.ZipInfo) -> str | None:
    """Why a member is rejected: its path leaves the archive, or its name is special on some system."""
    name = info.orig_filename  # `filename` ends at a NUL
    kind = (info.external_attr >> 16) & _TYPE_MASK
    if kind == _LINK:
        return "it is a link"
    if kind not in (0, _DIRECTORY, 0o100000):
        return "it is not a regular file"
    if any(char < " " for char in name):
        return "its name contains control characters"
    if name.startswith(("/", "\\")) or name[1:2] == ":":
        return "its path is absolute"
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if ".." in parts:
        return "its path leads out of the archive"
    if any(part.split(".")[0].strip().lower() in _RESERVED_NAMES for part in parts):
        return "its name is a reserved device name"
    return None


def _printable_name(name: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in name[:200])
