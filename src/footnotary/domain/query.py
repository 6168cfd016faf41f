"""A question, understood: its scope, kind, language, keywords and the provisions it names."""

from dataclasses import dataclass, field
from typing import Literal

QueryType = Literal["definition", "punishment", "procedure", "scope", "example", "problem", "general"]
Language = Literal["en", "hi"]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a passage must be labelled with to be considered; None asks nothing. Text is compared case-blind."""

    document: str | None = None
    act: str | None = None
    section: str | None = None
    chapter: str | None = None
    class_number: int | None = None
    subject: str | None = None
    language: str | None = None

    @property
    def any(self) -> bool:
        return self != Filters()


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a question may look: one tenant, one project, and within it what the filters leave."""

    project: str
    tenant: str = "local"
    filters: Filters = field(default_factory=Filters)


@dataclass(frozen=True, slots=True)
class Reference:
    """A provision named in a text: `Section 420 IPC` is section "420" of act "IPC"; clauses are kept apart.

    `act` is as written, or None where the text names none.
    """

    section: str
    act: str | None = None
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Expansion:
    """What the glossary says the question's words `of` are also called."""

    of: str
    text: str


@dataclass(frozen=True, slots=True)
class Query:
    """A question with what the product understood of it; `text` is as the person wrote it.

    `terms` are the words searched for (stemmed, expansions of the glossary included); `keywords` are the
    question's own content words, as written; `expansions` are what the glossary added.
    """

    text: str
    scope: Scope
    type: QueryType
    language: Language
    keywords: tuple[str, ...]
    terms: tuple[str, ...]
    references: tuple[Reference, ...] = ()
    expansions: tuple[Expansion, ...] = ()
