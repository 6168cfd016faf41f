"""Finds the document that a question names, by the words of its title, of its file name and of its opening."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Protocol, runtime_checkable
from weakref import WeakKeyDictionary

from footnotary.domain.query import NamedDocument, Scope
from footnotary.gate.naming_phrases import NamingPhrase, naming_phrases
from footnotary.ports import Store, StoredDocument
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.tokens import content_terms, words

# A name shared by more documents than this is a kind of document.
_MOST_DOCUMENTS = 8
# "Policy" is a kind of document, "leave policy" may be a name.
_FEWEST_WORDS = 2
# Parties are named on the first page or two, within this many characters.
_OPENING = 4000
_OPENING_HITS = 50
_JOINED_HITS = 30

_PARTIES = re.compile(
    r"(?P<kind>.*?)(?:,?\s+(?:by and|made|entered into|concluded|signed))?\s+(?:between|among)\s+(?P<parties>.+)",
    re.IGNORECASE | re.DOTALL,
)
_OWNER = re.compile(r"(?P<parties>[A-Z].*?)['’]s?\s+(?P<kind>\w.*)", re.DOTALL)
_DATED = re.compile(r",?\s+\(?(?:dated|effective|made|entered|signed)\b.*$", re.IGNORECASE | re.DOTALL)
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_AND = re.compile(r",?\s+(?:and|&)\s+", re.IGNORECASE)
_THIS = re.compile(r"\bthis(?:[^\w.]+\w+){1,6}", re.IGNORECASE)
_LEGAL_FORMS = frozenset(
    content_terms("inc incorporated corp corporation co company ltd limited llc llp lp plc gmbh ag sa nv bv pvt pte")
)
_BETWEEN_LETTERS = re.compile(r"[\W_]+")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_.\-]+")


@runtime_checkable
class _Generations(Protocol):
    """A store that numbers the changes of a project."""

    def generation(self, project: str) -> int: ...


@dataclass(frozen=True, slots=True)
class DocumentNames:
    """The names of a project's documents, by the words in them."""

    titles: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    stems: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    names: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    by_file: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    by_term: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    run_together: dict[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, documents: Sequence[StoredDocument]) -> "DocumentNames":
        names = cls()
        for document in documents:
            file = PurePath(document.path or document.id).name
            names.titles[document.id] = name_terms(document.title)
            names.stems[document.id] = name_terms(PurePath(file).stem)
            names.names[document.id] = names.titles[document.id] | names.stems[document.id]
            called = (file, document.id, PurePath(document.id).name, document.title)
            for key in {_folded(name) for name in called}:
                names.by_file[key] = (*names.by_file.get(key, ()), document.id)
            names.run_together[document.id] = _run_together(f"{document.title} {file}")
            for term in names.names[document.id]:
                names.by_term.setdefault(term, set()).add(document.id)
        return names

    def holding(self, terms: Iterable[str]) -> set[str]:
        """The documents whose name has all of these words."""
        return set[str].intersection(*(self.by_term.get(term, set()) for term in terms))

    def is_mostly(self, id_: str, terms: frozenset[str]) -> bool:
        """Whether these words are at least half of a document's title or file name; numbers do not count."""
        forms = (self.titles[id_], self.stems[id_])
        return any(terms <= form and 2 * len(terms) >= len(_without_figures(form)) for form in forms)

    def within(self, terms: frozenset[str]) -> set[str]:
        """The documents with the longest title, of at least two words, that is wholly among these words."""
        near = {id_ for term in terms for id_ in self.by_term.get(term, ()) if self.titles[id_] <= terms}
        longest = max((len(self.titles[id_]) for id_ in near), default=0)
        return {id_ for id_ in near if len(self.titles[id_]) == longest} if longest >= _FEWEST_WORDS else set()


def find_named_document(question: str, scope: Scope, store: Store) -> NamedDocument | None:
    """The document that a question names; None if it names none, or if the scope has one already.

    Words are matched, not meanings. A name that only says what kind of document it is ("the policy") names none. For a
    contract named by its parties that is not in the project, the result is a name without documents.
    """
    if scope.filters.document is not None:
        return None
    by_name: dict[str, NamingPhrase] = {}
    for phrase in naming_phrases(squeeze(nfc(question))):
        by_name.setdefault(phrase.name, phrase)
    phrases = tuple(by_name.values())
    names = _names_of(store, scope.project) if phrases else DocumentNames()
    if not names.names:
        return None
    for phrase in phrases:
        ids, whole = _documents_named(phrase, names, scope, store)
        if 0 < len(ids) <= _MOST_DOCUMENTS:
            return NamedDocument(phrase.words, tuple(sorted(ids)), phrase.asks if whole else "")
    certain = (phrase for phrase in phrases if phrase.is_certain)
    missing = next((phrase for phrase in certain if _is_contract(phrase.name, scope, store)), None)
    return None if missing is None else NamedDocument(missing.words, ())


def is_written(store: Store, scope: Scope, phrase: str) -> bool:
    """Whether a passage of the project has these words next to one another, in this order."""
    found = store.lexical(scope.project, content_terms(phrase), _JOINED_HITS, scope.filters)
    sought = f" {' '.join(words(phrase))} "
    chunks = store.chunks(scope.project, [one.id for one in found])
    return any(sought in f" {' '.join(words(f'{chunk.headings} | {chunk.text}'))} " for chunk in chunks)


