"""Citation precision and recall as ALCE defines them, with any entailment function.

A statement is recalled where the passages it cites, taken together, support it. A citation is precise where its
statement is recalled and the citation matters: it supports the statement alone, or the others do not without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

SupportFunction = Callable[[str, Sequence[str]], bool]


@dataclass(frozen=True, slots=True)
class StatementAttribution:
    """Citation recall and precision of one statement; `precise` has an entry for each citation."""

    recalled: bool
    precise: tuple[bool, ...]


def attribute_statement(statement: str, cited: Sequence[str], supports: SupportFunction) -> StatementAttribution:
    """Scores a statement against the texts it cites. One that cites nothing is not recalled."""
    if not cited or not supports(statement, cited):
        return StatementAttribution(False, (False,) * len(cited))
    if len(cited) == 1:
        return StatementAttribution(True, (True,))
    return StatementAttribution(
        True, tuple(_is_precise(statement, cited, place, supports) for place in range(len(cited)))
    )


def _is_precise(statement: str, cited: Sequence[str], place: int, supports: SupportFunction) -> bool:
    others = [text for i, text in enumerate(cited) if i != place]
    return supports(statement, [cited[place]]) or not supports(statement, others)
