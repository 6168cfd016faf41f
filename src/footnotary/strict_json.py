"""JSON that every parser reads in the same way: from clients, from model servers and in the audit log."""

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn


def finite(digits: str) -> float:
    """A number with a fraction or an exponent. Raises `ValueError` if it is out of range."""
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError("a number is out of range")
    return number


def loads_strictly(document: str | bytes, parse_float: Callable[[str], float] = finite) -> Any:
    """The value of a JSON document; bytes must be UTF-8.

    Raises `ValueError` where it is not JSON, or parsers disagree: duplicate names, NaN, infinities, too much nesting.
    Lone surrogates are left to the caller.
    """
    text = document.decode("utf-8") if isinstance(document, bytes) else document
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_reject_constant, parse_float=parse_float)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is duplicated")
    return found


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not valid JSON")
