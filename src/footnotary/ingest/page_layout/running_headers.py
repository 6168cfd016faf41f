"""Finds running headers, footers and page numbers."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from footnotary.ingest.page_layout.columns import group_into_rows
from footnotary.ingest.page_layout.words import ExtractedPage, PageWord

_MAX_EDGE_ROWS = 4
_SAME_HEIGHT_POINTS = 8.0  # points
_MIN_PAGE_SHARE = 0.3
_MIN_PAGES = 3  # pages: a title may be on the cover and on the first page
_MIN_SENTENCE_WORDS = 5  # words
_DIGITS = re.compile(r"\d+")
_NUMBER = re.compile(r"(?:page\s*)?[-–—\[( ]*(\d{1,4}|[ivxlc]{1,7})[-–—\]) ]*(?:\s*(?:of|/)\s*\d{1,4})?", re.I)
_WEB_ADDRESS = re.compile(r"https?://|\bwww\.|\b[\w-]{2,40}\.(?:com|org|net|gov|edu|in|uk|eu)\b", re.I)
_MAX_FEW_PAGES = 2  # pages: too few for repetition to tell, so isolated lines at the edge are classified alone
_MARGIN_SHARE = 0.15  # of the page's height
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class PageHeadersFooters:
    """The running headers and footers of a page: offsets of their words, the printed page number, the lines removed."""

    removed: frozenset[int]
    label: str | None
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _EdgeRow:
    """One of the outermost rows of a page."""

    words: tuple[PageWord, ...]
    text: str
    key: str
    height: float


def find_headers_footers(pages: Sequence[ExtractedPage]) -> list[PageHeadersFooters]:
    """For every page, the lines that other pages repeat at the same height, and the page numbers.

    A line is only removed if all lines further out are: what looks like a running header within the text stays. With
    one or two pages, only isolated page numbers and small print with a web address are removed.
    """
    edges = [_edge_rows(list(page.words)) for page in pages]
    seen: dict[tuple[str, int], list[int]] = {}
    for number, both in enumerate(edges, start=1):
        for edge in {(edge.key, int(edge.height // _SAME_HEIGHT_POINTS)) for side in both for edge in side}:
            seen.setdefault(edge, []).append(number)
    texts = Counter(text for both in edges for text in {edge.text for side in both for edge in side})
    steps: Counter[int] = Counter()
    for number, both in enumerate(edges, start=1):
        steps.update({value - number for side in both for edge in side for value, _ in _candidate_page_numbers(edge)})
    step = max(steps, key=lambda each: steps[each], default=0)
    numbered = steps[step] >= max(2, 0.3 * len(pages))
    result: list[PageHeadersFooters] = []
    for number, (page, both) in enumerate(zip(pages, edges, strict=True), start=1):
        removed: set[int] = set()
        label: str | None = None
        left_out: list[str] = []
        for is_foot, side in enumerate(both):
            for at, edge in enumerate(side):
                if len(pages) <= _MAX_FEW_PAGES:
                    stray = _isolated_page_number(page, side[at : at + 2], is_foot=bool(is_foot))
                    if stray is None:
                        break
                    removed.update(word.char for word in edge.words)
                    left_out.append(edge.text)
                    label = label or stray
                    continue
                own = next((word for value, word in _candidate_page_numbers(edge) if value - number == step), None)
                is_number = numbered and own is not None and _NUMBER.fullmatch(edge.text) is not None
                is_head = _is_repeated(edge, seen) and (
                    (numbered and own is not None) or _may_be_varying_header(page, edge, texts)
                )
                if not (is_number or is_head):
                    break
                removed.update(word.char for word in edge.words)
                left_out.append(edge.text)
                label = label or (own if numbered else None)
        # Pages that consist only of repeated lines, such as copies of one page, are text nevertheless.
        is_all = len(removed) == len(page.words)
        result.append(
            PageHeadersFooters(frozenset(() if is_all else removed), label, () if is_all else tuple(left_out))
        )
    return result


def _is_repeated(edge: _EdgeRow, seen: Mapping[tuple[str, int], Sequence[int]]) -> bool:
    """Whether all pages between the first and last with this line have it, or every other one.

    Notes such as "1. Ins. by Act 26 of 1955" share a height occasionally; a running header does so throughout.
    """
    place = int(edge.height // _SAME_HEIGHT_POINTS)
    numbers = sorted(number for at in (place - 1, place, place + 1) for number in seen.get((edge.key, at), ()))
    often = len(edge.key) >= 4 and len(numbers) >= _MIN_PAGES
    return often and len(numbers) >= _MIN_PAGE_SHARE * (numbers[-1] - numbers[0] + 1)


def _may_be_varying_header(page: ExtractedPage, edge: _EdgeRow, texts: Mapping[str, int]) -> bool:
    """Whether a line repeated except for its digits is a running header or footer: a title or sentence is not.

    "Room 101 costs 250 coins." on one page and "Room 102 costs 300 coins." on the next are content.
    """
    if texts[edge.text] >= _MIN_PAGES:
        return True
    sizes = sorted(word.size for word in page.words)
    is_title = max(word.size for word in edge.words) > 1.15 * sizes[len(sizes) // 2]
    return not is_title and not (edge.text.endswith((".", "।", ";")) and len(edge.words) >= _MIN_SENTENCE_WORDS)


def _isolated_page_number(page: ExtractedPage, rows: Sequence[_EdgeRow], *, is_foot: bool) -> str | None:
    """The page number in an edge line, "" for small print with a web address, None for what may be text."""
    edge = rows[0]
    first, last = edge.words[0].at, edge.words[-1].at
    size = max(word.size for word in edge.words)
    height = page.page.height if page.page.rotation % 180 == 0 else page.page.width
    in_margin = last.top < _MARGIN_SHARE * height if is_foot else first.bottom > (1 - _MARGIN_SHARE) * height
    alone = _NUMBER.fullmatch(edge.text)
    if len(edge.words) == len(page.words) or not (in_margin or alone):
        return None
    inner = rows[1].words[0].at if len(rows) > 1 else None  # None: the rest of the page is far away
    distance = size if inner is None else inner.bottom - first.top if is_foot else first.bottom - inner.top
    sizes = sorted(word.size for word in page.words)
    usual = sizes[len(sizes) // 2]
    # Two lines of a footer may be close to each other, but no title is smaller than the text.
    if distance < 0 or (distance < 0.8 * size and not (size <= usual and _WEB_ADDRESS.search(edge.text))):
        return None
    if alone or size > 1.05 * usual:
        return alone[1] if alone else None
    runs = _split_at_wide_gaps(edge.words, 2 * size)
    for run in (runs[-1], runs[0]) if len(runs) > 1 else ():
        if numbered := _NUMBER.fullmatch(" ".join(word.text for word in run)):
            return numbered[1]
    for number, adjacent, blank in (
        (edge.words[0], edge.words[1:2], 1),
        (edge.words[-1], edge.words[-2:-1], -1),
    ):
        if adjacent and _number_value(number.text) is not None:
            gap = adjacent[0].at.left - number.at.right if blank == 1 else number.at.left - adjacent[0].at.right
            if gap > 2 * size:
                return number.text
    return "" if _WEB_ADDRESS.search(edge.text) else None


def _split_at_wide_gaps(words: Sequence[PageWord], gap: float) -> list[list[PageWord]]:
    """A row split at blanks wider than `gap`: "Annual report      Page 3" has two parts."""
    runs = [[words[0]]]
    for before, word in pairwise(words):
        if word.at.left - before.at.right > gap:
            runs.append([word])
        else:
            runs[-1].append(word)
    return runs


def repeated_sideways_words(pages: Sequence[ExtractedPage]) -> set[str]:
    """Words in another direction that occur on many pages: a printer's stamp."""
    seen = Counter(text for page in pages for text in {word.text for word in page.sideways})
    return {text for text, times in seen.items() if times >= 3}


