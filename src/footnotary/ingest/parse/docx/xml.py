"""The XML of Word's parts, as far as needed: encoding, namespace prefix, attributes."""

import re
from zipfile import ZipFile

from footnotary.errors import DocumentError
from footnotary.ingest.parse.html.cell_spans import MAX_COLUMNS
from footnotary.ingest.parse.html.scanner import HtmlToken
from footnotary.ingest.parse.zip_archive import corrupt_file_error, read_member

_WORD_NAMESPACE = re.compile(
    r"xmlns(?::(\w{1,20}))?\s*=\s*[\"']http://(?:schemas\.openxmlformats\.org/wordprocessingml/2006|"
    r"purl\.oclc\.org/ooxml/wordprocessingml)/main[\"']"
)
FALSE_VALUES = ("0", "false", "off")  # attribute values that switch a property off
STRIKE_TAGS = frozenset({"strike", "dstrike"})
_DOCTYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.I)
_HEAD_CHARS = 20_000
_MAX_PART_BYTES = 100_000_000


def read_part(archive: ZipFile, name: str) -> bytes | None:
    """The unpacked content of a part, None if it does not exist. Raises `DocumentError` if it cannot be read."""
    try:
        info = archive.getinfo(name)
    except KeyError:
        return None
    if info.flag_bits & 1:
        raise DocumentError("it is password-protected", reason="encrypted", hint="save it without a password")
    return read_member(archive, info, _MAX_PART_BYTES)


def decode_part(content: bytes, part: str) -> tuple[str, str]:
    """The text of a part, and its encoding: UTF-8 or UTF-16, the only ones allowed in Office files.

    Raises `DocumentError` if it does not decode, or has a document type declaration: Office never does, attackers do.
    """
    encoding = "utf-8"
    if content[:2] in (b"\xff\xfe", b"<\x00"):
        encoding = "utf-16-le"
    elif content[:2] in (b"\xfe\xff", b"\x00<"):
        encoding = "utf-16-be"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise corrupt_file_error(f"byte {error.start} of {part} is not {encoding}") from error
    if _DOCTYPE.search(text):
        raise DocumentError(
            f"{part} has a document type declaration, which can read other files or expand without limit",
            reason="unsafe_xml",
            hint="open it in a word processor and save it again, if you trust it",
        )
    return text, encoding


def namespace_prefix(xml: str) -> str:
    """The namespace prefix of Word's tags in this part, in lower case: usually `w:`."""
    found = _WORD_NAMESPACE.search(xml, 0, _HEAD_CHARS)
    if found is None:
        return "w:"
    return f"{found[1].lower()}:" if found[1] else ""


def attribute_value(xml: str, token: HtmlToken, name: str) -> str:
    """The value of a tag's attribute, whatever its prefix; empty if it has none."""
    found = re.search(rf"[\s:]{name}\s*=\s*[\"']([^\"'<>]{{0,200}})[\"']", xml[token.start : token.end][:2000])
    return found[1] if found else ""


def has_styled_first_row(xml: str, token: HtmlToken) -> bool:
    """Whether a table's `tblLook` gives its first row the look of headings: in words, or as a bit of its number."""
    if declared := attribute_value(xml, token, "firstRow"):
        return declared not in FALSE_VALUES
    try:
        return bool(int(attribute_value(xml, token, "val") or "0", 16) & 0x20)
    except ValueError:
        return False


def count_skipped_columns(xml: str, token: HtmlToken, tag: str) -> int:
    """How many table columns to skip before the next cell: empty at the edge, or spanned by the previous cell."""
    value = attribute_value(xml, token, "val")
    count = min(int(value), MAX_COLUMNS) if value.isascii() and value.isdecimal() else 0
    return count if tag == "gridbefore" else max(count - 1, 0)
