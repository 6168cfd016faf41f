"""The original file of a document, read again to show what was cited."""

from pathlib import Path

from footnotary.domain.identity import sha256_hex
from footnotary.errors import UsageError
from footnotary.ingest.archive import opened, read_member
from footnotary.ingest.files import read_file
from footnotary.ingest.known import IN_MEMORY


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
