"""HTML: the main text, without navigation, scripts, forms and what the page hides."""

import html
import re

from footnotary.domain.identity import Span
from footnotary.ingest.offset_builder import OffsetTrackingBuilder
from footnotary.ingest.parse.html.cell_spans import skipped_columns_by_cell
from footnotary.ingest.parse.html.data_rows import find_bold_rows, find_data_rows, find_heading_rows
from footnotary.ingest.parse.html.list_numbers import BULLET, LIST_TAGS, has_own_mark, list_item_numbers
from footnotary.ingest.parse.html.scanner import HtmlToken, find_unclosed_elements, tokenize_html
from footnotary.ingest.parse.html.visibility import hidden_elements, main_element
from footnotary.ingest.parse.superscripts import raised_or_lowered_digits
from footnotary.ingest.parsed_document import LineKind, ParsedFile

# Deleted text is left out as in DOCX, and so is struck text, which no longer holds: "<s>ten</s> twelve" is twelve.
_DELETED_TAGS = frozenset({"del", "s", "strike"})
_SKIPPED_INLINE_TAGS = _DELETED_TAGS | {"script", "style", "template", "svg", "annotation", "annotation-xml"}
_NON_TEXT_TAGS = _SKIPPED_INLINE_TAGS | {"head", "noscript", "iframe", "textarea"}
_PAGE_CHROME_TAGS = frozenset({"nav", "header", "footer", "aside", "form", "button", "select", "menu", "dialog"})
_ARTICLE_TAGS, _ARTICLE_PART_TAGS = frozenset({"article", "main", "section"}), frozenset({"header", "footer"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCK_TAGS = frozenset(
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure form hr html "
    "legend li main ol p pre section summary table tbody tfoot thead tr ul".split()
) | frozenset(_HEADINGS)
_SPACED_TAGS = frozenset({"p", "blockquote", "table", "ul", "ol", "dl", "pre", "article", "section", "hr", *_HEADINGS})
_IN_CELL_TAGS = frozenset({"p", "div", "center", "address", "figure", "figcaption", "details", "summary"})
_TO_NEXT_BLOCK = "<"  # the element has no closing tag: it ends where the next paragraph begins
_MIN_SHARE_BESIDE_HIDDEN = 0.2
_MIN_SHARE_OF_MAIN = 0.25
_FORMULA_TAGS = frozenset({"mn", "mi", "mo", "mtext"})
_ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});?")
_BREAK = re.compile(r"[ \t]*[\r\n\f][ \t\r\n\f]*")
_LANGUAGE = re.compile(r"\blang\s*=\s*[\"']?([A-Za-z]{2,3})")


def parse_html(data: bytes, encoding: str) -> ParsedFile:
    """Headings, paragraphs, numbered list items and table rows as lines, entities decoded, powers as superscripts.

    Hidden elements are left out, and what is outside of the element that the page marks as its main text, if that has
    a good part of the text. The header and footer of an article are read, those of a page are not. If most of the text
    is within a form, the form is read too, and if all of it is within navigation, that is read rather than nothing.
    Unclosed navigation is read: its end is unknown, and the rest of the page must not be lost.
    """
    original = data.decode(encoding)
    tokens = tuple(tokenize_html(original))
    left_out = _NON_TEXT_TAGS | _PAGE_CHROME_TAGS
    hidden = hidden_elements(original, tokens, by_style_sheet=True)
    reader = _HtmlReader(original, encoding, tokens, left_out, hidden)
    if (unstyled := hidden_elements(original, tokens, by_style_sheet=False)) != hidden:
        shown = _HtmlReader(original, encoding, tokens, left_out, unstyled)
        if len(reader.text) < _MIN_SHARE_BESIDE_HIDDEN * len(shown.text):  # a script shows what the style sheet hides
            reader, hidden = shown, unstyled
    if any(token.name == "form" for token in tokens):  # some servers wrap every page in one
        wrapped = _HtmlReader(original, encoding, tokens, left_out - {"form"}, hidden)
        reader = wrapped if len(wrapped.text) > 2 * len(reader.text) else reader
    if main := main_element(original, tokens):
        held = _HtmlReader(original, encoding, _tokens_of_main(tokens, main), left_out, hidden)
        reader = held if len(held.text) >= _MIN_SHARE_OF_MAIN * len(reader.text) else reader
    if not reader.text.strip():
        reader = _HtmlReader(original, encoding, tokens, _NON_TEXT_TAGS, frozenset())
    return ParsedFile(reader.text, reader.offsets, reader.lines, {}, reader.title, reader.language)


