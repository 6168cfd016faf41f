"""The interface of a system under test, and how one is specified."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Protocol, TypeAlias, cast

from footnotary.conform.case import TargetReply, Turn
from footnotary.errors import UsageError


class Target(Protocol):
    """A system that answers questions from passages with a model at an OpenAI-compatible endpoint."""

    @property
    def name(self) -> str: ...

    @property
    def streams(self) -> bool:
        """Whether it can stream an answer; streaming cases are not measured where it cannot."""
        ...

    @property
    def has_tenants(self) -> bool:
        """Whether it serves two tenants; tenancy cases are not measured where it does not."""
        ...

    def ask(self, turn: Turn, project: str) -> TargetReply:
        """The reply to a question when the tenant's `project` holds exactly the turn's passages.

        Turns of one case use the same project. Raises where there is no reply; the case then fails.
        """
        ...


TargetFactory: TypeAlias = Callable[[str], AbstractContextManager[Target]]


def load_target_factory(name: str) -> TargetFactory:
    """The function `package.module:function`: called with the model's base URL, it is a context manager for a `Target`.

    Raises `UsageError` where it does not exist.
    """
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute, None) if module and attribute else None
    except ImportError as error:
        raise UsageError(f"{module} cannot be imported: {error}", hint="is its folder on PYTHONPATH?") from error
    if not callable(found):
        raise UsageError(
            f"unrecognized target {name!r}",
            hint="use engine, service, the URL of a server (http://localhost:8081/v1), or package.module:function",
        )
    return cast("TargetFactory", found)
