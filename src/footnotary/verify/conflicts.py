"""Sources that disagree: what a claim rests on, against what the other passages found say of the same thing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from footnotary.domain.chunk import Chunk
from footnotary.domain.conflict import Conflict
from footnotary.domain.draft import Claim
from footnotary.domain.evidence import Hit
from footnotary.domain.query import KeyTerm, Query
from footnotary.domain.verdict import Reason, Verdict
from footnotary.ports import Check, Submission
from footnotary.profiles.schema import OnDisagreement
from footnotary.text.sentences import sentence_spans
from footnotary.text.tokens import terms_of
from footnotary.verify.denials import denials
from footnotary.verify.disagreement import Disagreement, Rule, Value, carriers, disagreement, gist, rule_in, states
from footnotary.verify.lexicon import concept
from footnotary.verify.overlap import heading_of
from footnotary.verify.quotes import best_quote
from footnotary.verify.reading import read

# Below it two sentences are not read any closer.
_LIKENESS = 0.75
_LEAST_ABOUT = 2
_MOST_ADDED = 3
# Sentences of one quote; what a single claim rests on has never as many.
_MOST_COMPARED = 40
_NOT_LOOKED_AT = "not looked at"
_NO_RULES = frozenset({"exercise", "example"})


@dataclass(frozen=True, slots=True)
class _Found:
    claim: int
    conflict: Conflict
    other: Rule
    value: Value | None


def sources_agree(on_disagreement: OnDisagreement) -> Check:
    """No source found says otherwise than what is stated, unless the profile lets both be stated and both are."""

    def check(s: Submission) -> Verdict:
        if on_disagreement == "ignore":
            return Verdict.passed("sources_agree", _NOT_LOOKED_AT)
        found = _found(s)
        failing = found if on_disagreement == "refuse" else [f for f in found if not _is_stated(f, s.draft.claims)]
        if failing:
            at = tuple(dict.fromkeys(f.claim for f in failing))
            return Verdict.failed("sources_agree", Reason.CONFLICTING_SOURCES, str(failing[0].conflict), at)
        return Verdict.passed("sources_agree", f"both sides of {len(found)} conflicts are stated" if found else "")

    return check


def conflicts_of(s: Submission, verdicts: Sequence[Verdict]) -> tuple[Conflict, ...]:
    """The conflicts between what the claims of a draft rest on and the other passages found, each pair once.

    None where `verdicts` say that nobody looked for any.
    """
    if not any(verdict.check == "sources_agree" and verdict.detail != _NOT_LOOKED_AT for verdict in verdicts):
        return ()
    once: dict[frozenset[tuple[str, str]], Conflict] = {}
    for found in _found(s):
        c = found.conflict
        once.setdefault(frozenset({(c.id_a, c.quote_a), (c.id_b, c.quote_b)}), c)
    return tuple(once.values())


def with_both_sides(s: Submission) -> Submission:
    """The submission with the other side of each conflict stated right behind the claim, in its source's own words.

    Only a draft made of its sources' sentences is added to; what a model wrote is left as it is, to be refused where
    it states one side only.
    """
    if not s.draft.extractive:
        return s
    behind: dict[int, list[Claim]] = {}
    missing = [found for found in _found(s) if not _is_stated(found, s.draft.claims)]
    for found in missing[:_MOST_ADDED]:
        stated = Claim(found.conflict.quote_b, (found.conflict.id_b,))
        if not any(stated in claims for claims in behind.values()):
            behind.setdefault(found.claim, []).append(stated)
    if not behind:
        return s
    claims = tuple(each for n, claim in enumerate(s.draft.claims) for each in (claim, *behind.get(n, ())))
    return Submission(s.query, s.evidence, replace(s.draft, claims=claims))


@lru_cache(maxsize=8)
def _found(s: Submission) -> tuple[_Found, ...]:
    hits = {hit.chunk.id: hit for hit in s.evidence.hits}
    places = {claim: n for n, claim in reversed(list(enumerate(s.draft.claims)))}
    return tuple(
        found
        for claim, n in sorted(places.items(), key=lambda place: place[1])
        for cited in dict.fromkeys(claim.cites)
        if cited in hits and hits[cited].chunk.kind not in _NO_RULES
        for found in _against(n, claim.text, hits[cited], s)
    )


def _against(number: int, claim: str, hit: Hit, s: Submission) -> Iterator[_Found]:
    quote = best_quote(claim, hit.chunk.text)[0].of(hit.chunk.text)
    for sentence in list(dict.fromkeys(span.of(quote) for span in sentence_spans(quote)))[:_MOST_COMPARED]:
        for other in s.evidence.hits:
            # From the cheapest to the dearest: nearly all sentences have nothing like them in any other passage.
            alike = _alike(sentence, other.chunk) if other.chunk.id != hit.chunk.id else ()
            rule = rule_in(sentence) if alike else None
            if rule is None or not _says_enough(rule, s.query) or not _comparable(hit, other, s.query):
                continue
            differing = _contradicting(rule, alike)
            if differing is not None and _is_about_it(claim, rule, *differing):
                found, theirs = differing
                said = _values(found, rule, theirs)
                conflict = Conflict(said[0], hit.chunk.id, rule.text, said[1], other.chunk.id, theirs.text)
                yield _Found(number, conflict, theirs, found.other)


def _alike(sentence: str, chunk: Chunk) -> tuple[str, ...]:
    """The sentences of a passage that share enough words with this one to be read closer."""
    ours = gist(sentence)
    if not ours or len(ours & gist(chunk.text)) < _LIKENESS * len(ours):
        return ()
    return tuple(each for each, theirs in _gists(chunk.text) if len(ours & theirs) >= _LIKENESS * len(ours | theirs))


@lru_cache(maxsize=64)
def _gists(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple(
        (sentence, gist(sentence)) for sentence in dict.fromkeys(span.of(text) for span in sentence_spans(text))
    )


def _contradicting(rule: Rule, sentences: Sequence[str]) -> tuple[Disagreement, Rule] | None:
    """The first of a passage's sentences that lays down the same rule otherwise; None if one of them agrees with it."""
    first: tuple[Disagreement, Rule] | None = None
    for sentence in sentences:
        other = rule_in(sentence)
        if other is None or other.about != rule.about:
            continue
        differing = disagreement(rule, other)
        if differing is None:
            return None
        first = first or (differing, other)
    return first