def _tokens_of_main(tokens: tuple[HtmlToken, ...], main: Span) -> tuple[HtmlToken, ...]:
    """The tokens of the main text, and those of the head, which has the title."""
    body = next((token.start for token in tokens if token.name == "body"), 0)
    return tuple(token for token in tokens if token.start < body or main.start <= token.start < main.end)


class _HtmlReader:
    def __init__(
        self,
        original: str,
        encoding: str,
        tokens: tuple[HtmlToken, ...],
        left_out: frozenset[str],
        hidden: frozenset[int],
    ) -> None:
        self._original = original
        self._hidden = hidden
        self._builder = OffsetTrackingBuilder(original, encoding)
        self._level: int | None = None
        self._kind: LineKind = "paragraph"
        self._verbatim = self._lists = 0
        self._cells = 0
        self._rows = find_data_rows(original, tokens)
        self._row_kinds: dict[int, LineKind] = dict.fromkeys(find_bold_rows(original, tokens), "likely_heading_row")
        self._row_kinds |= dict.fromkeys(find_heading_rows(tokens), "heading_row")
        self._in_row = self._in_term = self._is_after_term = False
        self._spanned = skipped_columns_by_cell(original, tokens)
        self._numbers = list_item_numbers(original, tokens)
        self._number = self._outer = self._after_term = ""
        self._set = ""
        self.title: str | None = None
        self.language: str | None = None
        self._read(tokens, left_out)
        self.text, self.offsets, self.lines = self._builder.finish()

    def _read(self, tokens: tuple[HtmlToken, ...], left_out: frozenset[str]) -> None:
        skipping, depth, in_title = "", 0, False
        # The head may be unclosed: the body begins at its own tag, or at a tag that only a body can contain.
        is_closed = any(token.kind == "close" and token.name == "head" for token in tokens)
        after_head = frozenset({"body"}) if is_closed else _BLOCK_TAGS | _PAGE_CHROME_TAGS
        names = {token.name for token in tokens if token.start in self._hidden}
        within, endless = 0, find_unclosed_elements(self._original, tokens, _PAGE_CHROME_TAGS | _DELETED_TAGS | names)
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
            if skipping == _TO_NEXT_BLOCK and token.name in _BLOCK_TAGS:
                skipping = ""
            if skipping:
                if token.name == skipping and token.start not in endless:
                    depth += 1 if token.kind == "open" else -1
                    skipping = skipping if depth else ""
            elif token.start in self._hidden and token.kind == "open":
                skipping, depth = (_TO_NEXT_BLOCK if token.start in endless else token.name), 1
                if token.name in _BLOCK_TAGS | _PAGE_CHROME_TAGS:
                    self._end_line()
            elif within and token.name in _ARTICLE_PART_TAGS:
                self._end_line()
            elif token.name in left_out and token.start in endless:
                if token.name not in _SKIPPED_INLINE_TAGS:
                    self._end_line()
            elif token.kind == "open" and token.name in left_out and self._original[token.end - 2] != "/":
                skipping, depth = token.name, 1
                if token.name not in _SKIPPED_INLINE_TAGS:
                    self._end_line()
            elif token.kind == "text":
                self._take(token)
            else:
                if token.name in _ARTICLE_TAGS:
                    within = max(0, within + (1 if token.kind == "open" else -1))
                self._tag(token)
        self._end_line()

    def _tag(self, token: HtmlToken) -> None:
        opens = token.kind == "open"
        if token.name == "br":
            if self._level is None and not self._in_row:
                self._end_line()
            else:
                self._builder.put(" ")  # a heading on two lines is one heading
        elif token.name in _FORMULA_TAGS:
            self._builder.put(" ")  # one half is not 12
        elif token.name == "q":  # browsers show the quotation marks
            self._builder.put("“" if opens else "”")
        elif token.name in ("sup", "sub"):
            self._set = token.name if opens else ""
        elif token.name in ("td", "th"):
            self._set = ""
            if opens:
                if self._cells and (self._in_row or self._builder.line_has_text):
                    self._builder.put(" | ")  # after an empty cell too, so that columns stay aligned
                if self._in_row:
                    self._builder.put(" | " * self._spanned.get(token.start, 0))
                self._cells += 1
        elif self._in_row and token.name in _IN_CELL_TAGS:
            self._builder.put(" ")
        elif token.name == "dt" and not opens:
            self._is_after_term = True  # what is said of the term may follow on its line
        elif token.name == "dd" and opens and self._in_term and self._builder.line_has_text:
            self._after_term = " " if self._builder.last_char in ":?!." else ": "
            self._in_term = self._is_after_term = False
        elif token.name in _BLOCK_TAGS:
            self._end_line()
            self._set, self._in_row, self._in_term = "", False, token.name == "dt"
            if token.name == "li":
                self._number = self._outer + self._numbers.get(token.start, "") if opens else ""
                self._outer = ""
            elif token.name in LIST_TAGS:  # an item that begins with a list shows the numbers of both: "1. a. …"
                self._outer = self._number if opens and self._number != BULLET else ""
                self._number = ""
                self._lists = max(0, self._lists + (1 if opens else -1))
                self._kind = "list" if self._lists else "paragraph"
            if token.name in _SPACED_TAGS and not (token.name in LIST_TAGS and self._lists > opens):
                self._builder.blank()
            if token.name in _HEADINGS:
                self._level = _HEADINGS[token.name] if opens else None
            elif token.name in ("li", "tr"):
                row_kind = self._row_kinds.get(token.start, "table")
                self._kind = ("list" if token.name == "li" else row_kind) if opens else "paragraph"
                self._cells = 0
                self._in_row = opens and token.start in self._rows
            elif token.name == "pre":
                self._verbatim = max(0, self._verbatim + (1 if opens else -1))

    def _end_line(self) -> None:
        self._after_term, self._is_after_term = "", False
        self._builder.end_line(self._level, self._kind, self._lists if self._kind == "list" else None)

    def _take(self, token: HtmlToken) -> None:
        is_blank = self._original[token.start : token.end].isspace()
        if self._is_after_term:
            if is_blank:
                return
            self._end_line()
        if self._after_term and not is_blank:
            self._builder.put(self._after_term)
            self._after_term = ""
        if self._number and (words := html.unescape(self._original[token.start : token.end])).strip():
            self._builder.put("" if has_own_mark(words) else self._number)
            self._number = ""
        text = self._original[token.start : token.end] if self._set else ""
        if (figures := raised_or_lowered_digits(text, self._set, self._builder.last_char)) is not None:
            self._builder.put(figures)
            return
        at = token.start
        for found in _ENTITY.finditer(self._original, token.start, token.end):
            decoded = html.unescape(found.group())
            if decoded != found.group():
                self._copy(at, found.start())
                self._builder.put(decoded)
                at = found.end()
        self._copy(at, token.end)

    def _copy(self, start: int, end: int) -> None:
        """Copies source text; its line breaks become blanks, except in preformatted text."""
        at = start
        for found in _BREAK.finditer(self._original, start, end):
            self._builder.copy(at, found.start())
            if self._verbatim:
                self._end_line()
            else:
                self._builder.put(" ")
            at = found.end()
        self._builder.copy(at, end)
