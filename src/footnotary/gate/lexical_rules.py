"""Whether passages answer, by lexical overlap: used without a reader, and in languages it has not learned."""

import re
from collections.abc import Sequence

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.query import Facet, KeyTerm, QueryType
from footnotary.gate.exact_rules import PartEvidence, is_named, named_by
from footnotary.gate.provisions import is_under, missing_clause
from footnotary.profiles.intents import Intents
from footnotary.profiles.schema import Profile
from footnotary.text.defined_names import naming_spans
from footnotary.text.definitions import hindi_definitions
from footnotary.text.phrases import has_phrase, phrase_spans
from footnotary.text.references.repealed import is_repealed
from footnotary.text.sentences.splitter import sentences
from footnotary.text.tokens import content_terms, terms_of

FACETS: dict[QueryType, str] = {
    "definition": "a passage that defines the term asked about",
    "punishment": "a passage that states the punishment or penalty for what is asked about",
    "procedure": "a passage that says how it is done",
    "scope": "a passage that says to whom or where it applies",
    "example": "an example of what is asked about",
    "problem": "a worked problem or a rule for what is asked about",
    "general": "a passage that answers the question",
}

_PROVISION_SHARE = 0.25
_PLACE = re.compile(r"\b(?:in|of|from|at)\s(?:the\s)?([A-Z][a-z]{3,}(?:\s[A-Z][a-z]+){0,3})")


def probe_passes(evidence: Evidence, profile: Profile) -> bool:
    """Whether the corpus is about the question at all: the best hit's score reaches the profile's threshold."""
    return bool(evidence.hits) and evidence.top_score >= profile.sufficiency.min_probe_score


def decide_by_words(facet: Facet, sources: Sequence[Hit], profile: Profile) -> PartEvidence:
    """The sources that share enough words with a part of a question and have the wording of what it asks for."""
    relevant = [hit for hit in sources if is_about(hit.chunk, facet, profile.sufficiency.key_term_share)]
    if not relevant and facet.type == "general":
        relevant = jointly_relevant_hits(sources, facet)
    if not relevant:
        return PartEvidence((), f"no passage is about {named_by(facet)}")
    if (place := _missing_place(relevant, facet)) is not None:
        return PartEvidence((), f"no passage is about {place}")
    if (clause := missing_clause(sources, facet)) is not None:
        return PartEvidence((), f"no passage is about section {clause}")
    right_kind = tuple(hit for hit in relevant if answers_type(hit.chunk, facet, profile.intents))
    if not right_kind:
        missing = f"passages about {named_by(facet)} were found, but not {FACETS[facet.type]}"
        return PartEvidence((), missing, tuple(relevant))
    return PartEvidence(right_kind)


def is_about(chunk: Chunk, facet: Facet, share: float) -> bool:
    """Whether a chunk is about the question: the provision and law it names, and enough of its key terms.

    A question that names nothing is about nothing.
    """
    if not is_named(chunk, facet):
        return False
    if facet.references:
        # The number identifies the provision; the words around it must only not be about something else.
        share = min(share, _PROVISION_SHARE)
    if not facet.subject:
        return bool(facet.references or facet.act)
    return len(_coverage(chunk, facet)) >= max(share * len(facet.subject), 1e-9)


def jointly_relevant_hits(hits: Sequence[Hit], facet: Facet) -> list[Hit]:
    """The hits that together cover several things asked for at once; none if one of the things is missing."""
    if facet.references or not facet.is_joint:
        return []
    holding = [
        (hit, _coverage(hit.chunk, facet)) for hit in hits if facet.act is None or is_under(hit.chunk, facet.act)
    ]
    covered = {term for _, terms in holding for term in terms}
    return [hit for hit, terms in holding if terms] if len(covered) == len(facet.subject) else []


def answers_type(chunk: Chunk, facet: Facet, intents: Intents) -> bool:
    """Whether a chunk holds evidence of the kind asked for; a definition has to be that of the term asked about."""
    wording: dict[QueryType, Sequence[str]] = {
        "punishment": intents.punishes,
        "procedure": intents.proceeds,
        "scope": intents.delimits,
        "example": intents.illustrates,
        "problem": intents.illustrates,
    }
    if facet.type != "general" and is_repealed(chunk.text):  # its heading is all that is left of it
        return False
    if facet.type == "definition":
        return _headed_by_term(chunk, facet) or any(
            defines(sentence, facet, intents) for sentence in sentences(chunk.text)
        )
    if facet.type in ("example", "problem") and chunk.kind in ("example", "exercise"):
        return True
    return facet.type not in wording or has_phrase(f"{chunk.text} {chunk.labels.title or ''}", wording[facet.type])


def _headed_by_term(chunk: Chunk, facet: Facet) -> bool:
    """Whether the section is headed by the term asked about and nothing else: such a section says what it is."""
    title = terms_of(chunk.labels.title or "")
    known = {term for key in facet.subject for words in key.alternatives for term in words}
    return bool(title) and title <= known and all(key.stands_in(title) for key in facet.subject)


def defines(sentence: str, facet: Facet, intents: Intents) -> bool:
    """The term comes before "means" or after "is said to"; after "means" it only helps to define another term."""

    def holds(part: str) -> bool:
        return not facet.subject or any(key.stands_in(terms_of(part)) for key in facet.subject)

    return (
        any(holds(sentence[: span.start]) for span, _ in phrase_spans(sentence, intents.defines))
        or any(holds(sentence[span.end :]) for span in naming_spans(sentence, intents.names))
        or any(_is_headed(span.of(sentence), facet) for span in hindi_definitions(sentence))
    )


def _is_headed(term: str, facet: Facet) -> bool:
    """Whether a Hindi term is the one asked about: "श्रेढ़ी का पद" is a term of its own and not a progression."""
    own = content_terms(term)
    return not facet.subject or any(
        key.stands_in(frozenset(own)) and key.stands_in(_tail(own, key)) for key in facet.subject
    )


def _tail(terms: Sequence[str], key: KeyTerm) -> frozenset[str]:
    """The end of a term, as long as the longest name of `key`."""
    return frozenset(terms[-max(len(words) for words in key.alternatives) :])


def _coverage(chunk: Chunk, facet: Facet) -> set[str]:
    """The key terms of a facet that occur in a chunk or in its headings."""
    held = terms_of(chunk.text) | terms_of(chunk.headings)
    return {key.term for key in facet.subject if key.stands_in(held)}


def _missing_place(relevant: Sequence[Hit], facet: Facet) -> str | None:
    """The place or case a question asks about ("in California") that no passage mentions."""
    for found in _PLACE.finditer(facet.text):
        named = terms_of(found.group(1)) & {key.term for key in facet.subject}
        if named and not any(named & _coverage(hit.chunk, facet) for hit in relevant):
            return found.group(1)
    return None
