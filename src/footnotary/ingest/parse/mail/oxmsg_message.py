"""Messages of Outlook (.msg), read with python-oxmsg."""

from typing import Any

from footnotary.ingest.parse.mail.message import (
    MailMessage,
    document_from_message,
    joined_addresses,
    named_attachments,
)
from footnotary.ingest.parse.office.package import import_library, read_with_library
from footnotary.ingest.parsed_document import ArchiveMember, ParsedFile


def parse_msg(data: bytes, encoding: str) -> ParsedFile:  # noqa: ARG001 - the message declares its own encoding
    """As for `parse_eml`. Raises `DocumentError` if the file is corrupt or not a message."""
    return document_from_message(read_with_library(lambda: _message(_load(data)), "message"))


def msg_attachments(data: bytes) -> tuple[ArchiveMember, ...]:
    """The attachments of a message, under the names they are ingested by."""
    return read_with_library(lambda: _attachments(_load(data)), "message")


def _load(data: bytes) -> Any:
    return import_library("oxmsg", "python-oxmsg", "MSG").Message.load(data)


def _message(message: Any) -> MailMessage:
    recipients = joined_addresses([_address(one.name, one.email_address) for one in message.recipients])
    sent = message.sent_date
    headers = {name.lower(): value for name, value in message.message_headers.items()}
    headers = (
        ("From", message.sender or ""),
        ("To", headers.get("to") or recipients),
        ("Cc", headers.get("cc") or ""),
        ("Date", headers.get("date") or (sent.strftime("%Y-%m-%d %H:%M %Z").strip() if sent else "")),
    )
    return MailMessage(
        message.subject,
        tuple((name, " ".join(str(value).split())) for name, value in headers if str(value).strip()),
        message.body or "",
        message.html_body or "",
        _attachments(message),
    )


def _attachments(message: Any) -> tuple[ArchiveMember, ...]:
    # An attached message has no bytes of its own: it is stored in pieces.
    held = [(one.file_name or "", one.file_bytes) for one in message.attachments if one.attached_by_value]
    return named_attachments((name, data) for name, data in held if data)


def _address(name: str, address: str) -> str:
    return f"{name} <{address}>" if name and address and name != address else name or address
