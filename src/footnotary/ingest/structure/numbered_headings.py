"""Numbered headings of a plain text, "2. Rent and deposit" and "3.1 Notice", told from list items and clauses."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})[.)]?[ \t]+(?P<title>\S.*)")
_MAX_WORDS = 8
_MAX_WORDS_ALONE = 15  # below a blank line, in a line that is not wrapped
_MIN_HEADINGS = 2
_MIN_SENTENCE_WORDS = 5
_ENDS = (".", "?", "!", "।")

_Number = tuple[int, ...]


def numbered_headings(texts: Sequence[str], after_blank: Sequence[bool]) -> dict[int, int]:
    """The depth from 0 of each line that is a numbered heading, by its place; empty unless there are two at least.

    A heading is no sentence, short or on a line of its own, and has text below it. The outermost numbers run from 1
    without gaps, so that list items and figures are not taken for headings, and at least half of them have a sentence
    below. If a section also numbers clauses that are no headings, none of its inner lines is one.
    """
    numbers = {
        n: tuple(map(int, found["number"].split(".")))
        for n, text in enumerate(texts)
        if (found := _NUMBERED.fullmatch(text))
    }
    width = max(map(len, texts), default=0)
    headings = {n: number for n, number in numbers.items() if _is_heading(n, texts, after_blank, numbers, width)}
    outer = _outermost(headings)
    if len(outer) < _MIN_HEADINGS:
        return {}
    regions = list(pairwise([*outer, len(texts)]))
    with_sentence = sum(any(map(_is_sentence, texts[start + 1 : end])) for start, end in regions)
    if 2 * with_sentence < len(outer):
        return {}
    depths = dict.fromkeys(outer, 0)
    for start, end in regions:
        inner = [n for n, number in numbers.items() if start < n < end and number[:1] == numbers[start] != number]
        if all(n in headings for n in inner) and all(
            _follows(numbers[before], numbers[n]) for before, n in pairwise([start, *inner])
        ):
            depths |= {n: len(numbers[n]) - 1 for n in inner}
    return depths


def _outermost(headings: Mapping[int, _Number]) -> list[int]:
    """The places of the headings 1, 2, 3 and so on; none if a number is missing or 1 comes again."""
    found: list[int] = []
    for n, number in headings.items():
        if number == (len(found) + 1,):
            found.append(n)
        elif len(number) == 1 and (number[0] > len(found) or number == (1,)):
            return []
    return found


def _is_heading(
    n: int, texts: Sequence[str], after_blank: Sequence[bool], numbers: Mapping[int, _Number], width: int
) -> bool:
    """Whether a numbered line has the form of a heading, follows a blank line or a sentence, and has text below.

    A longer line is one only below a blank line, and if it ends before the `width` of the text: else it is the first
    line of a wrapped paragraph.
    """
    title = texts[n].split(maxsplit=1)[1]
    if not title[0].isupper() or not (title[-1].isalnum() or title[-1] == ")"):
        return False
    if n + 1 == len(texts) or texts[n + 1][0].islower() or numbers.get(n + 1) == _next(numbers[n]):
        return False
    is_apart = n == 0 or after_blank[n]
    if (length := len(title.split())) > _MAX_WORDS:
        has_room = len(texts[n]) + 1 + len(texts[n + 1].split()[0]) <= width
        return is_apart and length <= _MAX_WORDS_ALONE and (has_room or after_blank[n + 1])
    return is_apart or texts[n - 1].endswith(_ENDS) or n - 1 in numbers


def _next(number: _Number) -> _Number:
    return (*number[:-1], number[-1] + 1)


def _follows(before: _Number, number: _Number) -> bool:
    """Whether a number is the next after another one: 3.1 after 3, 3.2 and 3.1.1 after 3.1, 3.2 after 3.1.4."""
    return number == (*before, 1) or (len(number) <= len(before) and number == _next(before[: len(number)]))


def _is_sentence(text: str) -> bool:
    return text.endswith(_ENDS) and len(text.split()) >= _MIN_SENTENCE_WORDS
