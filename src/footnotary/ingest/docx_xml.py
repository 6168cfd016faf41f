"""The XML of Word's parts, as far as it is needed: its encoding, its name for Word's own tags, its attributes."""

import re
from zipfile import ZipFile

from footnotary.errors import DocumentError
from footnotary.ingest.archive import broken, read_member
from footnotary.ingest.html_scan import Token
from footnotary.ingest.html_spans import MOST_COLUMNS

_WORD = re.compile(
    r"xmlns(?::(\w{1,20}))?\s*=\s*[\"']http://(?:schemas\.openxmlformats\.org/wordprocessingml/2006|"
    r"purl\.oclc\.org/ooxml/wordprocessingml)/main[\"']"
)
OFF = ("0", "false", "off")  # the values with which a tag says that what it names is not so
STRUCK = frozenset({"strike", "dstrike"})
_DECLARED = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.I)
_HEAD = 20_000
_MAX_PART_BYTES = 100_000_000


def part_of(archive: ZipFile, name: str) -> bytes | None:
    """The unpacked content of a part, None where there is none. Raises `DocumentError` where it cannot be had."""
    try:
        info = archive.getinfo(name)
    except KeyError:
        return None
    if info.flag_bits & 1:
        raise DocumentError("it is locked with a password", reason="encrypted", hint="save it without one")
    return read_member(archive, info, _MAX_PART_BYTES)


def decoded(content: bytes, part: str) -> tuple[str, str]:
    """The text of a part, and its encoding: UTF-8 or UTF-16, all that XML in Office files may have.

    Raises `DocumentError` where it does not decode, or declares a document type: Office never does, attackers do.
    """
    encoding = "utf-8"
    if content[:2] in (b"\xff\xfe", b"<\x00"):
        encoding = "utf-16-le"
    elif content[:2] in (b"\xfe\xff", b"\x00<"):
        encoding = "utf-16-be"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise broken(f"byte {error.start} of {part} is not {encoding}") from error
    if _DECLARED.search(text):
        raise DocumentError(
            f"{part} declares a document type, through which XML reads other files or swells without end",
            reason="unsafe_xml",
            hint="open it in a word processor and save it again, if you trust it",
        )
    return text, encoding


def prefix_of(xml: str) -> str:
    """How tags of Word begin in this part, in lower case: mostly `w:`."""
    found = _WORD.search(xml, 0, _HEAD)
    if found is None:
        return "w:"
    return f"{found[1].lower()}:" if found[1] else ""


def attribute(xml: str, token: Token, name: str) -> str:
    """The value of a tag's attribute, whatever its prefix; empty where it has none."""
    found = re.search(rf"[\s:]{name}\s*=\s*[\"']([^\"'<>]{{0,200}})[\"']", xml[token.start : token.end][:2000])
    return found[1] if found else ""


def columns_passed(xml: str, token: Token, tag: str) -> int:
    """How many columns of a table pass before the next cell: left empty at the edge, or spanned by the one before."""
    value = attribute(xml, token, "val")
    count = min(int(value), MOST_COLUMNS) if value.isascii() and value.isdecimal() else 0
    return count if tag == "gridbefore" else max(count - 1, 0)
