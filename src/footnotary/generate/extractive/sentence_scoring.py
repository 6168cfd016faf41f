"""Scores how well a sentence answers a question: subject, type, and how well it reads alone."""

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import pairwise

from footnotary.domain.query import Facet, KeyTerm, QueryType
from footnotary.generate.extractive.candidates import CandidateSentence
from footnotary.generate.extractive.sentence_roles import Role
from footnotary.profiles.schema import Intents
from footnotary.text.defined_names import naming_spans
from footnotary.text.definitions import hindi_definitions
from footnotary.text.numbers.quantities import number_mentions
from footnotary.text.phrases import has_phrase, phrase_spans
from footnotary.text.references.provision_numbers import provision_key
from footnotary.text.tokens import content_terms, terms_of, words

# "Cheating has the meaning given in section 415" points elsewhere and answers nothing.
_POINTERS = (
    "has the meaning given",
    "have the meaning given",
    "has the meaning assigned",
    "is defined in section",
    "see section",
)
_QUANTITIES = ("how many", "how much", "how old", "how often", "how far", "what percentage", "कितने", "कितना", "कितनी")
_COMPARISONS = ("difference", "differ", "differs", "distinguish", "compare", "compared", "अंतर")
_CONTRASTS = ("while", "whereas", "unlike", "differs", "differ", "difference", "but", "on the other hand", "जबकि")
_DURATIONS = (
    "how long", "how soon", "time limit", "what time", "within what", "deadline", "what period",
    "कब तक", "कितने समय", "कितने दिन", "कितने दिनों", "कितनी अवधि", "समय सीमा", "समय-सीमा", "परिसीमा",
)  # fmt: skip
# The penalty for a sentence that is not a rule but a comment on one; examples are wanted where one is asked for.
_ROLE_PENALTIES_BY_TYPE: dict[QueryType, dict[Role, float]] = {
    "definition": {"illustration": 0.9, "explanation": 0.3, "exception": 0.4, "note": 0.9},
    "punishment": {"illustration": 0.7, "explanation": 0.3, "exception": 0.2, "note": 0.9},
    "example": {"illustration": -0.5, "note": 0.9},
}
_ROLE_PENALTIES: dict[Role, float] = {"illustration": 0.15, "explanation": 0.05, "exception": 0.1, "note": 0.9}
# How many words next to "means" or "is said to" are searched for the defined term.
_TERM_WINDOW = 6
_CLAUSE_END = re.compile(r"[,;:—]|\b(?:where|which|that|who|if|when)\b")
# "Culpable homicide is murder, if ...": the name precedes the condition.
_IS_IF = re.compile(r"\b(?:is|are) ((?!not\b)(?:[\w-]{1,30} ){0,3}[\w-]{1,30}),? (?:if|when|where|unless)\b")


def term_weights(facet: Facet, passages: Sequence[CandidateSentence]) -> dict[str, float]:
    """The weight of each key term: rare terms distinguish passages better."""
    counts: Counter[str] = Counter()
    for passage in passages:
        terms = terms_of(passage.text)
        counts.update(key.term for key in facet.subject if key.stands_in(terms))
    return {key.term: math.log(1 + (len(passages) + 1) / (counts[key.term] + 1)) for key in facet.subject}


