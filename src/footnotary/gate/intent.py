"""Understands a question: its parts, what each asks for and is about, its language, and the provisions it names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from footnotary.domain.query import Expansion, Facet, KeyTerm, NamedDocument, Query, Scope
from footnotary.gate.follow_up import complete_part
from footnotary.gate.named_act import named_law
from footnotary.gate.named_document import find_named_document, is_written
from footnotary.gate.question_parts import Written, question_parts
from footnotary.gate.question_subject import search_terms, subject_of
from footnotary.gate.question_type import query_type, settled_type
from footnotary.ports import Store
from footnotary.profiles.intents import Intents
from footnotary.profiles.schema import Profile
from footnotary.text.definitions import definition_key
from footnotary.text.language import language_of
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.phrases import first_phrase, has_phrase
from footnotary.text.references.provisions import references
from footnotary.text.tokens import content_terms, word_places


def understand(
    question: str, scope: Scope, profile: Profile, named: NamedDocument | None = None, written: Written | None = None
) -> Query:
    """The question with what it asks for. Deterministic; no model is called.

    `named` is the document it names. `written` says whether the documents have words next to each other; without it
    "theft and cheating" is one thing to ask about.
    """
    text = squeeze(nfc(question))
    asks = named.asks if named and named.asks else text
    expansions = _expansions(asks, profile.glossary)
    parts = _standalone_parts(asks, profile, written)
    keywords = (text[start:end] for start, end, word in word_places(text) if content_terms(word))
    return Query(
        text=question,
        scope=scope,
        language=language_of(text),
        facets=tuple(_facet(part, expansions, profile.intents, of_document=named is not None) for part in parts),
        keywords=tuple(dict.fromkeys(keywords)),
        expansions=expansions,
        named=named,
    )


def understand_in(store: Store, question: str, scope: Scope, profile: Profile, context: str = "") -> Query:
    """The question interpreted with the project's documents; `context` is an earlier question to search for too."""
    if scope.project not in store.projects():
        return understand(question, scope, profile)
    named = find_named_document(question, scope, store)
    query = understand(question, scope, profile, named, partial(is_written, store, scope))
    return with_context(query, context, profile) if context else query


def with_context(query: Query, context: str, profile: Profile) -> Query:
    """The question, searched for together with an earlier one; what it asks stays the same."""
    text = f"{squeeze(nfc(context))} {squeeze(nfc(query.text))}"
    facet = _facet(text, _expansions(text, profile.glossary), profile.intents, of_document=query.named is not None)
    return replace(query, context=facet)


def _standalone_parts(text: str, profile: Profile, written: Written | None) -> list[str]:
    """The parts of a question, with references to earlier parts resolved."""
    standing: list[str] = []  # the parts that name what they are about
    parts: list[str] = []
    for part in question_parts(text, written):
        parts.append(complete_part(part, standing[-1], profile) if standing else part)
        if parts[-1] == part:
            standing.append(part)
    return parts


def _facet(part: str, expansions: Sequence[Expansion], intents: Intents, *, of_document: bool) -> Facet:
    references_named = tuple(dict.fromkeys(reference for reference, _ in references(part)))
    act = None if references_named else named_law(part)
    kind = query_type(part, intents, of_document=of_document)
    subject = subject_of(part, kind, references_named, expansions, intents, act, follows=False)
    terms = search_terms(part if act is None or not subject else part.replace(act, ""), expansions)
    kind = settled_type(kind, part, subject, references_named)
    if kind == "definition" and subject:
        terms = (*terms, *_definition_keys(subject, expansions))
    return Facet(part, kind, subject, terms, references_named, act)


def _definition_keys(subject: Sequence[KeyTerm], expansions: Sequence[Expansion]) -> tuple[str, ...]:
    """The keys of a term's definition: its own words, and other names of the whole term."""
    own = [key.term for key in subject]
    others = (content_terms(expansion.text) for expansion in expansions if content_terms(expansion.of) == own)
    return tuple(dict.fromkeys(definition_key(terms) for terms in (own, *others)))


def _expansions(text: str, glossary: Mapping[str, Sequence[str]]) -> tuple[Expansion, ...]:
    """What the glossary adds: synonyms of terms in the question, and abbreviations of what it spells out."""
    added: list[Expansion] = []
    for short, forms in glossary.items():
        if has_phrase(text, (short,)):
            added += [Expansion(short, form) for form in forms if not has_phrase(text, (form,))]
        elif short.isupper() and (spelled := first_phrase(text, forms)) is not None:
            added.append(Expansion(spelled, short))
    return tuple(dict.fromkeys(added))
