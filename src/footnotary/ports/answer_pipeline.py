"""The protocols of the answer pipeline: the generator, the input of a check, and the observer of its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Query
from footnotary.domain.verdict import Verdict
from footnotary.errors import ModelError


class UnusableReply(ModelError):
    """A model has replied, and its reply cannot be read as a draft; `draft` holds what was received, and no claim."""

    def __init__(self, message: str, *, hint: str, draft: Draft) -> None:
        super().__init__(message, hint=hint)
        self.draft = draft


class Generator(Protocol):
    """Drafts claims from evidence; it never sees more, and nothing it drafts is delivered unchecked."""

    @property
    def name(self) -> str: ...

    def generate(self, query: Query, evidence: Evidence) -> Draft:
        """One pass, no retries of a generation.

        Raises `ModelError` where the model fails, and `UnusableReply` where its reply is malformed or unfinished.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """Everything a check may use. Compared by identity: a check may cache what it computed for it."""

    query: Query
    evidence: Evidence
    draft: Draft


Check: TypeAlias = Callable[[Submission], Verdict]

Stage: TypeAlias = Literal["understood", "retrieved", "gated", "drafting", "drafted", "verified", "quoted", "done"]

StageFact: TypeAlias = str | int | float | bool | None


class Observer(Protocol):
    """Receives the progress of a question: numbers and codes, never text of the question or of a draft."""

    def stage(self, name: Stage, **facts: StageFact) -> None:
        """Called in the order of `Stage`, each stage at most once; an exception ends the question."""
        ...


class _NullObserver:
    def stage(self, name: Stage, **facts: StageFact) -> None:
        """Does nothing."""


NULL_OBSERVER: Observer = _NullObserver()
