"""Plain text, with or without a `KEY: value` header."""

from footnotary.ingest.metadata_header import read_header
from footnotary.ingest.offset_builder import OffsetTrackingBuilder
from footnotary.ingest.parsed_document import ParsedFile


def parse_text(data: bytes, encoding: str) -> ParsedFile:
    """Every line of the file except the header, in order."""
    original = data.decode(encoding)
    fields, body = read_header(original, 1 if original.startswith("\ufeff") else 0)
    builder = OffsetTrackingBuilder(original, encoding)
    builder.copy_lines(body, len(original))
    text, offsets, lines = builder.finish()
    return ParsedFile(text, offsets, lines, fields, fields.get("TITLE"))
