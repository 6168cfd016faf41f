"""Tokenizes HTML into tags and text with offsets, in linear time even for unclosed markup."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

_RAW_TEXT_TAGS = frozenset({"script", "style", "textarea", "title", "xmp"})


@dataclass(frozen=True, slots=True)
class HtmlToken:
    """A span of the source; `name` is a tag's name in lower case and empty for text."""

    kind: Literal["text", "open", "close"]
    start: int
    end: int
    name: str = ""


def tokenize_html(html: str) -> Iterator[HtmlToken]:
    """Text and tags in order; comments, declarations and processing instructions are left out.

    A `<` that opens no tag is text, as in browsers. The content of script, style and title is text.
    """
    ahead = _CachedFinder(html)
    at = text_from = 0
    while (at := ahead.find("<", at)) >= 0:
        end = _end_of_tag(html, at, ahead)
        if end is None:
            at += 1
            continue
        if text_from < at:
            yield HtmlToken("text", text_from, at)
        name = _tag_name(html, at)
        if name:
            closing = html[at + 1] == "/"
            yield HtmlToken("close" if closing else "open", at, end, name)
            if not closing and name in _RAW_TEXT_TAGS and html[end - 2] != "/":
                closing_tag = re.compile(f"</{name}", re.IGNORECASE | re.ASCII).search(html, end)
                raw_end = closing_tag.start() if closing_tag else len(html)
                if end < raw_end:
                    yield HtmlToken("text", end, raw_end)
                end = raw_end
        at = text_from = end
    if text_from < len(html):
        yield HtmlToken("text", text_from, len(html))


def find_unclosed_elements(html: str, tokens: Iterable[HtmlToken], names: frozenset[str]) -> frozenset[int]:
    """The offsets of empty or unclosed elements of these names; a closing tag closes the last open one."""
    opened = {name: list[int]() for name in names}
    empty: set[int] = set()
    for token in tokens:
        if token.name in names and token.kind == "open" and html[token.end - 2] == "/":
            empty.add(token.start)
        elif token.name in names and token.kind == "open":
            opened[token.name].append(token.start)
        elif token.name in names and opened[token.name]:
            opened[token.name].pop()
    return frozenset(empty.union(*opened.values()))


def _tag_name(html: str, at: int) -> str:
    start = at + 2 if html.startswith("</", at) else at + 1
    end = start
    while end < len(html) and (html[end].isalnum() or html[end] in "-:_"):
        end += 1
    return html[start:end].lower() if html[start : start + 1].isalpha() else ""


def _end_of_tag(html: str, at: int, ahead: "_CachedFinder") -> int | None:
    """Where the markup that starts at `<` ends; None if it is a literal `<`."""
    if html.startswith("<!--", at):
        if html.startswith((">", "->"), at + 4):  # an empty comment
            return html.index(">", at + 4) + 1
        closed = ahead.find("-->", at + 4)
        return len(html) if closed < 0 else closed + 3
    following = html[at + 1 : at + 3]
    letter = following[1:] if following[:1] == "/" else following[:1]
    if following[:1] not in ("!", "?") and not (letter.isascii() and letter.isalpha()):
        return None
    closed = ahead.find(">", at + 1)
    if closed < 0:
        return None
    if following[:1] in ("!", "?", "/"):
        return closed + 1
    # A `>` within a quoted value does not close the tag; an unclosed quote does not count as one.
    here = at + 1
    while True:
        quotes = [found for mark in "\"'" if 0 <= (found := ahead.find(mark, here)) < closed]
        opening = min(quotes, default=-1)
        if opening < 0 or html[opening - 1] != "=":
            return closed + 1
        ending = ahead.find(html[opening], opening + 1)
        if ending < 0:
            return closed + 1
        here = ending + 1
        if ending > closed:
            closed = ahead.find(">", here)
            if closed < 0:
                return None


class _CachedFinder:
    """`str.find` with a cache, so that searching for something absent or far away is done only once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, tuple[int, int]] = {}

    def find(self, what: str, start: int) -> int:
        asked, found = self._known.get(what, (0, -2))
        if found == -2 or start < asked or 0 <= found < start:
            found = self._text.find(what, start)
            self._known[what] = (start, found)
        return found
