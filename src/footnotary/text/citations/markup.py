"""Spans of a text in which a bracket is code, markup or part of a URL, and so not a citation."""

import re
from bisect import bisect_right
from collections import defaultdict
from typing import NamedTuple

_OPENING = re.compile(
    r"(?P<fence>^[ \t]{0,3}(?:`{3,}|~{3,}))|(?P<code>`+)|(?P<comment><!--)|(?P<tag><(?=[A-Za-z/!?]))"
    r"|(?P<address>(?:https?|ftp|file)://|www\.|mailto:|javascript:)",
    re.MULTILINE | re.IGNORECASE,
)
_FENCE_END = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_TAG = re.compile(r"<[A-Za-z/!?][^<>]*>")
_ADDRESS_REST = re.compile(r"[^\s<>\"]*")
_BACKTICKS = re.compile("`+")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


class MarkupSpan(NamedTuple):
    start: int
    end: int
    what: str


def is_escaped(text: str, place: int) -> bool:
    """Whether an odd number of backslashes directly precedes `place`."""
    before = place
    while before and text[before - 1] == "\\":
        before -= 1
    return (place - before) % 2 == 1


def markup_spans(text: str) -> list[MarkupSpan]:
    """Code spans, fenced blocks, HTML comments and tags, and URLs: in order, without overlap.

    Unclosed fences and comments run to the end of the text, as in Markdown and HTML; other unclosed markup is plain
    text.
    """
    # Nearly every text has none of these, and this test is faster than trying the pattern at each character.
    if not any(sign in text for sign in "`~<:") and "www." not in text.lower():
        return []
    spans: list[MarkupSpan] = []
    closings = _Closings(text)
    at = 0
    while match := _OPENING.search(text, at):
        start, at = match.span()
        kind = match.lastgroup
        if kind in ("code", "tag", "comment") and is_escaped(text, start):
            at = start + 1
            continue
        end: int | None
        if kind == "fence":
            end, what = _fence_end(text, at, match.group().strip()), "a fenced block"
        elif kind == "code":
            end, what = closings.after(at, at - start), "a code span"
        elif kind == "comment":
            closed = text.find("-->", at)
            end, what = (len(text) if closed < 0 else closed + 3), "an HTML comment"
        elif kind == "tag":
            tag = _TAG.match(text, start)
            end, what = (tag.end() if tag else None), "an HTML tag"
        else:
            rest = _ADDRESS_REST.match(text, at)
            end, what = (rest.end() if rest else None), "an address"
        if end is not None:
            spans.append(MarkupSpan(start, end, what))
            at = end
    return spans


class _Closings:
    """The positions of runs of backticks by length, so that each code span is closed without a new search."""

    def __init__(self, text: str) -> None:
        self.runs: dict[int, list[int]] = defaultdict(list)
        for run in _BACKTICKS.finditer(text):
            self.runs[run.end() - run.start()].append(run.start())
        self.blanks = [m.start() for m in _BLANK_LINE.finditer(text)] if self.runs else []

    def after(self, at: int, length: int) -> int | None:
        """The end of the next run of `length` backticks after `at` in the same paragraph."""
        starts = self.runs[length]
        place = bisect_right(starts, at - 1)
        if place == len(starts):
            return None
        blank = bisect_right(self.blanks, at)
        crossed = blank < len(self.blanks) and self.blanks[blank] < starts[place]
        return None if crossed else starts[place] + length


def _fence_end(text: str, at: int, fence: str) -> int:
    for match in _FENCE_END.finditer(text, at):
        if match.group(1)[0] == fence[0] and len(match.group(1)) >= len(fence):
            return match.end()
    return len(text)
