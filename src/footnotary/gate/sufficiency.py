"""Whether the evidence can answer the question, judged before any model is called."""

from collections.abc import Sequence, Set
from dataclasses import dataclass

from footnotary.domain.chunk import Chunk
from footnotary.domain.evidence import Evidence, Hit
from footnotary.domain.outcome import Needed
from footnotary.domain.query import Query, QueryType, Reference
from footnotary.domain.verdict import Reason, Verdict
from footnotary.profiles.schema import Intents, Profile
from footnotary.text.phrases import has_phrase, phrase_spans
from footnotary.text.references import references
from footnotary.text.sentences import sentences
from footnotary.text.tokens import content_terms

FACETS: dict[QueryType, str] = {
    "definition": "a passage that defines the term asked about",
    "punishment": "a passage that states the punishment or penalty for what is asked about",
    "procedure": "a passage that says how it is done",
    "scope": "a passage that says to whom or where it applies",
    "example": "an example of what is asked about",
    "problem": "a worked problem or a rule for what is asked about",
    "general": "a passage about what is asked",
}


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """The gate's verdict, the hits that carry it, and what would be needed where it fails."""

    verdict: Verdict
    relevant: tuple[Hit, ...]
    needed: Needed


@dataclass(frozen=True, slots=True)
class KeyTerm:
    """A content word of the question and the sets of words that may stand for it, itself first."""

    term: str
    alternatives: tuple[frozenset[str], ...]

    def stands_in(self, held: Set[str]) -> bool:
        return any(words <= held for words in self.alternatives if words)


def enough(query: Query, evidence: Evidence, profile: Profile) -> Sufficiency:
    """Probe score, then number of sources, then evidence of the kind asked for, about what is asked for.

    Nothing found refuses whatever the profile says; thresholds are inclusive.
    """
    gate = profile.sufficiency
    sources = usable(evidence.hits, gate.min_source_score)
    nearest = tuple(hit.chunk.id for hit in evidence.hits[:3])
    if not evidence.hits or evidence.top_score < gate.min_probe_score:
        detail = f"the best passage scores {evidence.top_score:.2f}, {gate.min_probe_score:.2f} asked"
        return _not_enough(query, Reason.NO_RELEVANT_CONTENT, detail, nearest)
    if len(sources) < max(gate.min_sources, 1):
        detail = f"{len(sources)} usable sources, {max(gate.min_sources, 1)} asked"
        return _not_enough(query, Reason.INSUFFICIENT_SOURCES, detail, nearest)
    keys = key_terms(query, profile.intents)
    if not keys and not query.references:
        detail = "the question names nothing to look for"
        return _not_enough(query, Reason.INSUFFICIENT_EVIDENCE, detail, nearest)
    relevant = tuple(hit for hit in sources if is_about(hit.chunk, query, keys, gate.key_term_share))
    if not relevant:
        detail = f"no passage is about {_subject(query, keys)}"
        return _not_enough(query, Reason.INSUFFICIENT_EVIDENCE, detail, nearest)
    answering = tuple(hit for hit in relevant if answers_type(hit.chunk, query.type, keys, profile.intents))
    if not answering:
        detail = f"passages about {_subject(query, keys)} were found, but not {FACETS[query.type]}"
        return _not_enough(query, Reason.INSUFFICIENT_EVIDENCE, detail, tuple(hit.chunk.id for hit in relevant[:3]))
    passed = Verdict.passed(
        "evidence_suffices", f"{len(answering)} of {len(evidence.hits)} passages answer a {query.type} question"
    )
    return Sufficiency(passed, answering, Needed(FACETS[query.type], ""))


def usable(hits: Sequence[Hit], min_score: float) -> tuple[Hit, ...]:
    """The hits that count as sources: an id, a text, a score that is high enough, and each id and text once."""
    seen: set[str] = set()
    kept: list[Hit] = []
    for hit in hits:
        keys = {hit.chunk.id, hit.chunk.text.strip()}
        if hit.chunk.id and hit.chunk.text.strip() and hit.score >= min_score and not keys & seen:
            kept.append(hit)
            seen |= keys
    return tuple(kept)


