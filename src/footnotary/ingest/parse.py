"""Which parser reads which media type."""

from collections.abc import Callable, Mapping

from footnotary.errors import DocumentError
from footnotary.ingest.html_parser import parse_html
from footnotary.ingest.jsonl_parser import parse_jsonl
from footnotary.ingest.markdown_parser import parse_markdown
from footnotary.ingest.parsed import Parsed
from footnotary.ingest.sniff import HTML, JSONL, MARKDOWN, TEXT, Sniffed
from footnotary.ingest.text_parser import parse_text

PARSERS: Mapping[str, Callable[[bytes, str], Parsed]] = {
    TEXT: parse_text,
    MARKDOWN: parse_markdown,
    HTML: parse_html,
    JSONL: parse_jsonl,
}
_HINTS = {"application/json": "write it as JSONL, one object per line", "application/gzip": "unpack it first"}


def parse(data: bytes, sniffed: Sniffed) -> Parsed:
    """The file read by the parser for its type. Raises `DocumentError` where there is none, or it cannot be read."""
    parser = PARSERS.get(sniffed.media_type)
    if parser is None or sniffed.encoding is None:
        raise DocumentError(
            f"files of type {sniffed.media_type} cannot be read",
            reason="unsupported_type",
            hint=_HINTS.get(
                sniffed.media_type, "plain text, Markdown, HTML and JSONL can be read: convert it to one of them"
            ),
        )
    return parser(data, sniffed.encoding)
