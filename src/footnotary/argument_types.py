"""Checks the arguments of the Python API: a wrong type is a usage error that names what was seen."""

import reprlib
from collections.abc import Iterable
from datetime import date, datetime
from typing import cast

from footnotary.domain.query import Filters, Scope
from footnotary.errors import UsageError


def require_type(name: str, value: object, kind: type, hint: str = "") -> None:
    """Raises `UsageError` unless the value is of that type."""
    if not isinstance(value, kind):
        raise UsageError(f"{name} must be a {kind.__name__}, not {reprlib.repr(value)}", hint=hint)


def require_question(question: object, scope: object, context: object = "") -> None:
    """Raises `UsageError` unless a question can be asked in this scope."""
    require_type("question", question, str)
    require_type("context", context, str)
    require_type("scope", scope, Scope, 'for example ask(question, Scope("demo"))')
    asked = cast(Scope, scope)
    require_type("scope.project", asked.project, str)
    require_type("scope.tenant", asked.tenant, str)
    require_type("scope.filters", asked.filters, Filters)
    day = cast(object, asked.as_of)
    # A point in time is a date to Python, and not comparable with the days of documents.
    if day is not None and (not isinstance(day, date) or isinstance(day, datetime)):
        raise UsageError(
            f"scope.as_of must be a date, not {reprlib.repr(day)}",
            hint="use datetime.date(2020, 1, 1), or None for today",
        )


def as_texts(name: str, given: object) -> tuple[str, ...]:
    """One text or several as a tuple. Raises `UsageError` for anything else."""
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, Iterable):
        raise UsageError(f"{name} must be a list of str, not {reprlib.repr(given)}", hint="give the texts themselves")
    texts = tuple(cast("Iterable[object]", given))
    for number, text in enumerate(texts):
        require_type(f"{name}[{number}]", text, str, "give the text itself")
    return cast("tuple[str, ...]", texts)
