"""What is printed around the text of every page: running heads, feet and page numbers."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from footnotary.ingest.page_columns import rows_of
from footnotary.ingest.page_words import PageWords, Word

_OUTERMOST = 4
_SAME_HEIGHT = 8.0  # points
_THROUGHOUT = 0.3
_OFTEN = 3  # pages: a title stands on the cover and on the first page
_SENTENCE = 5  # words
_FIGURES = re.compile(r"\d+")
_NUMBER = re.compile(r"(?:page\s*)?[-–—\[( ]*(\d{1,4}|[ivxlc]{1,7})[-–—\]) ]*(?:\s*(?:of|/)\s*\d{1,4})?", re.I)
_ADDRESS = re.compile(r"https?://|\bwww\.|\b[\w-]{2,40}\.(?:com|org|net|gov|edu|in|uk|eu)\b", re.I)
_TOO_FEW = 2  # pages: nothing is repeated often enough to tell, so what stands off at the edge is looked at itself
_MARGIN = 0.15  # of the page's height
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class Furnished:
    """What is furniture on a page, by the places of its words; the number printed there, and the lines left out."""

    gone: frozenset[int]
    label: str | None
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Edge:
    """One of the outermost rows of a page, counted from its edge."""

    words: tuple[Word, ...]
    text: str
    key: str
    height: float


def without_furniture(pages: Sequence[PageWords]) -> list[Furnished]:
    """Every page without lines that other pages repeat at the same height, and without page numbers.

    A line only goes if all lines further out go: what looks like a running head in the middle of a text stays. On
    one page or two, page numbers that stand off from everything and small print with an address go, no more.
    """
    edges = [_edges(list(page.words)) for page in pages]
    seen: dict[tuple[str, int], list[int]] = {}
    for number, both in enumerate(edges, start=1):
        for edge in {(edge.key, int(edge.height // _SAME_HEIGHT)) for side in both for edge in side}:
            seen.setdefault(edge, []).append(number)
    texts = Counter(text for both in edges for text in {edge.text for side in both for edge in side})
    steps: Counter[int] = Counter()
    for number, both in enumerate(edges, start=1):
        steps.update({value - number for side in both for edge in side for value, _ in _numbers(edge)})
    step = max(steps, key=lambda each: steps[each], default=0)
    numbered = steps[step] >= max(2, 0.3 * len(pages))
    result: list[Furnished] = []
    for number, (page, both) in enumerate(zip(pages, edges, strict=True), start=1):
        gone: set[int] = set()
        label: str | None = None
        left_out: list[str] = []
        for is_foot, side in enumerate(both):
            for at, edge in enumerate(side):
                if len(pages) <= _TOO_FEW:
                    stray = _stray(page, side[at : at + 2], is_foot=bool(is_foot))
                    if stray is None:
                        break
                    gone.update(word.char for word in edge.words)
                    left_out.append(edge.text)
                    label = label or stray
                    continue
                own = next((word for value, word in _numbers(edge) if value - number == step), None)
                is_number = numbered and own is not None and _NUMBER.fullmatch(edge.text) is not None
                is_head = _is_repeated(edge, seen) and ((numbered and own is not None) or _may_vary(page, edge, texts))
                if not (is_number or is_head):
                    break
                gone.update(word.char for word in edge.words)
                left_out.append(edge.text)
                label = label or (own if numbered else None)
        # Pages that are nothing but what others repeat, such as copies of one page, are text all the same.
        is_all = len(gone) == len(page.words)
        result.append(Furnished(frozenset(() if is_all else gone), label, () if is_all else tuple(left_out)))
    return result


def _is_repeated(edge: _Edge, seen: Mapping[tuple[str, int], Sequence[int]]) -> bool:
    """Whether the pages from the first to the last that has this line have it throughout, or every other one.

    Notes such as "1. Ins. by Act 26 of 1955" stand at one height now and then; a running head does so all the time.
    """
    place = int(edge.height // _SAME_HEIGHT)
    numbers = sorted(number for at in (place - 1, place, place + 1) for number in seen.get((edge.key, at), ()))
    often = len(edge.key) >= 4 and len(numbers) >= _OFTEN
    return often and len(numbers) >= _THROUGHOUT * (numbers[-1] - numbers[0] + 1)


def _may_vary(page: PageWords, edge: _Edge, texts: Mapping[str, int]) -> bool:
    """Whether a line that other pages repeat but for its figures is furniture: a title or a sentence is not.

    "Room 101 costs 250 coins." on one page and "Room 102 costs 300 coins." on the next are what the pages say.
    """
    if texts[edge.text] >= _OFTEN:
        return True
    sizes = sorted(word.size for word in page.words)
    is_title = max(word.size for word in edge.words) > 1.15 * sizes[len(sizes) // 2]
    return not is_title and not (edge.text.endswith((".", "।", ";")) and len(edge.words) >= _SENTENCE)


def _stray(page: PageWords, rows: Sequence[_Edge], *, is_foot: bool) -> str | None:
    """The number of a page that stands at its edge, "" for small print with an address, None for what may be text."""
    edge = rows[0]
    first, last = edge.words[0].at, edge.words[-1].at
    size = max(word.size for word in edge.words)
    height = page.page.height if page.page.rotation % 180 == 0 else page.page.width
    in_margin = last.top < _MARGIN * height if is_foot else first.bottom > (1 - _MARGIN) * height
    alone = _NUMBER.fullmatch(edge.text)
    if len(edge.words) == len(page.words) or not (in_margin or alone):
        return None
    inner = rows[1].words[0].at if len(rows) > 1 else None  # without one, the rest of the page is far away
    distance = size if inner is None else inner.bottom - first.top if is_foot else first.bottom - inner.top
    sizes = sorted(word.size for word in page.words)
    usual = sizes[len(sizes) // 2]
    # Two lines of furniture may stand close to each other, but no title is set smaller than the text.
    if distance < 0 or (distance < 0.8 * size and not (size <= usual and _ADDRESS.search(edge.text))):
        return None
    if alone or size > 1.05 * usual:
        return alone[1] if alone else None
    for number, beside, blank in (
        (edge.words[0], edge.words[1:2], 1),
        (edge.words[-1], edge.words[-2:-1], -1),
    ):
        if beside and _value(number.text) is not None:
            gap = beside[0].at.left - number.at.right if blank == 1 else number.at.left - beside[0].at.right
            if gap > 2 * size:
                return number.text
    return "" if _ADDRESS.search(edge.text) else None


def repeated_aside(pages: Sequence[PageWords]) -> set[str]:
    """Words in another direction that stand on many pages: a printer's stamp."""
    seen = Counter(text for page in pages for text in {word.text for word in page.aside})
    return {text for text, times in seen.items() if times >= 3}


