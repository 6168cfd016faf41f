"""Whether the evidence can answer the question, judged before any model is called."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.outcome import EvidenceGap
from footnotary.domain.query import Facet, KeyTerm, Query, QueryType
from footnotary.domain.verdict import Reason, Verdict
from footnotary.gate.answerability import answering_hits, confidently_answering_hits
from footnotary.gate.provisions import is_provision, is_under, missing_clause
from footnotary.ports import Reader
from footnotary.profiles.schema import Intents, Profile
from footnotary.text.defined_names import naming_spans
from footnotary.text.definitions import hindi_definitions
from footnotary.text.language import language_of
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
    "general": "a passage about what is asked",
}

_PROVISION_SHARE = 0.25
_PLACE = re.compile(r"\b(?:in|of|from|at)\s(?:the\s)?([A-Z][a-z]{3,}(?:\s[A-Z][a-z]+){0,3})")


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gate's verdict, the hits that carry it, and what would be needed where it fails."""

    verdict: Verdict
    relevant: tuple[Hit, ...]
    needed: EvidenceGap


def check_sufficiency(evidence: Evidence, profile: Profile, by: Reader | None = None) -> GateResult:
    """Probe score, language and number of sources, then for each part of the question evidence of its kind.

    What passes the rules is shown to the sufficiency model, if there is one and the profile asks it; what fails for its
    words alone passes where that model is sure of it. Nothing found refuses whatever the profile says; thresholds
    are inclusive.
    """
    gate, facets = profile.sufficiency, evidence.query.facets
    nearest = tuple(hit.chunk.id for hit in evidence.hits[:3])
    if not probe_passes(evidence, profile):
        best = f"the best passage scores {evidence.top_score:.2f}, {gate.min_probe_score:.2f} asked"
        detail = best if evidence.hits else _nothing_found(evidence.query)
        return _not_enough(facets[0], Reason.NO_RELEVANT_CONTENT, detail, nearest)
    found = usable_hits(evidence.hits, gate.min_source_score)
    asked = evidence.query.language
    sources = tuple(h for h in found if profile.languages.cross_language or language_of(h.chunk.text) == asked)
    if found and not sources:
        detail = f"what was found is not in the language of the question, {asked!r}"
        return _not_enough(facets[0], Reason.LANGUAGE_MISMATCH, detail, nearest)
    if len(sources) < max(gate.min_sources, 1):
        detail = f"{len(sources)} usable sources, {max(gate.min_sources, 1)} asked"
        return _not_enough(facets[0], Reason.INSUFFICIENT_SOURCES, detail, nearest)
    right: dict[str, Hit] = {}
    for facet in facets:
        relevant = [hit for hit in sources if is_about(hit.chunk, facet, gate.key_term_share)]
        if not relevant and facet.type == "general":
            relevant = jointly_relevant_hits(sources, facet)
        if relevant and (place := _missing_place(relevant, facet)) is not None:
            return _not_enough(facet, Reason.INSUFFICIENT_EVIDENCE, f"no passage is about {place}", nearest)
        if relevant and (clause := missing_clause(sources, facet)) is not None:
            return _not_enough(facet, Reason.INSUFFICIENT_EVIDENCE, f"no passage is about section {clause}", nearest)
        right_kind = [hit for hit in relevant if answers_type(hit.chunk, facet, profile.intents)]
        if not right_kind and by is not None:
            sure = confidently_answering_hits(evidence.query, relevant or sources, by, gate.sure_answerable)
            right_kind = [] if _missing_place(sure, facet) else list(sure)
        if not right_kind:
            missing = f"passages about {_subject(facet)} were found, but not {FACETS[facet.type]}"
            detail = missing if relevant else f"no passage is about {_subject(facet)}"
            near = tuple(hit.chunk.id for hit in relevant[:3]) or nearest
            return _not_enough(facet, Reason.INSUFFICIENT_EVIDENCE, detail, near)
        right |= {hit.chunk.id: hit for hit in right_kind}
    kept = tuple(hit for hit in sources if hit.chunk.id in right)
    if by is not None:
        kept, chance = answering_hits(evidence.query, kept, by, gate.min_answerable)
        if not kept:
            detail = f"what was found answers with probability {chance:.2f}, {gate.min_answerable:.2f} asked"
            return _not_enough(facets[0], Reason.INSUFFICIENT_EVIDENCE, detail, nearest)
    detail = f"{len(kept)} of {len(evidence.hits)} passages answer a {facets[0].type} question"
    return GateResult(Verdict.passed("evidence_suffices", detail), kept, EvidenceGap(FACETS[facets[0].type], ""))