def _comparable(one: Hit, other: Hit, query: Query) -> bool:
    """Whether two hits can be in conflict: two passages of one standing, and no less to the question than the first.

    Of two versions the one in force counts, and a provision that the question names is not measured by one that it
    does not.
    """
    if other.chunk.kind in _NO_RULES or one.is_in_force != other.is_in_force:
        return False
    if one.via == "reference" and other.via != "reference":
        return False
    if _succeeds(one, other) or _succeeds(other, one) or _titles_differ(one.chunk, other.chunk):
        return False
    return _keys_held(one.chunk, query) <= _keys_held(other.chunk, query)


def _succeeds(one: Hit, other: Hit) -> bool:
    named = one.standing.validity.supersedes if one.standing else ()
    later = other.standing.superseded_by if other.standing else ()
    return other.chunk.document_id in named or one.chunk.document_id in later


def _titles_differ(one: Chunk, other: Chunk) -> bool:
    """Whether each stands under a title that names something of which the other passage says nothing."""
    ours, theirs = _title(one), _title(other)
    return bool(ours - theirs - gist(other.text)) and bool(theirs - ours - gist(one.text))


def _title(chunk: Chunk) -> frozenset[str]:
    return gist(chunk.labels.title or (chunk.section[-1] if chunk.section else ""))


def _keys_held(chunk: Chunk, query: Query) -> frozenset[str]:
    held = terms_of(chunk.text) | terms_of(heading_of(chunk))
    return frozenset(key.term for facet in query.facets for key in facet.subject if key.stands_in(held))


def _says_enough(rule: Rule, query: Query) -> bool:
    """Whether a sentence says by itself what it is about; one noun is enough where the question has no other."""
    if len(rule.about) >= _LEAST_ABOUT:
        return True
    asked = {_key(key) for facet in query.facets for key in facet.subject} - carriers()
    return bool(rule.about) and bool(asked) and asked <= rule.about


def _key(key: KeyTerm) -> str:
    return concept(key.term)


def _is_about_it(claim: str, rule: Rule, found: Disagreement, other: Rule) -> bool:
    """Whether the claim itself takes a side, rather than a sentence that is quoted with it."""
    if found.one is not None and found.other is not None:
        return states(claim, found.one) or states(claim, found.other)
    return rule.about <= read(claim).keys and other.about <= read(claim).keys


def _is_stated(found: _Found, claims: Sequence[Claim]) -> bool:
    """Whether some claim that cites the other side says what it says."""
    citing = [claim.text for claim in claims if found.conflict.id_b in claim.cites]
    if found.value is not None:
        return any(states(text, found.value) for text in citing)
    rules = [rule for text in citing for span in sentence_spans(text) if (rule := rule_in(span.of(text))) is not None]
    return any(rule.denies == found.other.denies and found.other.about <= rule.about for rule in rules)


def _values(found: Disagreement, rule: Rule, other: Rule) -> tuple[str, str]:
    if found.one is None or found.other is None:
        # "May not carry forward unused leave" denies, although two of its words do: what both have says nothing.
        ours, theirs = len(denials(rule.text)), len(denials(other.text))
        denies = rule.denies if ours == theirs else ours > theirs
        return ("no", "yes") if denies else ("yes", "no")
    return _written(found.one, rule), _written(found.other, other)


def _written(value: Value, rule: Rule) -> str:
    return " ".join(value.span.of(rule.text).split())
