"""Superscript and subscript digits, written so that they do not run into the number before them.

Copied like other text, a power turns 10 to the fifth into 105, and a footnote number turns a fee of 20 into 201. They
are written as Unicode superscripts and subscripts.
"""

import re

_NUMBERS = re.compile(r"\s*[-+−–]?\s*[0-9]{1,6}(?:[\s,;–-]{1,3}[0-9]{1,6}){0,20}\s*")
_SUPERSCRIPTS = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_SUBSCRIPTS = str.maketrans("0123456789+-−–", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋")


def raised_or_lowered_digits(text: str, where: str, before: str) -> str | None:
    """Digits as superscripts (`where` is "sup…") or subscripts ("sub…"); None for text to be copied unchanged.

    Unchanged are all texts that are not numbers ("5th"), and subscripts after a letter: "H2O" is the usual spelling.
    """
    if not where.startswith(("sup", "sub")) or not _NUMBERS.fullmatch(text):
        return None
    if where.startswith("sub"):
        return text.strip().translate(_SUBSCRIPTS) if before.isdigit() else None
    return text.strip().translate(_SUPERSCRIPTS)
