"""Opens sessions: for one command, and for an engine that somebody opened from Python."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from footnotary.app.index_digests import IndexDigests
from footnotary.app.session import Session
from footnotary.ports import ManagedStore
from footnotary.wiring import EngineWithSettings, open_notary, opened

if TYPE_CHECKING:
    from footnotary.audit.recorder import Notary
    from footnotary.engine import Engine
    from footnotary.profiles.schema import Profile
    from footnotary.settings import Settings


@contextmanager
def opened_session(settings: Settings, profile: Profile) -> Generator[Session]:
    """A session over the tenant's store, closed at the end. It answers from the index, never from the answer cache."""
    with opened(settings, profile) as open_:
        notary = notary_for(settings, open_.engine.embedder.name)
        session = Session(open_.engine, open_.store, IndexDigests(open_.store), notary)
        try:
            yield session
        finally:
            session.close()


def session_of(engine: Engine | Session) -> Session:
    """A session over an engine that is open already; it lives as long as the engine.

    An engine from `footnotary.open_engine` knows its settings, and what it answers is recorded as they say. One that
    was put together by hand has no data directory to record in.
    """
    if isinstance(engine, Session):
        return engine
    settings = engine.settings if isinstance(engine, EngineWithSettings) else None
    notary = notary_for(settings, engine.embedder.name) if settings is not None else None
    store = cast(ManagedStore, engine.store)
    return Session(engine, store, IndexDigests(store), notary)


def tenant_of(engine: Engine | Session) -> str:
    """The tenant that an engine was opened for."""
    held = engine.engine if isinstance(engine, Session) else engine
    return held.tenant


def notary_for(settings: Settings, embedder: str = "") -> Notary | None:
    """The tenant's audit log, unless the settings turn it off; `embedder` names the one that finds the evidence."""
    return open_notary(settings, embedder) if settings.audit == "on" else None
