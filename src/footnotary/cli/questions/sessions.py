"""From the options of a question command to a session that asks and records."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from footnotary.app.delivery import Delivery
    from footnotary.app.session import Session
    from footnotary.audit.record import RequestOrigin
    from footnotary.cli.questions.ask_options import AskOptions
    from footnotary.domain.query import Scope
    from footnotary.engine import Engine
    from footnotary.ports import ManagedStore


@dataclass(frozen=True, slots=True)
class CommandSession:
    """The session of one command, with the scope its options name."""

    session: Session
    scope: Scope
    asker: RequestOrigin

    @property
    def engine(self) -> Engine:
        return self.session.engine

    def ask(self, question: str, context: str = "") -> Delivery:
        """The outcome, recorded before this returns unless the settings say no. Raises `BackendError`."""
        return self.session.ask(question, self.scope, self.asker, context=context)


@contextmanager
def session_for(options: AskOptions) -> Generator[CommandSession]:
    """The session that the options ask for, closed at the end.

    Raises `UsageError` for a project or document that does not exist.
    """
    from footnotary.app.opening import opened_session
    from footnotary.audit.record import RequestOrigin
    from footnotary.domain.query import Scope

    settings = options.settings()
    profile, filters, day = options.adjusted_profile(settings), options.filters(), options.day()
    with opened_session(settings, profile) as session:
        scope = Scope(settings.project, settings.tenant, filters, day)
        _require_scope(session.store, scope)
        yield CommandSession(session, scope, RequestOrigin(settings.tenant, "command line", "cli"))


@contextmanager
def engine_for(options: AskOptions) -> Generator[tuple[Engine, Scope]]:
    """The engine and scope to search with; searches are not recorded. Raises as `session_for`."""
    from footnotary.domain.query import Scope
    from footnotary.wiring import opened

    settings = options.settings()
    profile, filters, day = options.adjusted_profile(settings), options.filters(), options.day()
    with opened(settings, profile) as open_:
        scope = Scope(settings.project, settings.tenant, filters, day)
        _require_scope(open_.store, scope)
        yield open_.engine, scope


def _require_scope(store: ManagedStore, scope: Scope) -> None:
    """Raises `UsageError` if there is no such project, or no such document in it."""
    from footnotary.app.source_lookup import require_document, require_project

    require_project(store, scope.project)
    if scope.filters.document is not None:
        require_document(store, scope.project, scope.filters.document)
