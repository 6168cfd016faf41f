"""Marginal notes, as gazettes print section titles."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from footnotary.ingest.page_layout.columns import group_into_rows
from footnotary.ingest.page_layout.reading_order import TextLine
from footnotary.ingest.page_layout.words import PageWord

_MAX_RELATIVE_SIZE = 0.9  # than the text
_MIN_WORDS = 25  # with fewer, a margin cannot be detected
_MAX_ROW_WORDS = 9  # words
_MAX_DISTANCE_LINES = 2.5  # lines of text
_NUMBERED = re.compile(r"(?:\d{0,2}\[)?\d{1,3}[A-Z]{0,2}\.")
_ENDS = re.compile(r"[.\]]$")


MarginalNote = list[Sequence[PageWord]]  # its rows


def split_off_marginal_notes(words: Sequence[PageWord]) -> tuple[list[PageWord], list[MarginalNote]]:
    """The words of the text, and the marginal notes from the top."""
    sizes = Counter[float]()
    for word in words:
        sizes[round(word.size, 1)] += len(word.text)
    if len(words) < _MIN_WORDS:
        return list(words), []
    usual = sizes.most_common(1)[0][0]
    of_text = [word for word in words if word.size >= _MAX_RELATIVE_SIZE * usual]
    left = min(word.at.left for word in of_text)
    right = max(word.at.right for word in of_text)
    outside = [
        word
        for word in words
        if word.size < _MAX_RELATIVE_SIZE * usual
        and (word.at.left > right + 0.3 * usual or word.at.right < left - 0.3 * usual)
    ]
    if not outside:
        return list(words), []
    rows = group_into_rows(outside)
    if max(len(row) for row in rows) > _MAX_ROW_WORDS:
        return list(words), []
    adjacent = {id(word) for word in outside}
    notes: list[MarginalNote] = [[rows[0]]]
    for above, row in pairwise(rows):
        apart = above[0].at.bottom - row[0].at.bottom > 1.8 * row[0].size
        begins = _ENDS.search(above[-1].text) and row[0].text[:1].isupper()
        if apart or begins:
            notes.append([row])
        else:
            notes[-1].append(row)
    return [word for word in words if id(word) not in adjacent], notes


def insert_marginal_notes(lines: Sequence[TextLine], notes: Sequence[MarginalNote]) -> list[TextLine]:
    """The lines of the text, with each note before the line next to it: a numbered line, if one is near."""
    if not notes:
        return list(lines)
    before: dict[int, list[TextLine]] = {}
    taken: set[int] = set()
    for note in notes:
        foot = note[0][0].at.bottom
        near = sorted(
            (abs(line.foot - foot), at)
            for at, line in enumerate(lines)
            if at not in taken and abs(line.foot - foot) < _MAX_DISTANCE_LINES * 1.25 * line.size
        )
        numbered = [at for _, at in near if _NUMBERED.match(lines[at].words[0].text)]
        at = numbered[0] if numbered else near[0][1] if near else len(lines)
        taken.add(at)
        # Each note is a column of its own: no paragraph continues from it or into it.
        before.setdefault(at, []).extend(TextLine(tuple(row), -2 - len(taken)) for row in note)
    result: list[TextLine] = []
    for at, line in enumerate(lines):
        result += [*before.get(at, ()), line]
    return [*result, *before.get(len(lines), ())]
