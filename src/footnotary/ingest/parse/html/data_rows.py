"""Distinguishes data rows of a page's tables from rows used for layout."""

from collections.abc import Iterable

from footnotary.ingest.parse.html.scanner import HtmlToken

_MAX_CELL_CHARS = 500  # characters
_ROW_TAGS = frozenset({"tr", "table", "tbody", "thead", "tfoot", "caption"})
_LAYOUT_TAGS = frozenset("article blockquote dl fieldset form h1 h2 h3 h4 h5 h6 hr li main ol pre section ul".split())


def find_heading_rows(tokens: Iterable[HtmlToken]) -> frozenset[int]:
    """The offsets of rows that the page marks as headings: within `thead`, or made of `th` cells alone."""
    rows: set[int] = set()
    start, in_head = -1, False
    cells: set[str] = set()
    for token in tokens:
        if token.name in _ROW_TAGS:
            if start >= 0 and cells and (in_head or cells == {"th"}):
                rows.add(start)
            in_head = token.kind == "open" if token.name == "thead" else in_head and token.name == "tr"
            start = token.start if token.name == "tr" and token.kind == "open" else -1
            cells = set()
        elif token.kind == "open" and token.name in ("td", "th"):
            cells.add(token.name)
    return frozenset(rows)


def find_bold_rows(page: str, tokens: Iterable[HtmlToken]) -> frozenset[int]:
    """The offsets of the first rows of tables whose words are all bold, as pages without `th` write their headings."""
    rows: set[int] = set()
    start, bold, words, plain = -1, 0, False, False
    is_first = False
    for token in tokens:
        if token.name in _ROW_TAGS:
            if start >= 0 and words and not plain:
                rows.add(start)
            opens_row = token.name == "tr" and token.kind == "open"
            start = token.start if opens_row and is_first else -1
            is_first = (token.kind == "open" and token.name == "table") or (is_first and not opens_row)
            bold, words, plain = 0, False, False
        elif token.name in ("b", "strong"):
            bold = max(0, bold + (1 if token.kind == "open" else -1))
        elif start >= 0 and token.kind == "text" and page[token.start : token.end].strip():
            words, plain = True, plain or not bold
    return frozenset(rows)


def find_data_rows(page: str, tokens: Iterable[HtmlToken]) -> frozenset[int]:
    """The offsets of rows whose cells go on one line, including paragraphs and line breaks within them.

    Such rows have two or more cells with text, none of them long, and no headings, lists or tables inside.
    """
    rows: set[int] = set()
    start: int | None = None
    cells: list[int] = []
    for token in tokens:
        if token.name in _ROW_TAGS:
            is_nested = token.name == "table" and token.kind == "open"
            if start is not None and not is_nested and sum(map(bool, cells)) > 1 and max(cells) <= _MAX_CELL_CHARS:
                rows.add(start)
            start = token.start if token.name == "tr" and token.kind == "open" else None
            cells = []
        elif token.name in _LAYOUT_TAGS:
            start = None
        elif token.kind == "open" and token.name in ("td", "th"):
            cells.append(0)
        elif token.kind == "text" and cells:
            cells[-1] += len(page[token.start : token.end].strip())
    return frozenset(rows)
