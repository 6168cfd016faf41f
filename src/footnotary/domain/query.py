"""An analysed question: its scope, type, language, keywords and the provisions it names."""

from collections.abc import Set
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from footnotary.domain.later import LATER
from footnotary.domain.validity import Trust

QueryType = Literal["definition", "punishment", "procedure", "scope", "example", "problem", "general"]
Language = Literal["en", "hi"]

DEFAULT_TENANT = "local"
_CONJUNCTIONS = frozenset({"and", "or", "और", "तथा", "या", "एवं"})


@dataclass(frozen=True, slots=True)
class Filters:
    """The labels a passage must have to be considered; None means any. Text is compared ignoring case.

    Passages of the documents `without` are excluded, and so are those of documents trusted less than `trust`.
    """

    document: str | None = None
    act: str | None = None
    section: str | None = None
    chapter: str | None = None
    class_number: int | None = None
    subject: str | None = None
    language: str | None = None
    without: frozenset[str] = frozenset()
    trust: Trust | None = field(default=None, metadata=LATER)

    @property
    def any(self) -> bool:
        return self != Filters()


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to search: one tenant, one project, and within it what the filters allow.

    `tenant` is the engine's own; an engine refuses the scope of another one.
    `as_of` is the day for which the answer must be valid; None means today.
    """

    project: str
    tenant: str = DEFAULT_TENANT
    filters: Filters = field(default_factory=Filters)
    as_of: date | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A provision named in a text: `Section 420 IPC` is section "420" of act "IPC"; clauses are separate.

    `act` is as written, or None if the text names none.
    """

    section: str
    act: str | None = None
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Expansion:
    """A glossary synonym, `text`, for the question's words `of`."""

    of: str
    text: str


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """A content word of a question and the sets of words that may replace it, itself first.

    The stemmer gives "notify" and "notification" different stems; here they are one word.
    """

    term: str
    alternatives: tuple[frozenset[str], ...]

    def stands_in(self, held: Set[str]) -> bool:
        return any(words <= held for words in self.alternatives if words) or _ify_stem_variant(self.term) in held


@dataclass(frozen=True, slots=True)
class Facet:
    """One part of a question. "What is cheating and how is it punished?" has two; most have one.

    `text` is the part as a question that can be read alone: "How is cheating punished?". `subject` is what it is about,
    without the words that only say what kind of answer is wanted; `terms` are the search terms, stemmed, with the
    glossary's additions; `act` is the law it asks about, as written.
    """

    text: str
    type: QueryType
    subject: tuple[KeyTerm, ...]
    terms: tuple[str, ...]
    references: tuple[Reference, ...] = ()
    act: str | None = None

    @property
    def is_joint(self) -> bool:
        """Whether several things are asked about at once, as in "employment and cheating"."""
        return len(self.subject) > 1 and not _CONJUNCTIONS.isdisjoint(self.text.casefold().split())


@dataclass(frozen=True, slots=True)
class NamedDocument:
    """The document a question names, as `phrase` does in "Under the lease between A and B, who pays?".

    `ids` are the documents of that name: one, or several that it fits equally, or none if no document is called so.
    `asks` is the question without the phrase, if that only names the document; else it is empty.
    """

    phrase: str
    ids: tuple[str, ...]
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A question and its analysis; `text` is as the person wrote it.

    `keywords` are the question's own content words, as written; `expansions` were added from the glossary. If the
    question names a document, nothing else is searched. `context` is an earlier question that is searched for too,
    if this one depends on it; it is not asked.
    """

    text: str
    scope: Scope
    language: Language
    facets: tuple[Facet, ...]
    keywords: tuple[str, ...]
    expansions: tuple[Expansion, ...] = ()
    named: NamedDocument | None = None
    context: Facet | None = field(default=None, metadata=LATER)

    @property
    def asks(self) -> str:
        """The question as models read it: without the words that only name a document."""
        return self.named.asks if self.named and self.named.asks else self.text

    @property
    def type(self) -> QueryType:
        """What the question asks for first."""
        return self.facets[0].type

    @property
    def references(self) -> tuple[Reference, ...]:
        return tuple(dict.fromkeys(reference for facet in self.facets for reference in facet.references))

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(term for facet in self.facets for term in facet.terms))


def _ify_stem_variant(term: str) -> str:
    """The stem of a verb in -ify if `term` is the stem of its noun, and vice versa."""
    return term[:-1] if term.endswith("ifi") else f"{term}i" if term.endswith("if") else term
