"""How like two texts are, and whether one holds another: exact measures, quick enough for whole books page by page."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

_LINE_END_HYPHEN = re.compile(r"(?<=[^\W\d_])[-\u2010\ufffe\u00ad\x02][ \t]*\r?\n(?=[^\W\d_])")
_QUOTES = str.maketrans("‘’‚“”„`´", "''''''''")


def plain(text: str) -> str:
    """Text as it is compared: NFKC, straight quotes, words cut by a line's end joined, white space as single blanks."""
    joined = _LINE_END_HYPHEN.sub("", text).replace("\ufffe", "-").replace("\0", "")
    return " ".join(unicodedata.normalize("NFKC", joined).translate(_QUOTES).replace("''", "'").split())


def similarity(a: str, b: str) -> float:
    """2 x (longest common subsequence of characters) / (both lengths): 1 is equal, and order counts."""
    return 2 * common(a, b) / (len(a) + len(b)) if a or b else 1.0


def common(a: str, b: str) -> int:
    """The length of the longest common subsequence, a whole row of the table at a time as one integer."""
    places = _places(a)
    every = (1 << len(a)) - 1
    row = every
    for char in b:
        met = row & places.get(char, 0)
        row = ((row + met) | (row - met)) & every
    return len(a) - row.bit_count()


def shared_words(a: str, b: str) -> float:
    """The words both have, as often as both have them, out of all (F1): order does not count."""
    one, other = Counter(a.split()), Counter(b.split())
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def shared_runs(a: str, b: str, length: int = 30) -> float:
    """The runs of `length` characters that both have, out of all (F1): order counts within a run, not between blocks."""
    one = Counter(a[at : at + length] for at in range(max(len(a) - length, 0) + 1))
    other = Counter(b[at : at + length] for at in range(max(len(b) - length, 0) + 1))
    return 2 * (one & other).total() / (one.total() + other.total())


def holds(needle: str, text: str, most_edits: int) -> list[int]:
    """Where in `text` something ends that `most_edits` insertions, deletions or changes turn into `needle`."""
    places, top = _places(needle), 1 << (len(needle) - 1)
    every = (1 << len(needle)) - 1
    more, fewer, distance = every, 0, len(needle)
    ends: list[int] = []
    for at, char in enumerate(text):
        # Myers 1999: the differences of one column of the table in two integers.
        same = places.get(char, 0) | fewer
        cross = (((same & more) + more) ^ more) | same
        up, down = (fewer | ~(cross | more)) & every, more & cross
        distance += bool(up & top) - bool(down & top)
        up, down = (up << 1) & every, (down << 1) & every
        more, fewer = (down | ~(same | up)) & every, up & same
        if distance <= most_edits:
            ends.append(at + 1)
    return ends


def _places(text: str) -> Mapping[str, int]:
    places: dict[str, int] = {}
    for at, char in enumerate(text):
        places[char] = places.get(char, 0) | 1 << at
    return places