def _nothing_found(query: Query) -> str:
    if query.named is not None and not query.named.ids:
        return f"no document is the one named: {query.named.phrase!r}"
    return "nothing was found"


def probe_passes(evidence: Evidence, profile: Profile) -> bool:
    """Whether the corpus is about the question at all: the best hit's score reaches the profile's threshold."""
    return bool(evidence.hits) and evidence.top_score >= profile.sufficiency.min_probe_score


def usable_hits(hits: Sequence[Hit], min_score: float) -> tuple[Hit, ...]:
    """The hits that count as sources: an id, a text, a score that is high enough, and each id and text once."""
    seen: set[str] = set()
    kept: list[Hit] = []
    for hit in hits:
        keys = {hit.chunk.id, hit.chunk.text.strip()}
        if hit.chunk.id.strip() and hit.chunk.text.strip() and hit.score >= min_score and not keys & seen:
            kept.append(hit)
            seen |= keys
    return tuple(kept)


def is_about(chunk: Chunk, facet: Facet, share: float) -> bool:
    """Whether a chunk is about the question: the provision it names, and enough of its key terms.

    A provision has to be the one asked for: section 42 is not section 420. So has a law. A question that names
    nothing is about nothing.
    """
    if facet.references:
        if not any(is_provision(chunk, reference, facet) for reference in facet.references):
            return False
        # The number says what is meant; the words around it need only not be about something else altogether.
        share = min(share, _PROVISION_SHARE)
    if facet.act is not None and not is_under(chunk, facet.act):
        return False
    if not facet.subject:
        return bool(facet.references or facet.act)
    return len(_coverage(chunk, facet)) >= max(share * len(facet.subject), 1e-9)


def jointly_relevant_hits(hits: Sequence[Hit], facet: Facet) -> list[Hit]:
    """The hits that are about several things at once asked for ("employment and cheating"), if none is left out."""
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
    """The term stands before "means" or behind "is said to"; behind "means" it only helps to define another."""

    def holds(part: str) -> bool:
        return not facet.subject or any(key.stands_in(terms_of(part)) for key in facet.subject)

    return (
        any(holds(sentence[: span.start]) for span, _ in phrase_spans(sentence, intents.defines))
        or any(holds(sentence[span.end :]) for span in naming_spans(sentence, intents.names))
        or any(_is_headed(span.of(sentence), facet) for span in hindi_definitions(sentence))
    )


def _is_headed(term: str, facet: Facet) -> bool:
    """Whether a Hindi term is of what is asked about: "श्रेढ़ी का पद" is a term of its own and no progression."""
    own = content_terms(term)
    return not facet.subject or any(
        key.stands_in(frozenset(own)) and key.stands_in(_tail(own, key)) for key in facet.subject
    )


def _tail(terms: Sequence[str], key: KeyTerm) -> frozenset[str]:
    """The end of a term, as long as the longest name of `key`."""
    return frozenset(terms[-max(len(words) for words in key.alternatives) :])


def _coverage(chunk: Chunk, facet: Facet) -> set[str]:
    """The key terms of a facet that stand in a chunk or above it."""
    held = terms_of(chunk.text) | terms_of(chunk.headings)
    return {key.term for key in facet.subject if key.stands_in(held)}


def _missing_place(relevant: Sequence[Hit], facet: Facet) -> str | None:
    """The place or case a question asks about ("in California") that no passage knows of."""
    for found in _PLACE.finditer(facet.text):
        named = terms_of(found.group(1)) & {key.term for key in facet.subject}
        if named and not any(named & _coverage(hit.chunk, facet) for hit in relevant):
            return found.group(1)
    return None


def _subject(facet: Facet) -> str:
    if facet.references:
        reference = facet.references[0]
        of = f" of {reference.act}" if reference.act else ""
        return f"section {reference.section}{reference.clause or ''}{of}"
    return ", ".join(key.term for key in facet.subject) or "anything: the question names nothing to look for"


def _not_enough(facet: Facet, reason: Reason, detail: str, nearest: tuple[str, ...]) -> GateResult:
    return GateResult(
        Verdict.failed("evidence_suffices", reason, detail), (), EvidenceGap(FACETS[facet.type], detail, nearest)
    )