def key_terms(query: Query, intents: Intents) -> tuple[KeyTerm, ...]:
    """What the question is about: one key term per content word, with what the glossary calls it instead.

    Words that only say what kind of answer is wanted ("punishment", "meaning", "steps") and the names of the
    provision asked for are left out.
    """
    asking = {
        term
        for phrases in (
            intents.asks_definition,
            intents.asks_punishment,
            intents.asks_procedure,
            intents.asks_scope,
            intents.asks_example,
            intents.asks_what,
        )
        for phrase in phrases
        for term in content_terms(phrase)
    }
    provision = {
        term for r in query.references for part in ("section", r.section, r.act or "") for term in content_terms(part)
    }
    own = [term for term in dict.fromkeys(content_terms(query.text)) if term not in provision]
    subject = [term for term in own if term not in asking] or ([] if query.references else own)
    return tuple(KeyTerm(term, _alternatives(term, query)) for term in subject)


def _alternatives(term: str, query: Query) -> tuple[frozenset[str], ...]:
    others = (e.text for e in query.expansions if term in content_terms(e.of))
    return (frozenset({term}), *(frozenset(content_terms(other)) for other in others))


def is_about(chunk: Chunk, query: Query, keys: Sequence[KeyTerm], share: float) -> bool:
    """Whether a chunk is about the question: the provision it names, and enough of its key terms.

    A provision has to be the one asked for: section 42 is not section 420.
    """
    if query.references and not any(_is_provision(chunk, reference) for reference in query.references):
        return False
    if not keys:
        return True
    held = set(content_terms(f"{chunk.text} {_headings(chunk)}"))
    return sum(key.stands_in(held) for key in keys) >= share * len(keys)


def _is_provision(chunk: Chunk, reference: Reference) -> bool:
    if chunk.labels.section is not None and _same_number(chunk.labels.section, reference.section):
        return _same_act(chunk, reference.act)
    return any(_same_number(found.section, reference.section) for found, _ in references(chunk.text))


def _same_number(one: str, other: str) -> bool:
    return one.replace("-", "").casefold() == other.replace("-", "").casefold()


def _same_act(chunk: Chunk, act: str | None) -> bool:
    if act is None:
        return True
    names = [set(content_terms(name)) for name in (chunk.labels.act, chunk.labels.code) if name]
    asked = set(content_terms(act))
    initials = "".join(word[0] for word in (chunk.labels.act or "").split() if word[0].isupper())
    return not names or any(asked <= name or name <= asked for name in names) or act.casefold() == initials.casefold()


def answers_type(chunk: Chunk, kind: QueryType, keys: Sequence[KeyTerm], intents: Intents) -> bool:
    """Whether a chunk holds evidence of the kind asked for; a definition has to be that of the term asked about."""
    if kind == "definition":
        return (
            any(_defines(sentence, keys, intents) for sentence in sentences(chunk.text)) or chunk.kind == "definition"
        )
    wording: dict[QueryType, Sequence[str]] = {
        "punishment": intents.punishes,
        "procedure": intents.proceeds,
        "scope": intents.delimits,
        "example": intents.illustrates,
        "problem": intents.illustrates,
    }
    return (
        kind not in wording
        or has_phrase(chunk.text, wording[kind])
        or (kind in ("example", "problem") and chunk.kind == "example")
    )


def _defines(sentence: str, keys: Sequence[KeyTerm], intents: Intents) -> bool:
    """The term stands before "means" or behind "is said to"; behind "means" it only helps to define another."""

    def holds(part: str) -> bool:
        terms = set(content_terms(part))
        return any(key.stands_in(terms) for key in keys)

    return any(holds(sentence[: span.start]) for span, _ in phrase_spans(sentence, intents.defines)) or any(
        holds(sentence[span.end :]) for span, _ in phrase_spans(sentence, intents.names)
    )


def _headings(chunk: Chunk) -> str:
    labels = chunk.labels
    return " ".join(
        part
        for part in (labels.title, labels.act, labels.code, labels.section, labels.chapter_title, *chunk.section)
        if part
    )


def _subject(query: Query, keys: Sequence[KeyTerm]) -> str:
    if query.references:
        reference = query.references[0]
        return f"section {reference.section}" + (f" of {reference.act}" if reference.act else "")
    return (
        ", ".join(keyword for keyword in query.keywords if any(key.term in content_terms(keyword) for key in keys))
        or "it"
    )


def _not_enough(query: Query, reason: Reason, detail: str, nearest: tuple[str, ...]) -> Sufficiency:
    return Sufficiency(
        Verdict.failed("evidence_suffices", reason, detail), (), Needed(FACETS[query.type], detail, nearest)
    )
