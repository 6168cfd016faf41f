"""The system under test, as the suite sees it, and how one is named."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Protocol, TypeAlias, cast

from footnotary.conform.case import Reply, Turn
from footnotary.errors import UsageError


class Target(Protocol):
    """A system that answers questions from passages with a model at an OpenAI-compatible address."""

    @property
    def name(self) -> str: ...

    @property
    def streams(self) -> bool:
        """Whether it can give out an answer in pieces; cases of streaming are not measured where it cannot."""
        ...

    @property
    def has_tenants(self) -> bool:
        """Whether it answers for two tenants; cases of tenancy are not measured where it does not."""
        ...

    def ask(self, turn: Turn, project: str) -> Reply:
        """The reply to a question when the tenant's `project` holds exactly the turn's passages.

        Turns of one case name the same project. Raises for anything but a reply; that is a failure of the case.
        """
        ...


Factory: TypeAlias = Callable[[str], AbstractContextManager[Target]]


def factory_at(name: str) -> Factory:
    """The function `package.module:function`: given the model's address, it is a context that yields a `Target`.

    Raises `UsageError` where there is none.
    """
    module, _, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute, None) if module and attribute else None
    except ImportError as error:
        raise UsageError(f"{module} cannot be imported: {error}", hint="is its folder on PYTHONPATH?") from error
    if not callable(found):
        raise UsageError(
            f"{name!r} is no target",
            hint="name engine, service, the address of a server (http://localhost:8081/v1), or package.module:function",
        )
    return cast("Factory", found)