def _edges(words: Sequence[Word]) -> tuple[list[_Edge], list[_Edge]]:
    """The rows nearest to the upper and the lower edge of a page."""
    ordered = sorted(words, key=lambda word: word.at.top + word.at.bottom)
    return _outermost(ordered[::-1], True), _outermost(ordered, False)


def _outermost(ordered: Sequence[Word], top: bool) -> list[_Edge]:
    """The rows nearest to an edge, from the edge inwards; words further in are not put into rows."""
    if not ordered:
        return []
    if top:
        limit = ordered[0].at.top - 60
        near = [word for word in ordered if word.at.top > limit]
    else:
        limit = ordered[0].at.bottom + 60
        near = [word for word in ordered if word.at.bottom < limit]
    rows = rows_of(near)
    if not top:
        rows.reverse()
    edges: list[_Edge] = []
    for row in rows[:_OUTERMOST]:
        text = " ".join(word.text for word in row)
        key = _FIGURES.sub("#", text).strip()
        edges.append(_Edge(tuple(row), text, key, row[0].at.bottom))
    return edges


def _numbers(edge: _Edge) -> list[tuple[int, str]]:
    """What may be the page's number in a row: the row itself, or a number at one of its ends."""
    candidates: list[str] = []
    if whole := _NUMBER.fullmatch(edge.text):
        candidates.append(whole[1])
    candidates += [edge.words[0].text, edge.words[-1].text] if edge.words else []
    return [(value, text) for text in candidates if (value := _value(text)) is not None]


def _value(text: str) -> int | None:
    if text.isascii() and text.isdigit() and len(text) <= 4:
        return int(text)
    if not text or not set(text.lower()) <= _ROMAN.keys():
        return None
    total = 0
    values = [_ROMAN[char] for char in text.lower()]
    for value, after in zip(values, [*values[1:], 0], strict=True):
        total += -value if value < after else value
    return total
