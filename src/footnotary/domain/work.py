"""An act or book by its labels, and whether a name means it."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

# "Section 5 of the said Act" names no act, and a law called just "Rules" is not meant by every "… Rules".
_GENERIC_WORDS = frozenset("a act acts code codes law laws of regulation regulations rule rules said such this".split())
_SMALL_WORDS = frozenset(("a", "an", "and", "for", "in", "of", "on", "to"))
_MAX_TITLE_WORDS = 64  # longer input is not a title, but untrusted input may be any length


@dataclass(frozen=True, slots=True)
class Work:
    """An act or book as passages are labelled with it; a missing part is empty."""

    code: str
    act: str
    year: str

    def is_meant_by(self, name: str) -> bool:
        """Whether `name` is its code, its initials, its name or a part of it, or more than its name.

        "IPC", "I.P.C.", "Penal Code" and "the Indian Penal Code (Act 45 of 1860)" all mean the Indian Penal Code, 1860.
        Years distinguish works of the same name. A name of no work ("the said Act") means any.
        """
        title, asked, code = _parse_title(self.act), _parse_title(name), _parse_title(self.code).joined
        years = title.years | _parse_title(self.year).years
        if not code and not title.joined:
            return False
        if asked.years and years and not asked.years & years:
            return False
        if _GENERIC_WORDS.issuperset(asked.words):
            return True
        called = {asked.joined, *asked.short, *asked.initials}
        if asked.short & title.initials or asked.initials & title.short or (code and code in called):
            return True
        return _contains(title.words, asked.words) or (
            not _GENERIC_WORDS.issuperset(title.words) and _contains(asked.words, title.words)
        )


@dataclass(frozen=True, slots=True)
class _WorkTitle:
    """A parsed name: its words, its years, all of it joined, the same without years and kind, and its initials."""

    words: tuple[str, ...]
    years: frozenset[str]
    joined: str
    short: frozenset[str]
    initials: frozenset[str]


@lru_cache(maxsize=10_000)
def _parse_title(text: str) -> _WorkTitle:
    spaced = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in unicodedata.normalize("NFKC", text))
    every = [word for word in spaced.casefold().split() if word != "the"][:_MAX_TITLE_WORDS]
    years = frozenset(word for word in every if len(word) == 4 and word.isdecimal())
    words = tuple(word for word in every if word not in years)
    own = tuple(word for word in words if word not in _GENERIC_WORDS)
    initials = ("".join(w[0] for w in part if w not in left) for part in (words, own) for left in ((), _SMALL_WORDS))
    short = frozenset(filter(None, ("".join(words), "".join(own))))
    return _WorkTitle(words, years, "".join(every), short, frozenset(each for each in initials if len(each) > 1))


def _contains(words: tuple[str, ...], run: tuple[str, ...]) -> bool:
    """Whether `run` is a contiguous part of `words`."""
    return any(words[i : i + len(run)] == run for i in range(len(words) - len(run) + 1))