def _edge_rows(words: Sequence[PageWord]) -> tuple[list[_EdgeRow], list[_EdgeRow]]:
    """The rows nearest to the top and bottom edges of a page."""
    ordered = sorted(words, key=lambda word: word.at.top + word.at.bottom)
    return _rows_from_edge(ordered[::-1], True), _rows_from_edge(ordered, False)


def _rows_from_edge(ordered: Sequence[PageWord], top: bool) -> list[_EdgeRow]:
    """The rows nearest to an edge, from the edge inwards; words further in are ignored."""
    if not ordered:
        return []
    if top:
        limit = ordered[0].at.top - 60
        near = [word for word in ordered if word.at.top > limit]
    else:
        limit = ordered[0].at.bottom + 60
        near = [word for word in ordered if word.at.bottom < limit]
    rows = group_into_rows(near)
    if not top:
        rows.reverse()
    edges: list[_EdgeRow] = []
    for row in rows[:_MAX_EDGE_ROWS]:
        text = " ".join(word.text for word in row)
        key = _DIGITS.sub("#", text).strip()
        edges.append(_EdgeRow(tuple(row), text, key, row[0].at.bottom))
    return edges


def _candidate_page_numbers(edge: _EdgeRow) -> list[tuple[int, str]]:
    """Candidate page numbers in a row: the row itself, or a number at either end."""
    candidates: list[str] = []
    if whole := _NUMBER.fullmatch(edge.text):
        candidates.append(whole[1])
    candidates += [edge.words[0].text, edge.words[-1].text] if edge.words else []
    return [(value, text) for text in candidates if (value := _number_value(text)) is not None]


def _number_value(text: str) -> int | None:
    if text.isascii() and text.isdigit() and len(text) <= 4:
        return int(text)
    if not text or not set(text.lower()) <= _ROMAN.keys():
        return None
    total = 0
    values = [_ROMAN[char] for char in text.lower()]
    for value, after in zip(values, [*values[1:], 0], strict=True):
        total += -value if value < after else value
    return total
