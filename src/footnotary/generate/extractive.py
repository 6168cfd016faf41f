"""The default generator: verbatim sentences, selected, ordered and cited. No model, no key, no network."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from footnotary.domain.draft import Claim, Draft
from footnotary.domain.evidence import Evidence
from footnotary.domain.query import Facet, Query, QueryType
from footnotary.generate.passages import Passage, passages_of
from footnotary.profiles.schema import Intents, Profile
from footnotary.text.phrases import has_phrase, phrase_spans
from footnotary.text.tokens import content_terms

# How many sentences a question of each kind is worth, and how near the best one a further sentence must come.
_LENGTHS: dict[QueryType, tuple[int, float]] = {
    "definition": (2, 0.92),
    "punishment": (2, 0.90),
    "procedure": (4, 0.70),
    "scope": (2, 0.85),
    "example": (3, 0.60),
    "problem": (3, 0.60),
    "general": (3, 0.80),
}


class ExtractiveGenerator:
    """Answers with whole sentences of the sources, so that every claim is its own quote."""

    name = "extractive"

    def __init__(self, profile: Profile) -> None:
        self._intents = profile.intents
        self._max_claims = profile.generation.max_claims

    def generate(self, query: Query, evidence: Evidence) -> Draft:
        """At most the profile's number of claims, best source first, in reading order within a source."""
        passages = [passage for hit in evidence.hits for passage in passages_of(hit)]
        chosen: list[Passage] = []
        for facet in query.facets:
            for passage in select(facet, passages, self._intents):
                if passage not in chosen:
                    chosen.append(passage)
        claims = tuple(Claim(passage.text, (passage.hit.chunk.id,)) for passage in chosen[: self._max_claims])
        return Draft(claims, self.name, raw="\n".join(claim.text for claim in claims))


@dataclass(frozen=True, slots=True)
class _Scored:
    passage: Passage
    score: float


def select(facet: Facet, passages: Sequence[Passage], intents: Intents) -> tuple[Passage, ...]:
    """The passages that answer one part of a question.

    The best one; those that come near it and say something else; and, where a passage leans on the one before it
    ("This number is called ..."), that one too.
    """
    weights = _rarity(facet, passages)
    scored = sorted(
        (_Scored(passage, _score(passage, facet, weights, intents)) for passage in passages),
        key=lambda s: (-s.score, s.passage.hit.chunk.id, s.passage.position),
    )
    if not scored or scored[0].score <= 0:
        return ()
    most, nearness = _LENGTHS[facet.type]
    chosen: list[Passage] = []
    missing = {key.term for key in facet.subject}
    for candidate in scored:
        terms = set(content_terms(candidate.passage.text))
        adds = {key.term for key in facet.subject if key.stands_in(terms)} & missing
        near = candidate.score >= nearness * scored[0].score
        if chosen and not (near or (adds and candidate.score >= 0.6 * scored[0].score)):
            continue
        if any(_repeats(terms, set(content_terms(other.text))) for other in chosen):
            continue
        chosen.append(candidate.passage)
        missing -= adds
        if len(chosen) >= most:
            break
    return _in_order(_with_antecedents(chosen, passages))


def _score(passage: Passage, facet: Facet, weights: dict[str, float], intents: Intents) -> float:
    terms = set(content_terms(passage.text))
    around = set(content_terms(passage.heading))
    total = sum(weights.values()) or 1.0
    held = 0.0
    for key in facet.subject:
        if key.stands_in(terms):
            held += weights[key.term]
        elif key.stands_in(around | terms):
            held += 0.7 * weights[key.term]
    about = held / total if facet.subject else 0.5
    asked = set(facet.terms)
    worded = len(asked & terms) / len(asked) if asked else 0.0
    named = any(reference.section == passage.hit.chunk.labels.section for reference in facet.references)
    if not held and not named:
        return 0.0
    score = about + 0.3 * worded + 0.6 * passage.hit.score + (0.5 if named else 0.0)
    score += _kind_bonus(passage, facet, intents)
    # Early sentences of a section say what it is about; very long ones are hard to read.
    score -= 0.02 * min(passage.position, 10) + 0.002 * max(len(passage.text.split()) - 45, 0)
    if passage.leans_back:
        score -= 0.25
    if passage.is_question or passage.hit.chunk.kind == "exercise":
        score -= 0.6
    return score


def _kind_bonus(passage: Passage, facet: Facet, intents: Intents) -> float:
    """What a sentence gains for being of the kind asked for."""
    text = passage.text
    match facet.type:
        case "definition":
            return _definition_bonus(passage, facet, intents)
        case "punishment":
            return 0.6 if has_phrase(text, intents.punishes) else -0.3
        case "procedure":
            return 0.2 if has_phrase(text, intents.proceeds) else 0.0
        case "scope":
            return 0.4 if has_phrase(text, intents.delimits) else 0.0
        case "example" | "problem":
            return 0.5 if passage.hit.chunk.kind == "example" or has_phrase(text, intents.illustrates) else 0.0
        case "general":
            return 0.0


def _definition_bonus(passage: Passage, facet: Facet, intents: Intents) -> float:
    """The nearer the term stands to the defining words, the surer they define it."""
    text = passage.text

    def near(part: str, *, ends: bool) -> bool:
        terms = [term for word in (part.split()[-6:] if ends else part.split()[:5]) for term in content_terms(word)]
        return any(key.stands_in(set(terms)) for key in facet.subject)

    before = any(near(text[: span.start], ends=True) for span, _ in phrase_spans(text, intents.defines))
    behind = any(near(text[span.end :], ends=False) for span, _ in phrase_spans(text, intents.names))
    strong = has_phrase(
        text, ("means", "denotes", "is defined as", "is said to", "has the meaning", "अभिप्रेत है", "कहते हैं")
    )
    bonus = (0.5 if before or behind else 0.0) + (0.25 if strong and (before or behind) else 0.0)
    return bonus + (0.2 if passage.hit.chunk.kind == "definition" else 0.0)


def _rarity(facet: Facet, passages: Sequence[Passage]) -> dict[str, float]:
    """How much each key term tells the passages apart: rare ones more."""
    counts: Counter[str] = Counter()
    for passage in passages:
        terms = set(content_terms(passage.text))
        counts.update(key.term for key in facet.subject if key.stands_in(terms))
    return {key.term: math.log(1 + (len(passages) + 1) / (counts[key.term] + 1)) for key in facet.subject}


def _repeats(terms: set[str], other: set[str]) -> bool:
    smaller = min(len(terms), len(other))
    return smaller > 0 and len(terms & other) >= 0.8 * smaller


def _with_antecedents(chosen: Sequence[Passage], passages: Sequence[Passage]) -> list[Passage]:
    """Each passage that leans on the one before it, behind that one."""
    place = {(p.hit.chunk.id, p.position): p for p in passages}
    out: list[Passage] = []
    for passage in chosen:
        before = place.get((passage.hit.chunk.id, passage.position - 1)) if passage.leans_back else None
        for each in (before, passage):
            if each is not None and each not in out:
                out.append(each)
    return out


def _in_order(chosen: Sequence[Passage]) -> tuple[Passage, ...]:
    """Sources in the order in which they were first chosen, each source's passages in reading order."""
    sources = list(dict.fromkeys(passage.hit.chunk.id for passage in chosen))
    return tuple(sorted(chosen, key=lambda p: (sources.index(p.hit.chunk.id), p.position)))
