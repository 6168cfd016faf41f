"""Detects the media type and encoding from the bytes; the name only separates Markdown from plain text."""

import codecs
import re
from dataclasses import dataclass
from pathlib import PurePath

from footnotary.errors import DocumentError
from footnotary.ingest.parse.zip_archive import list_zip_names

TEXT, MARKDOWN, HTML, JSONL = "text/plain", "text/markdown", "text/html", "application/x-ndjson"
CSV, TSV = "text/csv", "text/tab-separated-values"
PDF, ZIP = "application/pdf", "application/zip"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
PNG, JPEG, TIFF = "image/png", "image/jpeg", "image/tiff"
EPUB = "application/epub+zip"
EML, MSG = "message/rfc822", "application/vnd.ms-outlook"
OLE, ENCRYPTED = "application/msword", "application/encrypted"
RTF, OPEN_DOCUMENT = "application/rtf", "application/vnd.oasis.opendocument"

_MAGIC = (
    (b"%PDF-", PDF),
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", ZIP),
    (b"\x89PNG\r\n", PNG),
    (b"\xff\xd8\xff", JPEG),
    (b"GIF8", "image/gif"),
    (b"II*\x00", TIFF),
    (b"MM\x00*", TIFF),
    (b"\x1f\x8b", "application/gzip"),
    (b"\xd0\xcf\x11\xe0", OLE),
    (b"{\\rtf", RTF),
    (b"\x7fELF", "application/x-executable"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
)
_ZIP_MEDIA_TYPES = (  # the member that identifies the type of a zip file
    ("word/document.xml", DOCX),
    ("xl/workbook.xml", XLSX),
    ("ppt/presentation.xml", PPTX),
    ("META-INF/container.xml", EPUB),
    ("META-INF/manifest.xml", OPEN_DOCUMENT),
)
# The OLE directory entry of that stream: 64 bytes, and the length of the name. Office encrypts DOCX this way.
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le").ljust(64, b"\x00") + b"\x22\x00"
_MESSAGE_PROPERTIES = "__properties_version1.0".encode("utf-16-le")  # the stream that every Outlook message has
_MAIL_HEADERS = re.compile(
    rb"(?:From [^\r\n]*\r?\n)?((?:[!-9;-~]{1,76}:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*(?:\r?\n|\Z)){2,})"
)
_MAIL_HEADER = re.compile(rb"^([!-9;-~]+):", re.M)
_BYTE_ORDER_MARKS = (  # longer byte order marks first: UTF-32's begins like UTF-16's
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_CONTROLS = bytes(b for b in range(32) if b not in b"\t\n\x0b\x0c\r\x1b") + b"\x7f"
_HTML = re.compile(r"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,2000}-->\s*)?<(?:!doctype html|html|head|body)\b", re.I)
_HTML_BODY = re.compile(r"<(?:p|div|h[1-6]|table|ul|ol|article|section|main)(?:\s[^>]{0,500})?>", re.I)
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([A-Za-z0-9_-]{2,30})", re.I)
# Pages declared as Latin-1 are Windows-1252 for every browser: its bytes for dashes and quotation marks are invisible
# control characters in Latin-1, and "20–30" would become 2030.
_SUPERSETS = {"iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874"}
_HEADING = re.compile(r"^#{1,6} \S|^<!-- page \d+ -->", re.M)


@dataclass(frozen=True, slots=True)
class DetectedFormat:
    """The media type of a file and, for text, an encoding in which all of it decodes."""

    media_type: str
    encoding: str | None


def sniff(data: bytes, name: str) -> DetectedFormat:
    """Distinguishes text from binary, and detects the encoding and format of text.

    Binary files get their media type, `application/octet-stream` if unknown, and no encoding. Raises `DocumentError`
    for text in an undetectable encoding.
    """
    for magic, media_type in _MAGIC:
        if data.startswith(magic):
            if media_type == ZIP:
                return DetectedFormat(_zip_media_type(data), None)
            return DetectedFormat(_ole_media_type(data) if media_type == OLE else media_type, None)
    if _is_mail(data[: 1 << 16], name):
        return DetectedFormat(EML, None)
    encoding = _detect_encoding(data)
    if encoding is None:
        is_pdf = b"%PDF-" in data[:1024]  # PDF readers allow for junk before it
        return DetectedFormat(PDF if is_pdf else "application/octet-stream", None)
    return DetectedFormat(_text_format(data[: 1 << 16].decode(encoding, "ignore"), name), encoding)


def _zip_media_type(data: bytes) -> str:
    names = set(list_zip_names(data))
    if found := next((media_type for name, media_type in _ZIP_MEDIA_TYPES if name in names), None):
        return found
    # The main part of a DOCX may have any name, given in the package: some programs write word/document2.xml.
    is_word = {"[Content_Types].xml", "_rels/.rels"} <= names and any(name.startswith("word/") for name in names)
    return DOCX if is_word else ZIP


def _ole_media_type(data: bytes) -> str:
    if _ENCRYPTED_PACKAGE in data:
        return ENCRYPTED
    return MSG if _MESSAGE_PROPERTIES in data else OLE


def _is_mail(head: bytes, name: str) -> bool:
    """Whether a file begins with the headers of a message: those that servers add, or any if it is named `.eml`."""
    found = _MAIL_HEADERS.match(head)
    if found is None:
        return False
    names = {header.lower() for header in _MAIL_HEADER.findall(found[1])}
    if PurePath(name).suffix.lower() == ".eml":
        return bool(names & {b"from", b"to", b"date", b"subject"})
    return b"from" in names and bool(names & {b"message-id", b"mime-version", b"received"})


def _detect_encoding(data: bytes) -> str | None:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _require_decodable(data, encoding)
    if wide := _wide_encoding(data[:4096]):
        return _require_decodable(data, wide)
    # Real texts contain a stray control character now and then, binary files are full of them.
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if b"\x00" in data or controls * 50 > len(data):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _declared_encoding(data) or _require_windows_1252(data, error)
    return "utf-8"


def _require_decodable(data: bytes, encoding: str) -> str:
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"the file begins as {encoding}, but byte {error.start} ({data[error.start]:#04x}) does not decode",
            reason="wrong_encoding",
            hint="save it again as UTF-8",
        ) from error
    return encoding


def _wide_encoding(head: bytes) -> str | None:
    """UTF-16 without a byte order mark: in most scripts, blanks and digits make every other byte zero."""
    if len(head) < 4 or b"\x00" not in head:
        return None
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) // 8 and even * 20 < odd:
        return "utf-16-le"
    if even > len(head) // 8 and odd * 20 < even:
        return "utf-16-be"
    return None


