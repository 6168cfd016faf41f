"""Parses a rendered answer back into claims, to test that rendering loses nothing."""

import re

from footnotary.domain.draft import Claim
from footnotary.domain.identity import SemanticId
from footnotary.profiles.schema import MarkerStyle
from footnotary.text.citations.markers import targets, unescape

# The claims' own brackets are escaped, so an unescaped one opens a marker.
_MARKERS = re.compile(r" (\[[^\[\]]*\](?: ?\[[^\[\]]*\])*)")
_NUMBERED_STYLES = ("source_number", "number", "footnote", "full")


def parse_rendered(body: str, numbers: dict[int, SemanticId], style: MarkerStyle) -> tuple[Claim, ...]:
    """The claims that `render` wrote, parsed back; `simple` names locations, not ids, and cannot be parsed.

    They are returned letter for letter, except for empty lines and white space at the ends of lines.
    """
    claims: list[Claim] = []
    for block in body.split("\n\n"):
        if "\n" in block:
            marks = " ".join(found.group(1) for found in _MARKERS.finditer(block))
            claims.append(Claim(unescape(_MARKERS.sub("", block)), _cited(marks, numbers, style)))
            continue
        start = 0
        for found in _MARKERS.finditer(block):
            end = block.find(" ", found.end())
            stop = block[found.end() : end if end >= 0 else len(block)]
            claims.append(Claim(unescape(block[start : found.start()] + stop), _cited(found.group(1), numbers, style)))
            start = found.end() + len(stop) + 1
    return tuple(claims)


def _cited(marks: str, numbers: dict[int, SemanticId], style: MarkerStyle) -> tuple[SemanticId, ...]:
    named = targets(marks, footnotes=style == "footnote")
    return tuple(numbers[int(n)] for n in named) if style in _NUMBERED_STYLES else named
