"""What the question commands share: from their options to an engine, and to the notary that records."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date

    from footnotary.audit.notary import Notary
    from footnotary.domain.outcome import Outcome
    from footnotary.domain.query import Scope
    from footnotary.engine import Engine
    from footnotary.settings import Settings
    from footnotary.wiring import Opened

DEFAULT_MODEL = "gpt-4o-mini"


@dataclass(frozen=True, slots=True)
class Asking:
    """The options of one question, as given on the command line."""

    home: Path | None = None
    project: str | None = None
    profile: str | None = None
    embedder: str | None = None
    k: int | None = None
    min_sources: int | None = None
    graph: bool = False
    model: str | None = None
    base_url: str | None = None
    use_llm: bool = False
    act: str | None = None
    section: str | None = None
    chapter: str | None = None
    class_number: int | None = None
    subject: str | None = None
    language: str | None = None
    document: str | None = None
    as_of: str | None = None

    def wider(self) -> Asking:
        """The same question without filters."""
        unfiltered = dict.fromkeys(("act", "section", "chapter", "class_number", "subject", "language", "document"))
        return replace(self, **unfiltered)  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True, slots=True)
class Desk:
    """Where the questions of one command are asked. `notary` records what is answered, unless the settings say no."""

    engine: Engine
    scope: Scope
    settings: Settings
    notary: Notary | None
    index_digest: Callable[[str], str]

    def ask(self, question: str) -> Given:
        """The outcome, recorded before this returns. Raises `BackendError` where it cannot be."""
        outcome = self.engine.ask(question, self.scope)
        if self.notary is None:
            return Given(outcome, None)
        from footnotary.audit.record import Asker

        recorded = self.notary.record(
            outcome,
            self.engine.profile,
            Asker(self.settings.tenant, "command line", "cli"),
            index_digest=self.index_digest(self.scope.project),
            generator=self.engine.generator.name,
        )
        return Given(outcome, recorded.answer_id)


@dataclass(frozen=True, slots=True)
class Given:
    """An outcome and the id it was recorded under; None where nothing is recorded."""

    outcome: Outcome
    answer_id: str | None


@contextmanager
def desk_for(asking: Asking) -> Generator[Desk]:
    """The engine and scope the options ask for, and the notary of the tenant."""
    from footnotary.wiring import open_notary

    with _opened(asking) as (open_, scope):
        settings = open_.settings
        notary = open_notary(settings, open_.engine.embedder.name) if settings.audit == "on" else None
        try:
            yield Desk(open_.engine, scope, settings, notary, open_.store.index_digest)
        finally:
            if notary is not None:
                notary.close()


@contextmanager
def engine_for(asking: Asking) -> Generator[tuple[Engine, Scope]]:
    """The engine and scope the options ask for, to search with: what is asked of it is not recorded."""
    with _opened(asking) as (open_, scope):
        yield open_.engine, scope


@contextmanager
def _opened(asking: Asking) -> Generator[tuple[Opened, Scope]]:
    from footnotary.domain.query import Filters, Scope
    from footnotary.profiles.adjust import adjusted
    from footnotary.profiles.load import load_profile
    from footnotary.settings import load_settings
    from footnotary.wiring import opened

    model = asking.model or (DEFAULT_MODEL if asking.use_llm else None)
    settings = load_settings(
        {
            "home": asking.home,
            "project": asking.project,
            "profile": asking.profile,
            "embedder": asking.embedder,
            "model": model,
            "base_url": asking.base_url,
        }
    )
    profile = adjusted(
        load_profile(settings.profile),
        k=asking.k,
        min_sources=asking.min_sources,
        follow_references=True if asking.graph else None,
    )
    filters = Filters(
        document=asking.document,
        act=asking.act,
        section=asking.section,
        chapter=asking.chapter,
        class_number=asking.class_number,
        subject=asking.subject,
        language=asking.language,
    )
    as_of = None if asking.as_of is None else day_given("--as-of", asking.as_of)
    with opened(settings, profile) as open_:
        yield open_, Scope(settings.project, settings.tenant, filters, as_of)


def day_given(option: str, text: str) -> date:
    """The day that an option names. Raises `UsageError`."""
    from footnotary.domain.validity import day_of
    from footnotary.errors import UsageError

    try:
        return day_of(text)
    except ValueError as error:
        raise UsageError(f"{option}: {error}", hint="write the year, the month and the day") from None