def name_terms(name: str) -> frozenset[str]:
    """The significant words of a name, stemmed; "SupplyAgreement_2020" has three."""
    return frozenset(content_terms(_INNER_CAPITAL.sub(" ", name)))


def _documents_named(phrase: NamingPhrase, names: DocumentNames, scope: Scope, store: Store) -> tuple[set[str], bool]:
    """The documents of that name (at least half of a title counts), and whether the phrase says no more than it."""
    exact = names.by_file.get(_folded(phrase.name), ())
    if phrase.is_exact or (exact and "." in phrase.name):
        return set(exact), True
    between = _PARTIES.fullmatch(phrase.name) or (_OWNER.fullmatch(phrase.name) if phrase.is_certain else None)
    if between is not None:
        return _of_parties(between["kind"], _DATED.sub("", between["parties"]), phrase, names, scope, store), True
    terms = name_terms(phrase.name)
    if not phrase.is_certain or len(_without_figures(terms)) < _FEWEST_WORDS:
        return set(), False
    held = {id_ for id_ in names.holding(terms) if names.is_mostly(id_, terms)}
    called_so = {id_ for id_ in held if names.titles[id_] == terms}
    if called_so or held or phrase.is_law:
        return called_so or (set() if phrase.is_law else held), True
    return names.within(terms), False


def _of_parties(
    kind: str, parties: str, phrase: NamingPhrase, names: DocumentNames, scope: Scope, store: Store
) -> set[str]:
    """The documents of that kind whose name or opening has the names of all parties, word for word.

    Names are compared without spaces, as file names have them: "LUMENHARBOUR_EX10".
    """
    called = _QUOTED.findall(parties) or _AND.split(parties)  # between Parent "A Inc." and Target "B Ltd"
    sought = [own for party in called if (own := _own_name(party))]
    kinds = content_terms(kind)
    if not sought or not kinds:
        return set()
    openings = _openings(frozenset(content_terms(" ".join(called))) - _LEGAL_FORMS, scope, store)
    fitting: dict[str, int] = {}
    for id_, name in names.run_together.items():
        opening = openings.get(id_, "")
        said = f"{name} {_run_together(opening)}" if opening else name
        if all(own in said for own in sought) and (
            _calls_itself(opening, kinds[-1]) or (phrase.is_certain and kinds[-1] in names.names[id_])
        ):
            fitting[id_] = len((names.names[id_] | name_terms(opening)).intersection(kinds))
    best = max(fitting.values(), default=0)
    return {id_ for id_, fit in fitting.items() if fit == best}


def _openings(terms: frozenset[str], scope: Scope, store: Store) -> dict[str, str]:
    """The openings that have the most of these words, by document."""
    found = store.lexical(scope.project, sorted(terms), _OPENING_HITS, scope.filters)
    openings: dict[str, str] = {}
    for chunk in store.chunks(scope.project, [one.id for one in found]):
        if chunk.span.start < _OPENING:
            said = f"{chunk.headings}\n{chunk.text[:_OPENING]}"
            openings[chunk.document_id] = f"{openings.get(chunk.document_id, '')}\n{said}"
    return openings


def _calls_itself(opening: str, kind: str) -> bool:
    """Whether a document says what it is: "this Distributor Agreement"."""
    return any(kind in content_terms(found.group()) for found in _THIS.finditer(opening))


def _is_contract(name: str, scope: Scope, store: Store) -> bool:
    """Whether a name has parties, in capitals, and a document of the project calls itself one of that kind."""
    between = _PARTIES.fullmatch(name)
    if between is None or not content_terms(between["kind"]):
        return False
    parties = _AND.split(between["parties"])
    kind = content_terms(between["kind"])[-1]
    openings = _openings(frozenset({kind}), scope, store).values()
    return (
        len(parties) > 1
        and all(party[:1].isupper() for party in parties)
        and any(_calls_itself(opening, kind) for opening in openings)
    )


def _names_of(store: Store, project: str) -> DocumentNames:
    """The names of a project, cached until it changes."""
    if not isinstance(store, _Generations):
        return DocumentNames.of(store.documents(project))
    generation = store.generation(project)
    known = _known.setdefault(store, {})
    if project not in known or known[project][0] != generation:
        known[project] = generation, DocumentNames.of(store.documents(project))
    return known[project][1]


def _own_name(party: str) -> str:
    """A party's name without spaces, leading article and legal form."""
    own = party.split()
    is_own = [bool(name_terms(word) - _LEGAL_FORMS) for word in own]
    if not any(is_own):
        return ""
    return _run_together("".join(own[is_own.index(True) : len(own) - is_own[::-1].index(True)]))


def _without_figures(terms: frozenset[str]) -> frozenset[str]:
    return frozenset(term for term in terms if not term[0].isdigit())


def _run_together(name: str) -> str:
    """The letters and digits of a name, without anything between them."""
    return _BETWEEN_LETTERS.sub("", name.casefold())


def _folded(name: str) -> str:
    return " ".join(nfc(name).casefold().split())


_known: WeakKeyDictionary[_Generations, dict[str, tuple[int, DocumentNames]]] = WeakKeyDictionary()
