"""What is printed around the text of every page: running heads, feet and page numbers."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from footnotary.ingest.page_lines import rows_of
from footnotary.ingest.page_words import PageWords, Word

_OUTERMOST = 4
_SAME_HEIGHT = 8.0  # points
_THROUGHOUT = 0.3
_OFTEN = 3  # pages: a title stands on the cover and on the first page
_FIGURES = re.compile(r"\d+")
_NUMBER = re.compile(r"(?:page\s*)?[-–—\[( ]*(\d{1,4}|[ivxlc]{1,7})[-–—\]) ]*(?:\s*(?:of|/)\s*\d{1,4})?", re.I)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class Furnished:
    """A page without its furniture, the number that was printed on it, and the lines that were left out."""

    words: tuple[Word, ...]
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

    A line only goes if all lines further out go: what looks like a running head in the middle of a text stays.
    """
    edges = [(_outermost(page, True), _outermost(page, False)) for page in pages]
    seen: dict[tuple[str, int], list[int]] = {}
    for number, both in enumerate(edges, start=1):
        for edge in {(edge.key, int(edge.height // _SAME_HEIGHT)) for side in both for edge in side}:
            seen.setdefault(edge, []).append(number)
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
        for side in both:
            for edge in side:
                own = next((word for value, word in _numbers(edge) if value - number == step), None)
                is_number = numbered and own is not None and _NUMBER.fullmatch(edge.text) is not None
                if not (is_number or _is_repeated(edge, seen)):
                    break
                gone.update(word.char for word in edge.words)
                left_out.append(edge.text)
                label = label or (own if numbered else None)
        kept = tuple(word for word in page.words if word.char not in gone)
        # Pages that are nothing but what others repeat, such as copies of one page, are text all the same.
        result.append(Furnished(kept, label, tuple(left_out)) if kept else Furnished(page.words, label, ()))
    return result


def _is_repeated(edge: _Edge, seen: Mapping[tuple[str, int], Sequence[int]]) -> bool:
    """Whether the pages from the first to the last that has this line have it throughout, or every other one.

    Notes such as "1. Ins. by Act 26 of 1955" stand at one height now and then; a running head does so all the time.
    """
    place = int(edge.height // _SAME_HEIGHT)
    numbers = sorted(number for at in (place - 1, place, place + 1) for number in seen.get((edge.key, at), ()))
    often = len(edge.key) >= 4 and len(numbers) >= _OFTEN
    return often and len(numbers) >= _THROUGHOUT * (numbers[-1] - numbers[0] + 1)


def repeated_aside(pages: Sequence[PageWords]) -> set[str]:
    """Words in another direction that stand on many pages: a printer's stamp."""
    seen = Counter(text for page in pages for text in {word.text for word in page.aside})
    return {text for text, times in seen.items() if times >= 3}


def _outermost(page: PageWords, top: bool) -> list[_Edge]:
    """The rows nearest to an edge, from the edge inwards; words further in are not even sorted."""
    if not page.words:
        return []
    ordered = sorted(page.words, key=lambda word: word.at.top + word.at.bottom, reverse=top)
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
