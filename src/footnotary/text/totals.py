"""Words for a whole: what a question for a total says, and what the row or column of a total is called."""

from typing import Final

from footnotary.text.tokens import words

_ASKED: Final = frozenset(
    "total totals overall altogether together combined consolidated aggregate entire whole कुल समग्र संपूर्ण सम्पूर्ण".split()
)
_CALLED: Final = _ASKED | {"all", "sum"}
_WIDE: Final = "wide"  # company-wide, companywide, worldwide


def says_total(text: str) -> bool:
    """Whether a question or a sentence speaks of a total."""
    return _has(text, _ASKED)


def is_called_total(name: str) -> bool:
    """Whether a row or a column of this name gives a total: "Total revenue", "Consolidated", "All segments"."""
    return _has(name, _CALLED)


def _has(text: str, called: frozenset[str]) -> bool:
    said = words(text)
    return not called.isdisjoint(said) or any(word.endswith(_WIDE) for word in said)
