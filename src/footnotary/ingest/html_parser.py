"""HTML: the main text, without navigation, scripts and forms."""

import html
import re

from footnotary.ingest.clean import Weaver
from footnotary.ingest.html_numbers import numbers_of, writes_its_own
from footnotary.ingest.html_rows import rows_of_data
from footnotary.ingest.html_scan import Token, never_closed, scan
from footnotary.ingest.html_spans import spanned_before
from footnotary.ingest.parsed import LineKind, Parsed
from footnotary.ingest.raised_figures import figures_set

# Deleted text is left out as in DOCX, and so is struck text, which no longer holds: "<s>ten</s> twelve" is twelve.
_DELETED = frozenset({"del", "s", "strike"})
_WITHIN_LINES = _DELETED | {"script", "style", "template", "svg", "annotation", "annotation-xml"}
_NEVER_TEXT = _WITHIN_LINES | {"head", "noscript", "iframe", "textarea"}
_AROUND_TEXT = frozenset({"nav", "header", "footer", "aside", "form", "button", "select", "menu", "dialog"})
_ARTICLES, _OF_ARTICLE = frozenset({"article", "main", "section"}), frozenset({"header", "footer"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure form hr html "
    "legend li main ol p pre section summary table tbody tfoot thead tr ul".split()
) | frozenset(_HEADINGS)
_APART = frozenset({"p", "blockquote", "table", "ul", "ol", "dl", "pre", "article", "section", "hr", *_HEADINGS})
_WITHIN_CELLS = frozenset({"p", "div", "center", "address", "figure", "figcaption", "details", "summary"})
_OF_FORMULAS = frozenset({"mn", "mi", "mo", "mtext"})
_ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?")
_BREAK = re.compile(r"[ \t]*[\r\n\f][ \t\r\n\f]*")
_LANGUAGE = re.compile(r"\blang\s*=\s*[\"']?([A-Za-z]{2,3})")


def parse_html(data: bytes, encoding: str) -> Parsed:
    """Headings, paragraphs, numbered list items and table rows as lines, entities decoded, powers as superscripts.

    The header and footer of an article are read, those of a page are not. If most of the text is within a form, the
    form is read too, and if all of it is within navigation, that is read rather than nothing. Unclosed navigation is
    read: its end is unknown, and the rest of the page must not be lost.
    """
    original = data.decode(encoding)
    tokens = tuple(scan(original))
    reader = _Reader(original, encoding, tokens, _NEVER_TEXT | _AROUND_TEXT)
    if any(token.name == "form" for token in tokens):  # some servers wrap every page in one
        wrapped = _Reader(original, encoding, tokens, (_NEVER_TEXT | _AROUND_TEXT) - {"form"})
        reader = wrapped if len(wrapped.text) > 2 * len(reader.text) else reader
    if not reader.text.strip():
        reader = _Reader(original, encoding, tokens, _NEVER_TEXT)
    return Parsed(reader.text, reader.offsets, reader.lines, {}, reader.title, reader.language)


class _Reader:
    def __init__(self, original: str, encoding: str, tokens: tuple[Token, ...], left_out: frozenset[str]) -> None:
        self._original = original
        self._weaver = Weaver(original, encoding)
        self._level: int | None = None
        self._kind: LineKind = "paragraph"
        self._verbatim = 0
        self._cells = 0
        self._rows = rows_of_data(original, tokens)
        self._in_row = False
        self._spanned = spanned_before(original, tokens)
        self._numbers = numbers_of(original, tokens)
        self._number = self._outer = ""
        self._set = ""
        self.title: str | None = None
        self.language: str | None = None
        self._read(tokens, left_out)
        self.text, self.offsets, self.lines = self._weaver.finish()

    def _read(self, tokens: tuple[Token, ...], left_out: frozenset[str]) -> None:
        skipping, depth, in_title = "", 0, False
        # The head may be unclosed: the body begins at its own tag, or at a tag that only a body can contain.
        is_closed = any(token.kind == "close" and token.name == "head" for token in tokens)
        after_head = frozenset({"body"}) if is_closed else _BLOCKS | _AROUND_TEXT
        within, endless = 0, never_closed(self._original, tokens, _AROUND_TEXT | _DELETED)
        for token in tokens:
            if token.name == "title":
                in_title = token.kind == "open"
            elif in_title and token.kind == "text" and self.title is None:
                self.title = " ".join(html.unescape(self._original[token.start : token.end]).split()) or None
            if token.kind == "open" and token.name == "html":
                found = _LANGUAGE.search(self._original[token.start : token.end][:500])
                self.language = found[1].lower() if found else None
            if skipping == "head" and token.kind == "open" and token.name in after_head:
                skipping = ""
            if skipping:
                if token.name == skipping and token.start not in endless:
                    depth += 1 if token.kind == "open" else -1
                    skipping = skipping if depth else ""
            elif within and token.name in _OF_ARTICLE:
                self._end_line()
            elif token.name in left_out and token.start in endless:
                if token.name not in _WITHIN_LINES:
                    self._end_line()
            elif token.kind == "open" and token.name in left_out and self._original[token.end - 2] != "/":
                skipping, depth = token.name, 1
                if token.name not in _WITHIN_LINES:
                    self._end_line()
            elif token.kind == "text":
                self._take(token)
            else:
                if token.name in _ARTICLES:
                    within = max(0, within + (1 if token.kind == "open" else -1))
                self._tag(token)
        self._end_line()

    def _tag(self, token: Token) -> None:
        opens = token.kind == "open"
        if token.name == "br":
            if self._level is None and not self._in_row:
                self._end_line()
            else:
                self._weaver.put(" ")  # a heading on two lines is one heading
        elif token.name in _OF_FORMULAS:
            self._weaver.put(" ")  # one half is not 12
        elif token.name == "q":  # browsers show the quotation marks
            self._weaver.put("“" if opens else "”")
        elif token.name in ("sup", "sub"):
            self._set = token.name if opens else ""
        elif token.name in ("td", "th"):
            self._set = ""
            if opens:
                if self._cells and (self._in_row or self._weaver.in_line):
                    self._weaver.put(" | ")  # after an empty cell too, so that columns stay aligned
                if self._in_row:
                    self._weaver.put(" | " * self._spanned.get(token.start, 0))
                self._cells += 1
        elif self._in_row and token.name in _WITHIN_CELLS:
            self._weaver.put(" ")
        elif token.name in _BLOCKS:
            self._end_line()
            self._set, self._in_row = "", False
            if token.name == "li":
                self._number = self._outer + self._numbers.get(token.start, "") if opens else ""
                self._outer = ""
            elif token.name in ("ol", "ul"):  # an item that begins with a list shows the numbers of both: "1. a. …"
                self._outer = self._number if opens else ""
                self._number = ""
            if token.name in _APART:
                self._weaver.blank()
            if token.name in _HEADINGS:
                self._level = _HEADINGS[token.name] if opens else None
            elif token.name in ("li", "tr"):
                self._kind = ("list" if token.name == "li" else "table") if opens else "paragraph"
                self._cells = 0
                self._in_row = opens and token.start in self._rows
            elif token.name == "pre":
                self._verbatim = max(0, self._verbatim + (1 if opens else -1))

    def _end_line(self) -> None:
        self._weaver.end_line(self._level, self._kind)

    def _take(self, token: Token) -> None:
        if self._number and (words := html.unescape(self._original[token.start : token.end])).strip():
            self._weaver.put("" if writes_its_own(words) else self._number)
            self._number = ""
        text = self._original[token.start : token.end] if self._set else ""
        if (figures := figures_set(text, self._set, self._weaver.last_letter)) is not None:
            self._weaver.put(figures)
            return
        at = token.start
        for found in _ENTITY.finditer(self._original, token.start, token.end):
            decoded = html.unescape(found.group())
            if decoded != found.group():
                self._copy(at, found.start())
                self._weaver.put(decoded)
                at = found.end()
        self._copy(at, token.end)

    def _copy(self, start: int, end: int) -> None:
        """Copies source text; its line breaks become blanks, except in preformatted text."""
        at = start
        for found in _BREAK.finditer(self._original, start, end):
            self._weaver.copy(at, found.start())
            if self._verbatim:
                self._end_line()
            else:
                self._weaver.put(" ")
            at = found.end()
        self._weaver.copy(at, end)
