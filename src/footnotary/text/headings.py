"""Headings with a number: "1. Introduction", "Chapter 2"."""

import re

_NUMBERED = re.compile(
    r"\W*(?:\d|[ivxlc]+\.|(?:chapter|part|section|article|appendix|annex|schedule)\b)", re.IGNORECASE
)


def is_numbered_heading(heading: str) -> bool:
    """Whether a heading has a number as a part of a document has, so that it is not the title of a whole one."""
    return _NUMBERED.match(heading) is not None
