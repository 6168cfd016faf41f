"""Marks at which the clauses of a contract, or the items of a filing, begin."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DivisionStart:
    """A line that begins a clause. `place` is its part of an id, `number` what it is cited by, `heading` its name.

    Marks of level 0 contain those of level 1, and so on. `is_heading`: the line is a heading and no more.
    """

    line: int
    level: int
    place: str
    number: str
    heading: str
    is_heading: bool


def is_title_like(text: str, max_words: int = 12) -> bool:
    """Whether a line is short and not a sentence: "Term and termination", "RISK FACTORS"."""
    stripped = text.strip()
    return (
        0 < len(stripped.split()) <= max_words
        and stripped[:1].isupper()
        and not stripped.endswith((",", ";", ":", " and", " or"))
        and not (stripped.endswith(".") and len(stripped.split()) > 6)
    )


def without_contents(marks: Sequence[DivisionStart], words: Sequence[int]) -> list[DivisionStart]:
    """The marks without those of a table of contents: of equal ones, the last that has text below it, or the last.

    `words` counts the words of each line.
    """
    below = {
        mark.line: sum(words[mark.line + 1 : (marks[at + 1].line if at + 1 < len(marks) else len(words))])
        for at, mark in enumerate(marks)
    }
    best: dict[str, DivisionStart] = {}
    for mark in marks:
        held = best.get(mark.place)
        if held is None or below[mark.line] > 0 or below[held.line] == 0:
            best[mark.place] = mark
    kept = {mark.line for mark in best.values()}
    return [mark for mark in marks if mark.line in kept or below[mark.line] > 0]
