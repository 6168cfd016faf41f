"""A mail message as a document: its subject, who wrote to whom and when, its text, and its attachments."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from footnotary.ingest.offset_builder import OffsetTrackingBuilder
from footnotary.ingest.parse.html.parser import parse_html
from footnotary.ingest.parse.placed_text import PlacedTextBuilder, join_parts
from footnotary.ingest.parse.zip_archive import limit_error
from footnotary.ingest.parsed_document import ArchiveMember, ParsedFile

MAX_ATTACHMENTS = 1_000
_UNSAFE_IN_NAME = re.compile(r"[/\\:\x00-\x1f\x7f]+")
_MAX_NAME_CHARS = 120


@dataclass(frozen=True, slots=True)
class MailMessage:
    """`headers` are names and values in order of display; of a body in both forms, the plain text is read."""

    subject: str
    headers: tuple[tuple[str, str], ...]
    text: str
    html: str
    attachments: tuple[ArchiveMember, ...] = ()


def document_from_message(message: MailMessage) -> ParsedFile:
    """The message with its subject as title and heading. A quote leads to the header it is in, or to the body."""
    builder = PlacedTextBuilder()
    builder.write(message.subject, "header Subject")
    builder.end_line(level=1)
    for name, value in message.headers:
        builder.put(f"{name}: ")
        builder.write(value, f"header {name}")
        builder.end_line(kind="list")
    text, offsets, lines = builder.finish()
    head = ParsedFile(text, offsets, lines)
    body = _plain_body(message.text) if message.text.strip() else parse_html(message.html.encode(), "utf-8")
    # Headings of a formatted body are below the subject.
    body = replace(body, lines=tuple(replace(line, level=line.level and line.level + 1) for line in body.lines))
    joined = join_parts((("header", head), ("body", body)), " ".join(message.subject.split()) or None)
    return replace(joined, attachments=message.attachments)


def named_attachments(files: Iterable[tuple[str, bytes]]) -> tuple[ArchiveMember, ...]:
    """The attachments under safe names, each used once; the rest of a path that a sender gave is dropped."""
    taken: set[str] = set()
    members: list[ArchiveMember] = []
    for given, data in files:
        if len(members) == MAX_ATTACHMENTS:
            raise limit_error(f"the message has over {MAX_ATTACHMENTS:,} attachments")
        name = unicodedata.normalize("NFC", _UNSAFE_IN_NAME.split(given.strip())[-1].strip(". "))[-_MAX_NAME_CHARS:]
        name = name or f"attachment {len(members) + 1}"
        stem, dot, suffix = name.rpartition(".")
        count = 1
        while name.casefold() in taken:
            count += 1
            name = f"{stem} ({count}).{suffix}" if dot else f"{suffix} ({count})"
        taken.add(name.casefold())
        members.append(ArchiveMember(name, data))
    return tuple(members)


def joined_addresses(addresses: Sequence[str]) -> str:
    return ", ".join(address.strip() for address in addresses if address.strip())


def _plain_body(text: str) -> ParsedFile:
    text = text.encode("utf-8", "replace").decode()  # without halves of surrogate pairs
    builder = OffsetTrackingBuilder(text, "utf-8")
    builder.copy_lines(0, len(text))
    body, offsets, lines = builder.finish()
    return ParsedFile(body, offsets, lines)
