"""What the question commands share: from options to an engine, and from an outcome to the screen."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from footnotary.cli.exits import Exit
from footnotary.cli.terminal import emit_json, note, say

if TYPE_CHECKING:
    from datetime import date

    from footnotary.audit.notary import Notary
    from footnotary.domain.outcome import Answer, Outcome, Refusal
    from footnotary.domain.query import Scope
    from footnotary.domain.validity import Standing
    from footnotary.engine import Engine
    from footnotary.profiles.schema import MarkerStyle, Profile
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


def style_of(name: str | None, profile: Profile) -> MarkerStyle:
    from footnotary.errors import UsageError
    from footnotary.profiles.schema import MarkerStyle

    if name is None:
        return profile.presentation.style
    if name not in get_args(MarkerStyle):
        raise UsageError(f"there is no citation style {name!r}", hint=f"use one of {', '.join(get_args(MarkerStyle))}")
    return cast("MarkerStyle", name)


def show(
    outcome: Outcome,
    engine: Engine,
    *,
    style: str | None = None,
    as_json: bool = False,
    verbose: bool = False,
    strip: bool = False,
    answer_id: str | None = None,
) -> Exit:
    """Prints an outcome and gives the exit code it stands for; `answer_id` is what its record is found by."""
    from footnotary.domain.outcome import Answer
    from footnotary.render.record import outcome_record

    marker_style = style_of(style, engine.profile)
    if as_json:
        level = engine.profile.presentation.show_reading_level
        record = outcome_record(outcome, marker_style, strip=strip, reading_level=level)
        emit_json(record | ({"answer_id": answer_id} if answer_id else {}))
    elif isinstance(outcome, Answer):
        _show_answer(outcome, engine, marker_style, strip=strip)
        _show_standing(outcome)
        for conflict in outcome.conflicts:
            note(f"sources disagree: [{conflict.id_a}] {conflict.value_a}, [{conflict.id_b}] {conflict.value_b}")
    else:
        _show_refusal(outcome)
        if engine.profile.versions.in_force == "require":
            note(f"looked at: documents in force on {outcome.query.scope.as_of}")
    if verbose and not as_json:
        _show_checks(outcome)
        if answer_id:
            note(f"recorded: footnotary audit show {answer_id}")
    return Exit.OK if isinstance(outcome, Answer) else Exit.REFUSED


def _show_answer(answer: Answer, engine: Engine, style: MarkerStyle, *, strip: bool) -> None:
    from footnotary.render.markers import full_source
    from footnotary.render.reading_level import reading_grade
    from footnotary.render.styles import render, stripped

    if strip:
        say(stripped(answer))
        return
    rendered = render(answer, style)
    say(rendered.text)
    if not rendered.sources:
        say()
        for hit in answer.sources:
            say(f"  [{hit.chunk.id}] {full_source(hit.chunk.labels, hit.chunk.page, hit.chunk.document_id)}")
    if engine.profile.presentation.show_reading_level:
        grade = reading_grade(answer.text)
        if grade is not None:
            asked = answer.query.scope.filters.class_number
            note(f"reading level: grade {grade}" + (f", asked for class {asked}" if asked is not None else ""))


def _show_standing(answer: Answer) -> None:
    """Says of every source that is not in force that it is not, and why."""
    for hit in answer.sources:
        if hit.standing is not None and not hit.standing.in_force:
            note(f"[{hit.chunk.id}] is not in force on {answer.query.scope.as_of}: {_why_not(hit.standing)}")


def _why_not(standing: Standing) -> str:
    if standing.superseded_by:
        return f"superseded by {', '.join(standing.superseded_by)}"
    validity = standing.validity
    return f"effective from {validity.effective_from or 'the beginning'} to {validity.effective_to or 'further notice'}"


def _show_refusal(refusal: Refusal) -> None:
    say(refusal.message)
    note(f"refused: {refusal.reason.value}")
    note(f"needed: {refusal.needed.facet}")
    if refusal.needed.missing:
        note(f"because: {refusal.needed.missing}")
    if refusal.needed.nearest:
        note(f"nearest passages: {', '.join(refusal.needed.nearest)}")


def _show_checks(outcome: Outcome) -> None:
    from footnotary.domain.outcome import Answer

    marks = {"pass": "✓", "fail": "✗", "skip": "?"}
    say()
    for verdict in outcome.verdicts:
        detail = f"  {verdict.detail}" if verdict.detail else ""
        say(f"{marks[verdict.status]} {verdict.check}{detail}")
    if isinstance(outcome, Answer):
        for number, claim in enumerate(outcome.claims, 1):
            say(f"\nclaim {number}: {claim.text}")
            for citation in (c for c in outcome.citations if c.claim == number - 1):
                at = citation.source_span
                where = f" bytes {at.bytes.start}-{at.bytes.end}" if at and at.bytes else ""
                page = f" page {citation.page}" if citation.page is not None else ""
                say(f"  [{citation.id}] confidence {citation.confidence:.2f}  {citation.document_id}{page}{where}")
                if citation.decorative:
                    say("  decorative: the claim holds without it")
                say(f"  “{citation.quote}”")
    else:
        found = ", ".join(f"{hit.chunk.id} ({hit.score:.2f})" for hit in outcome.evidence.hits)
        say(f"\nretrieved: {found or 'nothing'}")
