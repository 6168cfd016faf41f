"""Finds a file within another: a member of a zip archive, an attachment of a message."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import PurePosixPath

from footnotary.ingest.file_type import EML, MSG, ZIP, sniff
from footnotary.ingest.parse.mail.eml import eml_attachments
from footnotary.ingest.parse.mail.oxmsg_message import msg_attachments
from footnotary.ingest.parse.zip_archive import open_archive, read_member
from footnotary.ingest.parsed_document import ArchiveMember

MAX_DEPTH = 4  # an attachment of a message in an archive is two files deep


def read_file_within(data: bytes, holder: str, name: str, max_bytes: int, depth: int = 1) -> bytes | None:
    """The file called `name`, a path, in the file `data` called `holder`; None if there is none.

    Raises `DocumentError` if the file that holds it cannot be read.
    """
    wanted, held = PurePosixPath(name), sniff(data, holder).media_type
    for member, read in _files_within(data, held, max_bytes):
        path = PurePosixPath(member)
        if path == wanted:
            return read()
        if depth < MAX_DEPTH and wanted.is_relative_to(path):
            return read_file_within(read(), member, str(wanted.relative_to(path)), max_bytes, depth + 1)
    return None


def _files_within(data: bytes, media_type: str, max_bytes: int) -> Iterator[tuple[str, Callable[[], bytes]]]:
    if media_type in (EML, MSG):
        for attached in eml_attachments(data) if media_type == EML else msg_attachments(data):
            yield attached.name, partial(_content, attached)
    elif media_type == ZIP:
        with open_archive(data) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    yield info.filename, partial(read_member, archive, info, max_bytes)


def _content(member: ArchiveMember) -> bytes:
    return member.data
