"""Sentences without factual content: they need no source, and are never delivered."""

from footnotary.text.tokens import content_terms, stem

_META = frozenset(
    map(
        stem,
        "answer answers above according applies available based below brief case cite cited citation citations "
        "conclusion conclude contain contains context document documents evidence excerpt excerpts explain explained "
        "explanation find following follow follows found given here indicate information material passage passages "
        "provide provided provides question reference references relevant result retrieve retrieved say says section "
        "see shown source sources state stated summary summarise summarised sum text".split(),
    )
)


def has_factual_content(sentence: str) -> bool:
    """Whether a sentence asserts anything beyond pointing at the sources.

    "Based on the evidence provided:" does not; "Based on the evidence, cheating is a crime." does. Anything with
    a digit does.
    """
    return bool(factual_terms(sentence))


def factual_terms(sentence: str) -> frozenset[str]:
    """The content words of a sentence that do more than point at the sources."""
    return frozenset(
        term for term in content_terms(sentence) if term not in _META or any(char.isdigit() for char in term)
    )
