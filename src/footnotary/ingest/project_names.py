"""The names that a new project may have."""

from collections.abc import Sequence

from footnotary.domain.identity import PROJECT_NAME_FORM, is_project_name
from footnotary.errors import UsageError


def require_project_name(name: str, existing: Sequence[str]) -> None:
    """Raises `UsageError` unless the project exists, or its name is one that a new project may have."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers of the Python API
        raise UsageError(f"a project is named by a str, not {name!r}", hint=f"use {PROJECT_NAME_FORM}")
    if not name:
        raise UsageError("a project needs a name", hint="name one with --project")
    if name not in existing and not is_project_name(name):
        raise UsageError(f"{name!r} is not a valid name for a new project", hint=f"use {PROJECT_NAME_FORM}")