def _declared_encoding(data: bytes) -> str | None:
    """The encoding that a web page declares, if all of it decodes and encodes back to the same bytes."""
    found = _CHARSET.search(data, 0, 2048)
    if found is None:
        return None
    try:
        name = codecs.lookup(found[1].decode("ascii")).name
    except LookupError:
        return None
    return next((known for known in (_SUPERSETS.get(name, name), name) if _round_trips(data, known)), None)


def _round_trips(data: bytes, encoding: str) -> bool:
    try:
        return data.decode(encoding).encode(encoding) == data
    except (LookupError, UnicodeError):  # codecs such as rot13 do not decode bytes to text
        return False


def _require_windows_1252(data: bytes, error: UnicodeDecodeError) -> str:
    """Windows-1252, if that is plausible: a few accented letters and typographic signs among ASCII."""
    high = [byte for byte in data if byte >= 0x80]
    readable = data.decode("utf-8", "ignore")
    mostly_utf8 = sum(1 for char in readable if char > "\x7f") * 2 > len(high) // 2
    undefined = any(byte in b"\x81\x8d\x8f\x90\x9d" for byte in high)
    if mostly_utf8 or undefined or len(high) * 10 > len(data) * 3:
        seen = data[error.start : error.start + 1]
        raise DocumentError(
            f"not UTF-8: byte {seen.hex(' ')} at offset {error.start} does not decode, and Windows-1252 does not fit",
            reason="wrong_encoding",
            hint="save it again as UTF-8 (for example with `iconv -f <its encoding> -t utf-8`)",
        )
    return "cp1252"


def _text_format(head: str, name: str) -> str:
    start = head.lstrip("\ufeff \t\r\n")
    if start.startswith("{") and start[1:].lstrip()[:1] in ('"', "}"):
        return JSONL
    if start.startswith("[") and start[1:].lstrip()[:1] == "{":
        return "application/json"
    suffix = PurePath(name).suffix.lower()
    if suffix in (".csv", ".tsv", ".tab"):  # the bytes do not distinguish a table from prose with commas
        return CSV if suffix == ".csv" else TSV
    if _HTML.match(start):
        return HTML
    if suffix in (".md", ".markdown"):  # which often begins with a title in tags, but is not a web page
        return MARKDOWN
    if start.startswith("<") and len(_HTML_BODY.findall(start)) >= 2:
        return HTML
    if suffix in (".htm", ".html", ".xhtml") and "<" in start:
        return HTML
    return MARKDOWN if suffix != ".txt" and _HEADING.search(head) else TEXT
