"""Figures set above or below the line, written so that they do not run into the figure before them.

A power that is copied like other text turns 10 to the fifth into 105, and the number of a note turns a fee of 20 into
one of 201: they are written as the superscripts and subscripts that Unicode has.
"""

import re

_FIGURES = re.compile(r"\s*[-+−–]?\s*[0-9]{1,6}(?:[\s,;–-]{1,3}[0-9]{1,6}){0,20}\s*")
_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_LOWERED = str.maketrans("0123456789+-−–", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋")


def figures_set(text: str, where: str, before: str) -> str | None:
    """Figures that stand above the line (`where` is "sup…") or below it ("sub…"); None for what is copied as it is.

    That is all that is no figure ("5th"), and what stands below a letter: "H2O" is written so everywhere.
    """
    if not where.startswith(("sup", "sub")) or not _FIGURES.fullmatch(text):
        return None
    if where.startswith("sub"):
        return text.strip().translate(_LOWERED) if before.isdigit() else None
    return text.strip().translate(_RAISED)