def score(passage: CandidateSentence, facet: Facet, weights: dict[str, float], intents: Intents) -> float:
    """How well a passage answers: its subject, its type, the score of its source, and how well it reads alone."""
    chunk = passage.hit.chunk
    terms = terms_of(passage.text)
    total = sum(weights.values()) or 1.0
    held = sum(weights[key.term] * _term_coverage(key, terms, passage, facet.type) for key in facet.subject)
    own = provision_key(chunk.labels.section or "")
    named = any(provision_key(reference.section) == own for reference in facet.references)
    if not held and not named:
        return 0.0
    asked = set(facet.terms)
    score = held / total if facet.subject else 0.5
    score += 0.3 * len(asked & terms) / max(len(asked), 1)
    # Stemming conflates "identifiable" and "identifiers"; a sentence in the question's own words is a better match.
    same = {word.removesuffix("s") for word in words(facet.text)} & {
        word.removesuffix("s") for word in words(passage.text)
    }
    score += 0.3 * len(terms_of(" ".join(same)) & asked) / max(len(asked), 1)
    score += _title_bonus(passage, facet, intents)
    score += 0.5 * passage.hit.score + 0.1 / (passage.hit.ranks.last or 10) + (0.5 if named else 0.0)
    score += _kind_bonus(passage, facet, weights, intents)
    # Early sentences of a section say what it is about; very long ones are hard to read.
    score -= 0.02 * min(passage.position, 10) + 0.002 * max(len(passage.text.split()) - 45, 0)
    is_lookup = bool(facet.references) and not facet.subject and facet.type == "general"
    score -= _ROLE_PENALTIES_BY_TYPE.get("definition" if is_lookup else facet.type, _ROLE_PENALTIES).get(
        passage.role, 0.0
    )
    score -= 0.25 if passage.refers_back else 0.05 if passage.concludes else 0.0
    if has_phrase(passage.text, _POINTERS):
        score -= 0.6
    if facet.subject and _repeats_question(facet, terms):
        score -= 0.5
    if passage.is_incomplete:
        score -= 0.3
    if chunk.labels.kind in ("act", "regulation") and chunk.labels.section is None:
        score -= 0.4  # title pages, notes: text outside of all sections is seldom the law
    if passage.is_question or passage.is_fragment or chunk.kind == "exercise":
        score -= 0.6
    return score


def _title_bonus(passage: CandidateSentence, facet: Facet, intents: Intents) -> float:
    """The bonus for a title that names the subject of the question, higher if it names nothing else.

    "Punishment for murder" is the section asked for, "Punishment for murder by life-convict" another.
    """
    title = terms_of(passage.title)
    if not title or not facet.subject:
        return 0.0
    named = sum(key.stands_in(title) for key in facet.subject) / len(facet.subject)
    known = {term for key in facet.subject for words in key.alternatives for term in words} | set(facet.terms)
    if facet.type == "punishment":
        penal = terms_of(" ".join(intents.asks_punishment))
        if title <= penal:
            return 0.2  # "Punishment" alone is that of the offence just defined, without further circumstances
        known |= penal
    return 0.2 * named + 0.3 * named**2 * len(title & known) / len(title)


def _term_coverage(key: KeyTerm, terms: frozenset[str], passage: CandidateSentence, kind: QueryType) -> float:
    """How far a passage is about a key term: in its text, its heading, or the sentence before.

    A penalty is often stated at the end of the section that defines the offence.
    """
    if key.stands_in(terms):
        return 1.0
    if key.stands_in(terms | terms_of(passage.title)):
        return 0.8
    if key.stands_in(terms | terms_of(passage.before)):
        return 0.6
    return 0.4 if kind == "punishment" and key.stands_in(terms_of(passage.hit.chunk.text)) else 0.0


def _repeats_question(facet: Facet, terms: frozenset[str]) -> bool:
    """Whether a sentence only repeats the question, as in "Section 415 defines cheating."."""
    known = {term for key in facet.subject for words in key.alternatives for term in words} | set(facet.terms)
    own = {term for term in terms - known if not term[0].isdigit()}
    return len(own - terms_of("section defines deals fixes means chapter act law called")) < 2


def _kind_bonus(passage: CandidateSentence, facet: Facet, weights: dict[str, float], intents: Intents) -> float:
    """The bonus for a sentence of the type asked for."""
    text = passage.text
    match facet.type:
        case "definition":
            return _definition_bonus(passage, facet, weights, intents)
        case "punishment":
            return _penalty_bonus(text, facet, intents)
        case "procedure":
            return 0.2 if has_phrase(text, intents.proceeds) else 0.0
        case "scope":
            return 0.4 if has_phrase(text, intents.delimits) else 0.0
        case "example" | "problem":
            return 0.5 if passage.hit.chunk.kind == "example" or has_phrase(text, intents.illustrates) else 0.0
        case "general":
            return _general_bonus(passage, facet, weights, intents)


