"""The edges of the answer line: who drafts, what a check is given, and who is told where a question stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from footnotary.domain.draft import Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Query
from footnotary.domain.verdict import Verdict


class Generator(Protocol):
    """Proposes claims from evidence; it never sees more, and nothing it says is delivered unchecked."""

    @property
    def name(self) -> str: ...

    def generate(self, query: Query, evidence: Evidence) -> Draft:
        """One pass, no retries of a generation. Raises `ModelError` where the model fails or answers out of form."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """All that a check may look at. Two are the same only if they are one: a check may remember what it read."""

    query: Query
    evidence: Evidence
    draft: Draft


Check: TypeAlias = Callable[[Submission], Verdict]

Stage: TypeAlias = Literal["understood", "retrieved", "gated", "drafting", "drafted", "verified", "done"]

Fact: TypeAlias = str | int | float | bool | None


class Observer(Protocol):
    """Is told where a question stands. It is told numbers and codes, never a word of the question or of a draft."""

    def stage(self, name: Stage, **facts: Fact) -> None:
        """Called in the order of `Stage`, each stage at most once; what it raises ends the question."""
        ...


class _Silent:
    def stage(self, name: Stage, **facts: Fact) -> None:
        """Nobody listens."""


SILENT: Observer = _Silent()
