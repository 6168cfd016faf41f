"""Markdown: headings, lists and pages without the markup around the words."""

import html
import re
from html.entities import html5

from footnotary.ingest.metadata_header import read_header
from footnotary.ingest.offset_builder import OffsetTrackingBuilder, split_lines
from footnotary.ingest.parse.superscripts import raised_or_lowered_digits
from footnotary.ingest.parsed_document import ParsedFile

_FENCE = re.compile(r" {0,3}(?:```[^`\r\n]*$|~~~)")  # "```words```" is inline code
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+")
_RULE = re.compile(r" {0,3}(?:[-*_][ \t]*){3,}$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_TABLE_RULE = re.compile(r"[ \t:|-]+$")
_QUOTE = re.compile(r"(?: {0,3}>[ \t]?)+")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+")
_PAGE = re.compile(r"<!--[ \t]*(?:page|पृष्ठ)[ \t:]*(\d{1,6})[ \t]*-->", re.I)
# A link target, and its title in quotes: "[Section 5](as amended in 1990)" is not a link, and its words count.
_TARGET = r"\([ \t]*(?:<[^<>\n]*>|[^()\s]*)(?:[ \t]+(?:\"[^\"]*\"|'[^']*'))?[ \t]*\)"
# What may follow a tag's name: "<Section 5>" and "<Rs. 500 a day>" are not tags, and their words are shown.
_ATTRIBUTE = (
    r"[ \t]+[A-Za-z_:][\w.:-]{0,60}"
    r"(?:[ \t]*=[ \t]*(?:\"[^\"<>]{0,200}\"|'[^'<>]{0,200}'|[^\s\"'=<>`]{1,200}))?"
)
# Inline markup. No alternative can run past the next mark of its kind, so a line is parsed in linear time.
_INLINE = re.compile(
    r"(?P<ticks>`{1,3})(?P<code_text>[^`]+)(?P=ticks)"
    rf"|(?P<image>!\[[^\[\]]*\]{_TARGET})"
    rf"|\[(?P<link_text>[^\[\]]+)\]{_TARGET}"
    r"|\*\*(?=[^\s*])(?P<strong_text>[^*\n]+)\*\*"
    r"|(?<!\w)__(?=[^\s_])(?P<strong_line_text>[^_\n]+)__(?!\w)"
    r"|(?<![\w*])\*(?=[^\s*])(?P<emphasis_text>[^*\n]*[^\s*])\*(?![\w*])"
    r"|(?<![\w_])_(?=[^\s_])(?P<emphasis_line_text>[^_\n]*[^\s_])_(?![\w_])"
    r"|(?<!~)(?:(?<!\w)~~(?=[^\s~])|~~(?=\w))(?P<struck>(?:[^~`\n]|`[^~`\n]+`)+)(?<!\s)~~(?!~)"
    r"|<(?P<struck_tag>(?i:del|s|strike))(?:[ \t][^<>\n]{0,200})?>"
    r"(?:(?!</?(?i:del|s|strike)\b)[^\n])*</(?P=struck_tag)>"
    r"|\\(?P<escape_text>[!-/:-@\[-`{-~])"
    r"|<sup>(?P<raised>[^<>\n]{1,60})</sup>"
    r"|<(?P<address_text>(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^\s<>@:/]{1,64}@)[^\s<>]{1,1000})>"
    r"|(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    rf"|(?P<tag></?[A-Za-z][A-Za-z0-9-]{{0,30}}(?:{_ATTRIBUTE}){{0,20}}[ \t]*/?>)"
)
_SEPARATING_TAG = re.compile(r"</?(?:br|hr|p|div|td|th|tr|li|ul|ol|dl|dt|dd|table|blockquote|h[1-6])\b", re.I)
_FRONT_KEY = re.compile(r"(title|effective_from|effective_to|supersedes|trust):[ \t]*(.*)")


def parse_markdown(data: bytes, encoding: str) -> ParsedFile:
    """The text of the file without front matter, comments, page marks, fences and emphasis marks.

    Text struck through within a line, as `~~ten~~` or with HTML tags, is left out: it no longer holds.
    """
    original = data.decode(encoding)
    start = 1 if original.startswith("\ufeff") else 0
    front, start = _front_matter(original, start)
    title = front.pop("TITLE", None)
    fields, start = read_header(original, start)
    builder = OffsetTrackingBuilder(original, encoding)
    _MarkdownReader(original, builder).read(start)
    text, offsets, lines = builder.finish()
    if title is None:
        title = next((line.span.of(text) for line in lines if line.level == 1), None)
    return ParsedFile(text, offsets, lines, front | fields, fields.get("TITLE") or title)


def _front_matter(text: str, start: int) -> tuple[dict[str, str], int]:
    """The title and the document's validity, by key in capitals; a list is joined by semicolons."""
    lines = split_lines(text, start, len(text))
    if not lines or text[lines[0][0] : lines[0][1]].rstrip() != "---":
        return {}, start
    said: dict[str, list[str]] = {}
    in_list = False
    for at, stop, _ in lines[1:200]:
        line = text[at:stop].rstrip()
        if line in ("---", "..."):
            # The next line begins after the break, which is one or two characters long.
            following = next((a for a, _, _ in lines if a > at), len(text))
            joined = {key: "; ".join(filter(None, map(_unquoted, items))) for key, items in said.items()}
            return {key: value for key, value in joined.items() if value}, following
        if in_list and line.lstrip().startswith("- "):
            said["SUPERSEDES"].append(line.lstrip()[2:])
            continue
        found = _FRONT_KEY.match(line)
        in_list = found is not None and found[1] == "supersedes"
        if found:
            value = found[2].strip()
            is_list = in_list and value.startswith("[") and value.endswith("]")
            said[found[1].upper()] = value[1:-1].split(",") if is_list else [value]
    return {}, start


def _unquoted(value: str) -> str:
    return value.strip().strip("\"'")


class _MarkdownReader:
    def __init__(self, original: str, builder: OffsetTrackingBuilder) -> None:
        self._original = original
        self._builder = builder
        self._in_fence = False
        self._comment_end = -1
        self._no_more_comments = False  # no further comment is closed
        self._indent: int | None = None  # of the list item that the line before is part of

    def read(self, start: int) -> None:
        lines = split_lines(self._original, start, len(self._original))
        for place, (at, end, _) in enumerate(lines):
            if self._in_fence or _FENCE.match(self._original, at, end):
                self._fenced(at, end)
                continue
            after = lines[place + 1] if place + 1 < len(lines) else None
            for piece_at, piece_end in self._without_comments(at, end):
                self._line(piece_at, piece_end, after)

    def _fenced(self, at: int, end: int) -> None:
        if _FENCE.match(self._original, at, end):
            self._in_fence = not self._in_fence
            self._builder.blank()
        else:
            self._builder.copy(at, end)
            self._builder.end_line()

    def _without_comments(self, at: int, end: int) -> list[tuple[int, int]]:
        """The parts of a line outside of `<!-- comments -->`; a page mark sets the page number.

        A line with nothing but a comment is dropped and does not count as a blank line.
        """
        pieces: list[tuple[int, int]] = []
        commented = self._comment_end > at
        at = max(at, self._comment_end)
        while not self._no_more_comments and at < end and (opened := self._original.find("<!--", at, end)) >= 0:
            closed = self._original.find("-->", opened)
            if closed < 0:
                self._no_more_comments = True
                break
            if mark := _PAGE.match(self._original, opened):
                self._builder.end_line()
                self._builder.page = int(mark[1])
            pieces.append((at, opened))
            commented = True
            at = self._comment_end = closed + 3
        pieces.append((min(at, end), end))
        if commented:
            return [(start, stop) for start, stop in pieces if self._original[start:stop].strip()]
        return pieces

    def _line(self, at: int, end: int, after: tuple[int, int, bool] | None) -> None:
        text, builder = self._original, self._builder
        if quote := _QUOTE.match(text, at, end):
            at = quote.end()
        if not text[at:end].strip() or _RULE.match(text, at, end) or self._is_underline(at, end):
            builder.blank()
        elif heading := _HEADING.match(text, at, end):
            words = text[heading.end() : end].rstrip()
            bare = words.rstrip("#")
            builder.blank()
            self._inline(heading.end(), heading.end() + len(bare if bare[-1:].isspace() else words))
            builder.end_line(level=len(heading[1]))
        elif after and _UNDERLINE.match(text, after[0], after[1]) and self._stands_alone(at, end):
            builder.blank()
            self._inline(at, end)
            builder.end_line(level=1 if "=" in text[after[0] : after[1]] else 2)
        elif text[at:end].lstrip().startswith("|"):
            if not _TABLE_RULE.match(text, at, end):
                self._inline(at, end)
                is_heading = after is not None and _TABLE_RULE.match(text, after[0], after[1]) is not None
                builder.end_line(kind="heading_row" if is_heading else "table")
        else:
            item = _ITEM.match(text, at, end)
            if item:
                self._indent = len(item["indent"].expandtabs(4)) // 2  # one blank more does not nest an item
                builder.copy(at, item.end())
                at = item.end()
            self._inline(at, end)
            builder.end_line(kind="list" if item else "paragraph", indent=self._indent)
            return
        self._indent = None

    def _is_underline(self, at: int, end: int) -> bool:
        return self._original[at:end].strip("= \t") == "" and "=" in self._original[at:end]

    def _stands_alone(self, at: int, end: int) -> bool:
        """Whether an underline makes this line a heading; `---` below a list item or table is a rule."""
        return not _ITEM.match(self._original, at, end) and "|" not in self._original[at:end]

    def _inline(self, at: int, end: int) -> None:
        done = at
        while found := _INLINE.search(self._original, done, end):
            self._builder.copy(done, found.start())
            kept = found.lastgroup or ""
            if kept == "raised" and (figures := raised_or_lowered_digits(found["raised"], "sup", "")) is not None:
                self._builder.put(figures)
            elif kept in ("code_text", "escape_text", "address_text"):
                self._builder.copy(*found.span(kept))
            elif kept == "entity":
                self._entity(found)
            elif kept == "tag":
                if _SEPARATING_TAG.match(found["tag"]):  # 10<br>20 is not 1020
                    self._builder.put(" ")
            elif kept not in ("image", "struck", "struck_tag"):
                self._inline(*found.span(kept))
            done = found.end()
        self._builder.copy(done, end)

    def _entity(self, found: re.Match[str]) -> None:
        name = found["entity"][1:]
        if not name.startswith("#") and name not in html5:  # "&notit;" is not an entity, although "&not" is
            self._builder.copy(*found.span())
            return
        self._builder.put(html.unescape(found["entity"]))
