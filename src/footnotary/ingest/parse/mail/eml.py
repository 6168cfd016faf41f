"""Messages in the Internet format (.eml), read with the standard library."""

import email
import email.policy
from collections.abc import Iterator
from email.message import EmailMessage, MIMEPart
from typing import cast

from footnotary.ingest.parse.mail.message import MailMessage, document_from_message, named_attachments
from footnotary.ingest.parse.zip_archive import corrupt_file_error
from footnotary.ingest.parsed_document import ArchiveMember, ParsedFile

_SHOWN_HEADERS = ("From", "To", "Cc", "Date")


def parse_eml(data: bytes, encoding: str) -> ParsedFile:  # noqa: ARG001 - every part declares its own encoding
    """The subject, the sender, recipients and date, and the text; attachments are returned with it.

    Raises `DocumentError` if it is not a message.
    """
    message = _parse_message(data)
    headers = [(name, value) for name in _SHOWN_HEADERS if (value := _header(message, name))]
    if not headers:
        raise corrupt_file_error("it has no sender, recipient or date")
    text, html = _body(message, "plain"), _body(message, "html")
    return document_from_message(
        MailMessage(_header(message, "Subject"), tuple(headers), text, html, _attachments(message))
    )


def eml_attachments(data: bytes) -> tuple[ArchiveMember, ...]:
    """The attachments of a message, under the names they are ingested by."""
    return _attachments(_parse_message(data))


def _parse_message(data: bytes) -> EmailMessage:
    try:
        return email.message_from_bytes(data, policy=email.policy.default)
    except (ValueError, LookupError, RecursionError) as error:
        raise corrupt_file_error(f"not a readable message ({type(error).__name__}: {error})") from error


def _header(message: EmailMessage, name: str) -> str:
    try:
        values = [str(value) for value in message.get_all(name, [])]
    except Exception:  # the header parser of the standard library fails in many ways on headers nobody should write
        values = [value for key, value in message.raw_items() if key.lower() == name.lower()]
    text = " ".join(" ".join(values[:1]).split())
    return text.encode("utf-8", "replace").decode()


def _body(message: EmailMessage, form: str) -> str:
    part = message.get_body((form,))
    return _text(part) if part is not None else ""


def _text(part: MIMEPart) -> str:
    try:
        content = part.get_content()
    except (LookupError, ValueError, AttributeError):  # an unknown encoding: read what can be read
        payload = part.get_payload(decode=True)
        content = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return content if isinstance(content, str) else ""


def _attachments(message: EmailMessage) -> tuple[ArchiveMember, ...]:
    return named_attachments(_attached_files(message))


def _attached_files(message: EmailMessage) -> Iterator[tuple[str, bytes]]:
    try:
        parts = list(message.iter_attachments())
    except (AttributeError, KeyError, TypeError):  # a message of one part, or one whose parts are not there
        return
    for part in parts:
        if part.get_content_type() == "message/rfc822":
            for held in part.iter_parts():
                forwarded = cast("EmailMessage", held)
                yield part.get_filename() or f"{_header(forwarded, 'Subject') or 'message'}.eml", forwarded.as_bytes()
            continue
        is_picture_of_body = part.get_content_maintype() == "image" and (
            "Content-ID" in part or part.get_content_disposition() == "inline"
        )
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes) and not is_picture_of_body:
            yield part.get_filename() or "", payload