def _penalty_bonus(text: str, facet: Facet, intents: Intents) -> float:
    """The bonus for a penalty, lower for every further circumstance: "theft" is not "theft in a dwelling"."""
    if not has_phrase(text, intents.penalties):
        return 0.1 if has_phrase(text, intents.punishes) else -0.3
    further = (
        terms_of(text) - set(facet.terms) - {term for key in facet.subject for w in key.alternatives for term in w}
    )
    return 0.8 - 0.01 * min(len(further), 30)


def _general_bonus(passage: CandidateSentence, facet: Facet, weights: dict[str, float], intents: Intents) -> float:
    """The bonus for a number after "how many", a definition after "what are", a penalty for a whole section."""
    if has_phrase(facet.text, _DURATIONS):
        return 0.4 if any(figure.kind == "duration" for figure in number_mentions(passage.text)) else -0.1
    if has_phrase(facet.text, _QUANTITIES):
        return 0.3 if number_mentions(passage.text) else -0.1
    if facet.references and not facet.subject:
        return 0.05 if has_phrase(passage.text, intents.penalties) else 0.0
    if has_phrase(facet.text, _COMPARISONS):
        return 0.3 if has_phrase(passage.text, _CONTRASTS) else 0.0
    if has_phrase(facet.text, ("what are", "who are", "which are")):
        return 0.5 * _definition_bonus(passage, facet, weights, intents)
    return 0.0


def _definition_bonus(passage: CandidateSentence, facet: Facet, weights: dict[str, float], intents: Intents) -> float:
    """The bonus for defining the term itself; "finite progression" is another term than "progression"."""
    text = passage.text
    # A sentence that says its subject "is called" something defines the name, not the subject.
    defining = [span for span, phrase in phrase_spans(text, intents.defines) if phrase not in intents.names]
    naming = naming_spans(text, intents.names)
    stating = defining or [span for span, _ in phrase_spans(text, ("is", "are")) if not naming]
    sides = [
        *(side for span in stating for side in _term_windows(text[: span.start])),
        *(text[span.end :].split()[:_TERM_WINDOW] for span in naming),
        *(match.group(1).split() for match in _IS_IF.finditer(text)),
    ]
    known = {t for key in facet.subject for words in key.alternatives for t in words}
    # "श्रेढ़ी का पद" is a term of a progression, not a progression.
    in_hindi = [
        span.of(text).split()
        for span in hindi_definitions(text)
        if not known or known.intersection(content_terms(span.of(text))[-1:])
    ]
    best = max((_term_match(side, facet, weights) for side in (*sides, *in_hindi)), default=0.0)
    strong = 0.3 if best > 0.5 and (defining or naming or in_hindi) else 0.0
    own = terms_of(passage.title)
    titled = 0.3 if own and own <= known else 0.0
    return 0.8 * best + strong + titled + (0.2 if passage.hit.chunk.kind == "definition" else 0.0)


def _term_windows(text: str) -> tuple[list[str], ...]:
    """The words that may contain a term before "means": those of the last clause of `text`, and of its first."""
    clauses = _CLAUSE_END.split(text)
    return (clauses[-1].split()[-_TERM_WINDOW:], clauses[0].split()[:_TERM_WINDOW])


def _term_match(side: Sequence[str], facet: Facet, weights: dict[str, float]) -> float:
    """How far the words are exactly the term asked about, between 0 and 1."""
    terms = terms_of(" ".join(side))
    held = sum(weights[key.term] for key in facet.subject if key.stands_in(terms))
    known = {term for key in facet.subject for words in key.alternatives for term in words}
    share = held / (sum(weights.values()) or 1.0)
    return max(share - 0.3 * len(terms - known) - (0.3 if _is_qualified(side, known) else 0.0), 0.0)


def _is_qualified(side: Sequence[str], known: Set[str]) -> bool:
    """Whether a word right before the term makes it another: "infinite progression", but not "the word “oath”"."""
    for before, word in pairwise(side):
        if terms_of(word) & known:
            return word[0].isalpha() and bool(terms_of(before)) and not terms_of(before) & known
    return False
