"""Plain text, with or without a `KEY: value` header."""

from footnotary.ingest.clean import Weaver
from footnotary.ingest.header import read_header
from footnotary.ingest.parsed import Parsed


def parse_text(data: bytes, encoding: str) -> Parsed:
    """Every line of the file except the header, in order."""
    original = data.decode(encoding)
    fields, body = read_header(original, 1 if original.startswith("\ufeff") else 0)
    weaver = Weaver(original, encoding)
    weaver.copy_lines(body, len(original))
    text, offsets, lines = weaver.finish()
    return Parsed(text, offsets, lines, fields, fields.get("TITLE"))
