"""Tells data rows of a page's tables from rows used for layout."""

from collections.abc import Iterable

from footnotary.ingest.parse.html.scanner import HtmlToken

_MAX_CELL_CHARS = 500  # characters
_ROW_TAGS = frozenset({"tr", "table", "tbody", "thead", "tfoot", "caption"})
_LAYOUT_TAGS = frozenset("article blockquote dl fieldset form h1 h2 h3 h4 h5 h6 hr li main ol pre section ul".split())


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
