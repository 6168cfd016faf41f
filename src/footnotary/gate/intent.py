"""Understands a question: its kind, language, key words, the provisions it names, and the glossary's expansions."""

from collections.abc import Mapping, Sequence

from footnotary.domain.query import Expansion, Query, QueryType, Scope
from footnotary.profiles.schema import Intents, Profile
from footnotary.text.language import language_of
from footnotary.text.normalise import nfc, squeeze
from footnotary.text.phrases import first_phrase, has_phrase, phrase_spans
from footnotary.text.references import references
from footnotary.text.tokens import content_terms, word_spans

# "What is cheating?" asks for a definition, "What is the time limit for filing a claim under the Act?" for a fact.
_LONGEST_TERM = 4
_FACT_WORDS = frozenset(
    {
        "of",
        "for",
        "in",
        "under",
        "by",
        "to",
        "on",
        "from",
        "when",
        "if",
        "that",
        "between",
        "during",
        "within",
        "after",
        "before",
        "at",
        "about",
        "and",
        "or",
        "required",
        "allowed",
    }
)


def understand(question: str, scope: Scope, profile: Profile) -> Query:
    """The question with what it asks for. Deterministic; no model is called."""
    text = squeeze(nfc(question))
    named = references(text)
    expansions = _expansions(text, profile.glossary)
    keywords = tuple(text[span.start : span.end] for span, word in word_spans(text) if content_terms(word))
    terms = tuple(dict.fromkeys(term for part in (text, *(e.text for e in expansions)) for term in content_terms(part)))
    return Query(
        text=question,
        scope=scope,
        type=query_type(text, profile.intents),
        language=language_of(text),
        keywords=tuple(dict.fromkeys(keywords)),
        terms=terms,
        references=tuple(dict.fromkeys(reference for reference, _ in named)),
        expansions=expansions,
    )


def query_type(question: str, intents: Intents) -> QueryType:
    """What kind of evidence answers the question.

    Explicit wording wins ("define", "punishment for", "how to"); a bare "What is X?" asks for a definition, unless X
    is a provision ("What is Section 420 IPC?"), which is a lookup, hence general.
    """
    text = squeeze(question)
    if _asks_meaning(text, intents):
        return "definition"
    by_phrase: tuple[tuple[QueryType, Sequence[str]], ...] = (
        ("punishment", intents.asks_punishment),
        ("example", intents.asks_example),
        ("scope", intents.asks_scope),
        ("problem", intents.asks_problem),
        ("procedure", intents.asks_procedure),
    )
    for kind, phrases in by_phrase:
        if has_phrase(text, phrases):
            return kind
    if has_phrase(text, intents.asks_what) and not references(text) and _only_a_term(text, intents):
        return "definition"
    return "general"


def _asks_meaning(text: str, intents: Intents) -> bool:
    """Definitional wording; "what does X" counts only with "mean" or its like behind it."""
    weak = {"what do", "what does"}
    if has_phrase(text, [phrase for phrase in intents.asks_definition if phrase not in weak]):
        return True
    return has_phrase(text, tuple(weak)) and has_phrase(
        text, ("mean", "means", "denote", "denotes", "signify", "refer to")
    )


def _only_a_term(text: str, intents: Intents) -> bool:
    """Whether nothing but a short term stands beside the "what is"."""
    asked = phrase_spans(text, intents.asks_what)[0][0]
    rest = [word for span, word in word_spans(text) if span.end <= asked.start or span.start >= asked.end]
    rest = [word for word in rest if word not in {"the", "a", "an"}]
    return 0 < len(rest) <= _LONGEST_TERM and not _FACT_WORDS.intersection(rest)


def _expansions(text: str, glossary: Mapping[str, Sequence[str]]) -> tuple[Expansion, ...]:
    """What the glossary adds: other names of what the question says, and the abbreviation of what it spells out."""
    added: list[Expansion] = []
    for short, forms in glossary.items():
        if has_phrase(text, (short,)):
            added += [Expansion(short, form) for form in forms if not has_phrase(text, (form,))]
        elif short.isupper() and (spelled := first_phrase(text, forms)) is not None:
            added.append(Expansion(spelled, short))
    return tuple(dict.fromkeys(added))
